-- How many comments each post has, so that nothing counts them: within the limits of writes a post may get hundreds of
-- thousands. As in "PostCategory" a post has several rows, and only their sum means anything. Without a reference to Post,
-- for which a deletion of a comment would wait while the post is deleted, and this deletion for the comment.

-- Nobody writes a comment between the first count and the triggers.
LOCK TABLE "Post", "Comment" IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE "CommentCount" (
    "postId" UUID NOT NULL,
    "slot" SMALLINT NOT NULL,
    "comments" INTEGER NOT NULL,

    CONSTRAINT "CommentCount_pkey" PRIMARY KEY ("postId", "slot")
);

INSERT INTO "CommentCount" ("postId", slot, comments) SELECT "postId", 0, count(*) FROM "Comment" GROUP BY 1;

CREATE FUNCTION count_comments_of_posts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own_slot smallint := mod(pg_backend_pid(), 8);
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "CommentCount" AS kept ("postId", slot, comments)
      SELECT "postId", own_slot, count(*) FROM came GROUP BY 1 ORDER BY 1
      ON CONFLICT ("postId", slot) DO UPDATE SET comments = kept.comments + excluded.comments;
  ELSIF TG_OP = 'DELETE' THEN
    -- Those of a post that is being deleted need no count.
    INSERT INTO "CommentCount" AS kept ("postId", slot, comments)
      SELECT "postId", own_slot, -count(*) FROM gone JOIN "Post" post ON post.id = "postId" GROUP BY 1 ORDER BY 1
      ON CONFLICT ("postId", slot) DO UPDATE SET comments = kept.comments + excluded.comments;
  ELSIF TG_OP = 'UPDATE' THEN
    -- The server never moves a comment; somebody with psql may.
    INSERT INTO "CommentCount" AS kept ("postId", slot, comments)
      SELECT "postId", own_slot, sum(change) FROM (
        SELECT "postId", 1 AS change FROM came UNION ALL SELECT "postId", -1 FROM gone) moved
      GROUP BY 1 HAVING sum(change) <> 0 ORDER BY 1
      ON CONFLICT ("postId", slot) DO UPDATE SET comments = kept.comments + excluded.comments;
  ELSE
    DELETE FROM "CommentCount";
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER count_insert AFTER INSERT ON "Comment" REFERENCING NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION count_comments_of_posts();
CREATE TRIGGER count_update AFTER UPDATE ON "Comment" REFERENCING NEW TABLE AS came OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_comments_of_posts();
CREATE TRIGGER count_delete AFTER DELETE ON "Comment" REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_comments_of_posts();
CREATE TRIGGER count_truncate AFTER TRUNCATE ON "Comment"
  FOR EACH STATEMENT EXECUTE FUNCTION count_comments_of_posts();

CREATE FUNCTION remove_counts_of_comments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "CommentCount" WHERE "postId" IN (SELECT id FROM gone);
  RETURN NULL;
END $$;

CREATE TRIGGER remove_counts_of_comments AFTER DELETE ON "Post" REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION remove_counts_of_comments();
