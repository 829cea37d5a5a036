-- How games end, and how long they take
SELECT edition,
       how AS ending,
       count(*) AS games,
       round(100.0 * count(*) / sum(count(*)) OVER (PARTITION BY edition), 1) AS percent,
       round(avg(turns), 1) AS turns
FROM (SELECT *, CASE WHEN ending IS NOT NULL THEN ending
                     WHEN NOT finished THEN 'unfinished'
                     WHEN termination <> 'normal' THEN termination
                     ELSE 'as recorded' END AS how FROM played)
GROUP BY edition, how
ORDER BY edition, games DESC
