-- The posts of a tag are counted by triggers within the transaction that changes them: counting rows takes a time that grows
-- with the blog. Each statement adds rows, so that no transaction waits for another; a job sums them up. Without a reference
-- to Tag, which would make a deletion of a post wait for one of a tag: the job removes the counts of deleted tags.

-- No post gets or loses a tag between the first count and the triggers: about a second for a million posts.
LOCK TABLE "PostTag" IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE "TagCount" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "tagId" UUID NOT NULL,
    "posts" INTEGER NOT NULL,

    CONSTRAINT "TagCount_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "TagCount_tagId_idx" ON "TagCount"("tagId");

INSERT INTO "TagCount" ("tagId", posts) SELECT "tagId", count(*) FROM "PostTag" GROUP BY 1;

CREATE FUNCTION count_posts_of_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "TagCount" ("tagId", posts) SELECT "tagId", count(*) FROM came GROUP BY 1;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "TagCount" ("tagId", posts) SELECT "tagId", -count(*) FROM gone GROUP BY 1;
  ELSIF TG_OP = 'UPDATE' THEN
    -- The server changes places and times only; somebody with psql may change the tag.
    INSERT INTO "TagCount" ("tagId", posts) SELECT "tagId", sum(change) FROM (
        SELECT "tagId", 1 AS change FROM came UNION ALL SELECT "tagId", -1 FROM gone) moved
      GROUP BY 1 HAVING sum(change) <> 0;
  ELSE
    DELETE FROM "TagCount";
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER count_insert AFTER INSERT ON "PostTag" REFERENCING NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION count_posts_of_tags();
CREATE TRIGGER count_update AFTER UPDATE ON "PostTag" REFERENCING NEW TABLE AS came OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_posts_of_tags();
CREATE TRIGGER count_delete AFTER DELETE ON "PostTag" REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_posts_of_tags();
CREATE TRIGGER count_truncate AFTER TRUNCATE ON "PostTag"
  FOR EACH STATEMENT EXECUTE FUNCTION count_posts_of_tags();
