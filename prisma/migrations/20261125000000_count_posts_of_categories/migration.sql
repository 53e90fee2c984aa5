-- How many posts each category has, so that nothing counts them. Triggers write it as they write "PostDay": a category has
-- several rows, so that two who publish in it seldom wait for each other; only their sum means anything.

-- Nobody writes a post between the first count and the triggers.
LOCK TABLE "Post" IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE "PostCategory" (
    "category" VARCHAR(100) NOT NULL,
    "slot" SMALLINT NOT NULL,
    "posts" INTEGER NOT NULL,

    CONSTRAINT "PostCategory_pkey" PRIMARY KEY ("category", "slot")
);

INSERT INTO "PostCategory" (category, slot, posts) SELECT category, 0, count(*) FROM "Post" GROUP BY 1;

CREATE FUNCTION keep_post_categories() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own_slot smallint := mod(pg_backend_pid(), 8);
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "PostCategory" AS kept (category, slot, posts)
      SELECT category, own_slot, count(*) FROM came GROUP BY 1 ORDER BY 1
      ON CONFLICT (category, slot) DO UPDATE SET posts = kept.posts + excluded.posts;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "PostCategory" AS kept (category, slot, posts)
      SELECT category, own_slot, -count(*) FROM gone GROUP BY 1 ORDER BY 1
      ON CONFLICT (category, slot) DO UPDATE SET posts = kept.posts + excluded.posts;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO "PostCategory" AS kept (category, slot, posts)
      SELECT category, own_slot, sum(change) FROM (
        SELECT category, 1 AS change FROM came UNION ALL SELECT category, -1 FROM gone) moved
      GROUP BY 1 HAVING sum(change) <> 0 ORDER BY 1
      ON CONFLICT (category, slot) DO UPDATE SET posts = kept.posts + excluded.posts;
  ELSE
    DELETE FROM "PostCategory";
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER keep_insert_in_category AFTER INSERT ON "Post" REFERENCING NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION keep_post_categories();
CREATE TRIGGER keep_update_in_category AFTER UPDATE ON "Post" REFERENCING NEW TABLE AS came OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION keep_post_categories();
CREATE TRIGGER keep_delete_in_category AFTER DELETE ON "Post" REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION keep_post_categories();
CREATE TRIGGER keep_truncate_in_category AFTER TRUNCATE ON "Post"
  FOR EACH STATEMENT EXECUTE FUNCTION keep_post_categories();
