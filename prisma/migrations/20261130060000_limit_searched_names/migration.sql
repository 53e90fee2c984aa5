-- A title of 200 characters may become 3 600 when it is normalized, and comparing one with a misspelt word takes 0.6 ms.
CREATE FUNCTION "searchName"(text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN left("searchText"($1), 200);

CREATE OR REPLACE FUNCTION index_post() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  author text;
BEGIN
  SELECT username INTO author FROM "User" WHERE id = NEW."userId";
  INSERT INTO "PostSearch" ("postId", "createdAt", "userId", category, name, title, words)
    VALUES (NEW.id, NEW."createdAt", NEW."userId", NEW.category, "searchName"(NEW.title), "searchWords"(NEW.title),
      "wordsOfPost"(NEW.title, NEW.category, author, NEW.description))
    ON CONFLICT ("postId") DO UPDATE SET ("createdAt", "userId", category, name, title, words) =
      (excluded."createdAt", excluded."userId", excluded.category, excluded.name, excluded.title, excluded.words);
  IF "isUnspaced"(NEW.title) OR "isUnspaced"(NEW.description) THEN
    INSERT INTO "UnindexedPost" VALUES (NEW.id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

UPDATE "PostSearch" SET name = left(name, 200) WHERE length(name) > 200;

-- ANALYZE computed the pictures of 30 000 texts for statistics of the indexes, 19 ms for each of the longest, and every
-- 160th save of such a text sorted 4 MB of pictures into them, which took it a second.
ALTER INDEX "Post_pictures_idx" ALTER COLUMN 1 SET STATISTICS 0;
ALTER INDEX "Draft_pictures_idx" ALTER COLUMN 1 SET STATISTICS 0;
ALTER INDEX "Revision_pictures_idx" ALTER COLUMN 1 SET STATISTICS 0;
ALTER INDEX "Post_pictures_idx" SET (gin_pending_list_limit = 256);
ALTER INDEX "Draft_pictures_idx" SET (gin_pending_list_limit = 256);
ALTER INDEX "Revision_pictures_idx" SET (gin_pending_list_limit = 256);
