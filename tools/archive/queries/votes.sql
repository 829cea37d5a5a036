-- Who wins votes, by what called them
SELECT edition,
       trigger,
       count(*) AS votes,
       count(*) FILTER (votes.winner = 'rome') AS rome,
       count(*) FILTER (votes.winner = 'egypt') AS egypt,
       count(*) FILTER (votes.winner = 'tie') AS tied,
       round(100.0 * count(*) FILTER (votes.winner = votes.side) / count(*), 1) AS own_turn_percent,
       round(avg(abs(rome_sum - egypt_sum)), 2) AS margin
FROM votes
JOIN played USING (file, line)
WHERE status <> 'taken back'
GROUP BY edition, trigger
ORDER BY edition, trigger
