-- The posts with all words of a search of a list. The planner knows neither how long texts are nor how often a word is
-- used, and would parse every text of a small table. An index without positions cannot match a phrase, for which it
-- would read texts as well; the parser makes one of a word that it cuts in two. With too little memory the index returns
-- pages instead of rows, whose texts are read likewise.
CREATE FUNCTION "postsWithWords"(query tsquery) RETURNS TABLE (id uuid)
LANGUAGE sql STABLE SET enable_seqscan = off SET work_mem = '32MB'
AS $$
  SELECT id FROM "Post" WHERE "postWords"(title, description) @@ regexp_replace(query::text, '<(-|\d+)>', '&', 'g')::tsquery
$$;

-- Each search reads all entries that are not sorted into the index yet: in kB, as for "PostSearch".
ALTER INDEX "Post_words_idx" SET (gin_pending_list_limit = 256);
