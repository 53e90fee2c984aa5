-- Every word of a post, in small letters, whatever marks stand between them. Only built-in parts, so that any
-- PostgreSQL has them. server/domain/words.ts cuts what people look for at the same characters.
CREATE FUNCTION "postWords"(title text, description text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN to_tsvector('pg_catalog.simple', regexp_replace(
  title || ' ' || description, '[!-/:-@[-`{-~\u00a0-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g'));

CREATE INDEX "Post_words_idx" ON "Post" USING gin ("postWords"(title, description));

-- Nobody needs to know how often a word is used, and finding out means reading every text.
ALTER INDEX "Post_words_idx" ALTER COLUMN 1 SET STATISTICS 0;

-- What lists are sorted by.
CREATE INDEX "Post_title_id_idx" ON "Post" (lower(title), id);
CREATE INDEX "Comment_text_id_idx" ON "Comment" (lower(left(text, 100)), id);
