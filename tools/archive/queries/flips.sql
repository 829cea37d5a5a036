-- Votes won by the lower sum, by the number of philosophers in them
SELECT edition,
       philosophers,
       count(*) AS votes,
       count(*) FILTER (flipped) AS flipped,
       round(100.0 * count(*) FILTER (flipped) / count(*), 1) AS flipped_percent
FROM votes
JOIN played USING (file, line)
WHERE philosophers IS NOT NULL AND status <> 'taken back'
GROUP BY edition, philosophers
ORDER BY edition, philosophers
