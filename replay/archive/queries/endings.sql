-- How games end, and how long they take
SELECT edition,
       coalesce(ending, 'not over') AS ending,
       count(*) AS games,
       round(100.0 * count(*) / sum(count(*)) OVER (PARTITION BY edition), 1) AS percent,
       round(avg(turns), 1) AS turns
FROM games
GROUP BY edition, coalesce(ending, 'not over')
ORDER BY edition, games DESC
