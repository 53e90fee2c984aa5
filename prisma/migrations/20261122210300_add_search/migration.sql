-- CreateTable
CREATE TABLE "PostSearch" (
    "postId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "userId" UUID NOT NULL,
    "category" VARCHAR(100) NOT NULL,
    "name" TEXT NOT NULL,
    "title" tsvector NOT NULL,
    "words" tsvector NOT NULL,

    CONSTRAINT "PostSearch_pkey" PRIMARY KEY ("postId")
);

-- CreateTable
CREATE TABLE "UnindexedPost" (
    "postId" UUID NOT NULL,

    CONSTRAINT "UnindexedPost_pkey" PRIMARY KEY ("postId")
);

-- AddForeignKey
ALTER TABLE "PostSearch" ADD CONSTRAINT "PostSearch_postId_fkey" FOREIGN KEY ("postId") REFERENCES "Post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UnindexedPost" ADD CONSTRAINT "UnindexedPost_postId_fkey" FOREIGN KEY ("postId") REFERENCES "Post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What a person means by a word: without accents and marks. Only built-in parts, so that any PostgreSQL has them, and
-- the index stays true when an extension comes or goes. Small letters are made by to_tsvector and to_tsquery.
-- server/domain/searching/words.ts folds in the same way.
CREATE FUNCTION "searchText"(text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN regexp_replace(
    replace(replace(replace(replace(translate(
      normalize(regexp_replace(normalize($1, NFKD), '[\u0300-\u036f]', '', 'g'), NFKC),
      'øØłŁđĐðÐıħĦŧŦ', 'oOlLdDdDihHtT'), 'ß', 'ss'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'),
    '[!-/:-@[-`{-~\u00a0-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g');

CREATE FUNCTION "searchWords"(text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN to_tsvector('pg_catalog.simple', "searchText"($1));

CREATE FUNCTION "wordsOfPost"(title text, category text, author text, description text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    setweight("searchWords"(title), 'A') || setweight("searchWords"(category || ' ' || author), 'B') ||
    setweight("searchWords"(description), 'C');

-- Vectors go to the TOAST table, uncompressed: a search for a frequent word walks over many rows and few vectors.
ALTER TABLE "PostSearch" SET (toast_tuple_target = 128);
ALTER TABLE "PostSearch" ALTER COLUMN title SET STORAGE EXTERNAL, ALTER COLUMN words SET STORAGE EXTERNAL;
-- Without statistics the planner expects few hits and uses the indexes; it does not know what reading a vector costs.
ALTER TABLE "PostSearch" ALTER COLUMN title SET STATISTICS 0, ALTER COLUMN words SET STATISTICS 0;

CREATE INDEX "PostSearch_title_idx" ON "PostSearch" USING gin (title);
CREATE INDEX "PostSearch_words_idx" ON "PostSearch" USING gin (words) WITH (gin_pending_list_limit = 256);
CREATE INDEX "User_words_idx" ON "User" USING gin ("searchWords"(username));
ALTER INDEX "User_words_idx" ALTER COLUMN 1 SET STATISTICS 0;

-- Languages without spaces between words: Node cuts their texts (server/domain/searching/words.ts).
CREATE FUNCTION "isUnspaced"(text) RETURNS boolean
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
    $1 ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]';

CREATE FUNCTION index_post() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  author text;
BEGIN
  SELECT username INTO author FROM "User" WHERE id = NEW."userId";
  INSERT INTO "PostSearch" ("postId", "createdAt", "userId", category, name, title, words)
    VALUES (NEW.id, NEW."createdAt", NEW."userId", NEW.category, "searchText"(NEW.title), "searchWords"(NEW.title),
      "wordsOfPost"(NEW.title, NEW.category, author, NEW.description))
    ON CONFLICT ("postId") DO UPDATE SET ("createdAt", "userId", category, name, title, words) =
      (excluded."createdAt", excluded."userId", excluded.category, excluded.name, excluded.title, excluded.words);
  IF "isUnspaced"(NEW.title) OR "isUnspaced"(NEW.description) THEN
    INSERT INTO "UnindexedPost" VALUES (NEW.id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER index_insert AFTER INSERT ON "Post" FOR EACH ROW EXECUTE FUNCTION index_post();
CREATE TRIGGER index_update AFTER UPDATE OF title, description, category, "userId", "createdAt" ON "Post"
  FOR EACH ROW WHEN ((OLD.title, OLD.description, OLD.category, OLD."userId", OLD."createdAt")
    IS DISTINCT FROM (NEW.title, NEW.description, NEW.category, NEW."userId", NEW."createdAt"))
  EXECUTE FUNCTION index_post();

-- An author may have thousands of posts, so a job writes the new name to them.
CREATE FUNCTION queue_posts_of_author() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "UnindexedPost" SELECT id FROM "Post" WHERE "userId" = NEW.id ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER queue_posts_of_author AFTER UPDATE OF username ON "User"
  FOR EACH ROW WHEN (OLD.username IS DISTINCT FROM NEW.username) EXECUTE FUNCTION queue_posts_of_author();

-- Misspelt words need the extension pg_trgm, which the owner of a database may create. Each start of the blog tries it
-- again. Where it fails, the search works without them; "CREATE EXTENSION pg_trgm" by a superuser, and a restart, add them.
CREATE FUNCTION prepare_search() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX IF NOT EXISTS "PostSearch_name_idx" ON "PostSearch" USING gin (name gin_trgm_ops);
  CREATE INDEX IF NOT EXISTS "User_name_idx" ON "User" USING gin ("searchText"(username) gin_trgm_ops);
  RETURN true;
EXCEPTION WHEN OTHERS THEN
  RETURN false;
END $$;

SELECT prepare_search();

-- Titles, categories and authors that resemble a text, most similar first; none without the extension. Its operators are
-- not known without it, hence EXECUTE.
CREATE FUNCTION "similarNames"(given text, most integer)
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
      WHERE $1 <% "searchText"(username) AND EXISTS (SELECT FROM "Post" WHERE "userId" = "User".id)
      ORDER BY likeness DESC, "User".id LIMIT 3)' USING given, most;
END $$;

-- A job writes the posts of today to PostSearch, the newest first.
INSERT INTO "UnindexedPost" SELECT id FROM "Post";
