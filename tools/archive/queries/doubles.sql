-- Games whose moves occur more than once in the archive
SELECT count(*) AS times,
       min(edition) AS edition,
       min(caesar) AS caesar,
       min(cleopatra) AS cleopatra,
       string_agg(file || ':' || line, ', ' ORDER BY file, line) AS places
FROM games
WHERE moves <> 0
GROUP BY moves
HAVING count(*) > 1
ORDER BY times DESC, places
