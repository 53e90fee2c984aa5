-- How many posts each day has: by it any page is found in flat time, and nothing is ever counted. Kept by triggers
-- within the transaction that writes the post, whoever does. A day has several rows, so that two who publish on
-- the same day seldom wait for each other; only their sum means anything.

-- Nobody writes a post between the first count and the triggers.
LOCK TABLE "Post" IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE "PostDay" (
    "day" DATE NOT NULL,
    "slot" SMALLINT NOT NULL,
    "posts" INTEGER NOT NULL,

    CONSTRAINT "PostDay_pkey" PRIMARY KEY ("day", "slot")
);

INSERT INTO "PostDay" (day, slot, posts)
  SELECT ("createdAt" AT TIME ZONE 'UTC')::date, 0, count(*) FROM "Post" GROUP BY 1;

CREATE FUNCTION keep_post_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own_slot smallint := mod(pg_backend_pid(), 8);
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "PostDay" AS kept (day, slot, posts)
      SELECT ("createdAt" AT TIME ZONE 'UTC')::date, own_slot, count(*) FROM came GROUP BY 1 ORDER BY 1
      ON CONFLICT (day, slot) DO UPDATE SET posts = kept.posts + excluded.posts;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "PostDay" AS kept (day, slot, posts)
      SELECT ("createdAt" AT TIME ZONE 'UTC')::date, own_slot, -count(*) FROM gone GROUP BY 1 ORDER BY 1
      ON CONFLICT (day, slot) DO UPDATE SET posts = kept.posts + excluded.posts;
  ELSIF TG_OP = 'UPDATE' THEN
    -- The server never moves a post in time; somebody with psql may.
    INSERT INTO "PostDay" AS kept (day, slot, posts)
      SELECT ("createdAt" AT TIME ZONE 'UTC')::date, own_slot, sum(change) FROM (
        SELECT "createdAt", 1 AS change FROM came UNION ALL SELECT "createdAt", -1 FROM gone) moved
      GROUP BY 1 HAVING sum(change) <> 0 ORDER BY 1
      ON CONFLICT (day, slot) DO UPDATE SET posts = kept.posts + excluded.posts;
  ELSE
    DELETE FROM "PostDay";
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER keep_insert AFTER INSERT ON "Post" REFERENCING NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION keep_post_days();
CREATE TRIGGER keep_update AFTER UPDATE ON "Post" REFERENCING NEW TABLE AS came OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION keep_post_days();
CREATE TRIGGER keep_delete AFTER DELETE ON "Post" REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION keep_post_days();
CREATE TRIGGER keep_truncate AFTER TRUNCATE ON "Post"
  FOR EACH STATEMENT EXECUTE FUNCTION keep_post_days();
