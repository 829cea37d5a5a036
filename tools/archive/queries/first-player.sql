-- The advantage of going first
SELECT edition,
       starter,
       count(*) AS games,
       count(*) FILTER (winner = starter) AS won,
       count(*) FILTER (winner = 'draw') AS drawn,
       count(*) FILTER (winner NOT IN (starter, 'draw')) AS lost,
       round(100 * avg(CASE winner WHEN starter THEN 1 WHEN 'draw' THEN 0.5 ELSE 0 END), 1) AS percent
FROM played
WHERE winner IS NOT NULL AND starter IS NOT NULL
GROUP BY edition, starter
ORDER BY edition, starter
