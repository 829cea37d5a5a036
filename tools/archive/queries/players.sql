-- The results of each named player, from legal or possible games with a winner or a draw
SELECT player,
       count(*) AS games,
       count(*) FILTER (winner = side) AS won,
       count(*) FILTER (winner = 'draw') AS drawn,
       count(*) FILTER (winner NOT IN (side, 'draw')) AS lost,
       round(100 * avg(CASE winner WHEN side THEN 1 WHEN 'draw' THEN 0.5 ELSE 0 END), 1) AS percent,
       sum(points) AS points,
       sum(against) AS against,
       round(avg(points), 2) AS points_per_game
FROM (SELECT caesar AS player, 'rome' AS side, verdict, winner, rome_points AS points, egypt_points AS against FROM played
      UNION ALL
      SELECT cleopatra, 'egypt', verdict, winner, egypt_points, rome_points FROM played)
WHERE winner IS NOT NULL AND verdict IN ('legal', 'possible') AND trim(player) NOT IN ('', '?')
GROUP BY player
ORDER BY percent DESC, games DESC, player
