-- How many posts each author has, so that nothing counts them: with a hundred thousand a count takes PostgreSQL some ten
-- milliseconds. As in "CommentCount" an author has several rows, and only their sum means anything; without a reference to User.

-- Nobody writes a post between the first count and the triggers.
LOCK TABLE "User", "Post" IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE "AuthorCount" (
    "userId" UUID NOT NULL,
    "slot" SMALLINT NOT NULL,
    "posts" INTEGER NOT NULL,

    CONSTRAINT "AuthorCount_pkey" PRIMARY KEY ("userId", "slot")
);

INSERT INTO "AuthorCount" ("userId", slot, posts) SELECT "userId", 0, count(*) FROM "Post" GROUP BY 1;

CREATE FUNCTION count_posts_of_authors() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own_slot smallint := mod(pg_backend_pid(), 8);
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "AuthorCount" AS kept ("userId", slot, posts)
      SELECT "userId", own_slot, count(*) FROM came GROUP BY 1 ORDER BY 1
      ON CONFLICT ("userId", slot) DO UPDATE SET posts = kept.posts + excluded.posts;
  ELSIF TG_OP = 'DELETE' THEN
    -- Those of an author who is being deleted need no count.
    INSERT INTO "AuthorCount" AS kept ("userId", slot, posts)
      SELECT "userId", own_slot, -count(*) FROM gone JOIN "User" author ON author.id = "userId" GROUP BY 1 ORDER BY 1
      ON CONFLICT ("userId", slot) DO UPDATE SET posts = kept.posts + excluded.posts;
  ELSIF TG_OP = 'UPDATE' THEN
    -- The server never gives a post to another author; somebody with psql may.
    INSERT INTO "AuthorCount" AS kept ("userId", slot, posts)
      VALUES (NEW."userId", own_slot, 1), (OLD."userId", own_slot, -1)
      ON CONFLICT ("userId", slot) DO UPDATE SET posts = kept.posts + excluded.posts;
  ELSE
    DELETE FROM "AuthorCount";
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER count_insert_of_author AFTER INSERT ON "Post" REFERENCING NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION count_posts_of_authors();
CREATE TRIGGER count_delete_of_author AFTER DELETE ON "Post" REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_posts_of_authors();
-- For each row, since a trigger for statements would run on every change of a post.
CREATE TRIGGER count_update_of_author AFTER UPDATE OF "userId" ON "Post"
  FOR EACH ROW WHEN (OLD."userId" <> NEW."userId") EXECUTE FUNCTION count_posts_of_authors();
CREATE TRIGGER count_truncate_of_author AFTER TRUNCATE ON "Post"
  FOR EACH STATEMENT EXECUTE FUNCTION count_posts_of_authors();

CREATE FUNCTION remove_counts_of_authors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "AuthorCount" WHERE "userId" IN (SELECT id FROM gone);
  RETURN NULL;
END $$;

CREATE TRIGGER remove_counts_of_authors AFTER DELETE ON "User" REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION remove_counts_of_authors();
