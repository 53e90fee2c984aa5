-- Without accounts that are not verified: a registration makes one only if its email address is unknown, and the duration of a
-- search showed it.
CREATE OR REPLACE FUNCTION "similarNames"(given text, most integer)
RETURNS TABLE (kind text, id uuid, likeness real) LANGUAGE plpgsql AS $$
BEGIN
  IF to_regclass('"PostSearch_name_idx"') IS NULL THEN RETURN; END IF;
  PERFORM set_config('pg_trgm.word_similarity_threshold', '0.45', true);
  RETURN QUERY EXECUTE '
    (SELECT ''Post'', "postId", word_similarity($1, name) AS likeness FROM "PostSearch" WHERE $1 <% name
      ORDER BY likeness DESC, "createdAt" DESC, "postId" DESC LIMIT $2)
    UNION ALL (SELECT ''Category'', "Category".id, word_similarity($1, "searchText"(title)) AS likeness FROM "Category"
      WHERE $1 <% "searchText"(title) ORDER BY likeness DESC, "Category".id LIMIT 3)
    UNION ALL (SELECT ''Profile'', "User".id, word_similarity($1, "searchText"(username)) AS likeness FROM "User"
      WHERE $1 <% "searchText"(username) AND "verifiedAt" IS NOT NULL
        AND EXISTS (SELECT FROM "Post" WHERE "userId" = "User".id)
      ORDER BY likeness DESC, "User".id LIMIT 3)' USING given, most;
END $$;
