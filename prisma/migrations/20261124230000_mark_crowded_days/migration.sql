-- Pages of a day with many posts start at the nearest mark. A job writes the marks; a page uses one only if no post of the
-- day was added, moved or removed since, which the sum of `changes` tells within one snapshot.
ALTER TABLE "PostDay" ADD COLUMN "changes" BIGINT NOT NULL DEFAULT 0;

CREATE TABLE "PostMark" (
    "day" DATE NOT NULL,
    "position" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "postId" UUID NOT NULL,
    "changes" BIGINT NOT NULL,

    CONSTRAINT "PostMark_pkey" PRIMARY KEY ("day", "position")
);

CREATE OR REPLACE FUNCTION keep_post_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own_slot smallint := mod(pg_backend_pid(), 8);
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "PostDay" AS kept (day, slot, posts, changes)
      SELECT ("createdAt" AT TIME ZONE 'UTC')::date, own_slot, count(*), 1 FROM came GROUP BY 1 ORDER BY 1
      ON CONFLICT (day, slot) DO UPDATE SET posts = kept.posts + excluded.posts, changes = kept.changes + 1;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "PostDay" AS kept (day, slot, posts, changes)
      SELECT ("createdAt" AT TIME ZONE 'UTC')::date, own_slot, -count(*), 1 FROM gone GROUP BY 1 ORDER BY 1
      ON CONFLICT (day, slot) DO UPDATE SET posts = kept.posts + excluded.posts, changes = kept.changes + 1;
  ELSIF TG_OP = 'UPDATE' THEN
    -- The server never moves a post in time, not even within its day; somebody with psql may.
    INSERT INTO "PostDay" AS kept (day, slot, posts, changes)
      SELECT ("createdAt" AT TIME ZONE 'UTC')::date, own_slot, sum(change), 1 FROM (
        (SELECT id, "createdAt", 1 AS change FROM came EXCEPT SELECT id, "createdAt", 1 FROM gone)
        UNION ALL (SELECT id, "createdAt", -1 FROM gone EXCEPT SELECT id, "createdAt", -1 FROM came)) moved
      GROUP BY 1 ORDER BY 1
      ON CONFLICT (day, slot) DO UPDATE SET posts = kept.posts + excluded.posts, changes = kept.changes + 1;
  ELSE
    DELETE FROM "PostDay";
    DELETE FROM "PostMark";
  END IF;
  RETURN NULL;
END $$;
