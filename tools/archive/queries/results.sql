-- Results by rule set: how often each side wins, and by how many points
SELECT edition,
       count(*) AS games,
       count(*) FILTER (winner = 'rome') AS rome,
       count(*) FILTER (winner = 'egypt') AS egypt,
       count(*) FILTER (winner = 'draw') AS drawn,
       count(*) FILTER (tie_break) AS by_tie_break,
       count(*) FILTER (decided_by NOT IN ('points', 'tie-break')) AS not_by_points,
       round(100 * avg(CASE winner WHEN 'rome' THEN 1 WHEN 'draw' THEN 0.5 ELSE 0 END), 1) AS rome_percent,
       round(avg(rome_points), 2) AS rome_points,
       round(avg(egypt_points), 2) AS egypt_points
FROM played
WHERE winner IS NOT NULL
GROUP BY edition
ORDER BY edition
