-- A GIN index reads all entries of a word, however few of them a search takes: with a million posts, 300 000 for a word of
-- 30 %. Here each word begins with the week of its post, counted from 1970, so that a search reads the newest weeks only.
-- Words of the title are indexed a second time, with another letter after the week.
CREATE FUNCTION "searchWeek"(timestamptz) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN to_hex(floor(extract(epoch FROM $1) / 604800)::int);

-- Queries have 200 characters at most; an index entry has a limit in bytes. The cost keeps the planner from computing it for
-- each row of a small table instead of reading the index. Not PARALLEL SAFE: workers take longer to start than a search takes.
CREATE FUNCTION "wordsOfWeek"(title tsvector, words tsvector, "createdAt" timestamptz) RETURNS tsvector
  LANGUAGE sql IMMUTABLE STRICT COST 100000 RETURN array_to_tsvector(ARRAY(
    SELECT "searchWeek"("createdAt") || 'w' || left(word, 400) FROM unnest(tsvector_to_array(words)) AS word
    UNION ALL
    SELECT "searchWeek"("createdAt") || 't' || left(word, 400) FROM unnest(tsvector_to_array(title)) AS word));

CREATE INDEX "PostSearch_weeks_idx" ON "PostSearch" USING gin ("wordsOfWeek"(title, words, "createdAt"))
  WITH (gin_pending_list_limit = 256);
ALTER INDEX "PostSearch_weeks_idx" ALTER COLUMN 1 SET STATISTICS 0;
-- PostSearch_title_idx and PostSearch_words_idx stay for one release: processes that are not updated yet search by them.
