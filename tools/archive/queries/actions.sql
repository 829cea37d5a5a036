-- How often each action card is played, and how often its player wins
SELECT edition,
       kind,
       count(*) AS played,
       round(count(*) / any_value(games_of_edition), 2) AS per_game,
       count(DISTINCT (file, line)) AS games,
       round(100.0 * count(*) FILTER (winner = CASE WHEN kind = 'veto' AND side = 'rome' THEN 'egypt'
                                                    WHEN kind = 'veto' THEN 'rome'
                                                    ELSE side END)
             / nullif(count(winner), 0), 1) AS won_percent
FROM events
JOIN (SELECT *, count(*) OVER (PARTITION BY edition) AS games_of_edition FROM played) USING (file, line)
WHERE kind NOT IN ('place', 'draw', 'discard', 'vote', 'special vote', 'no vote', 'put away', 'mission', 'other')
  AND status <> 'taken back'
GROUP BY edition, kind
ORDER BY edition, played DESC
