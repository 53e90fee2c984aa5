-- Connections of earlier releases had the time zone of the server, and times of theirs were shifted by its offset. Scheduled drafts
-- must not be published earlier by it, also by a process of an earlier release that still runs; sessions and links must not be valid
-- for longer, and no time be later than a backup may contain. Other times keep the shift.
DO $$
DECLARE
  zone text := coalesce(nullif(current_setting('blog.time_zone', true), ''), current_setting('TimeZone'));
BEGIN
  IF EXISTS (
    SELECT FROM generate_series(now() - interval '1 year', now(), interval '1 month') month
    WHERE month AT TIME ZONE zone <> month AT TIME ZONE 'UTC') THEN
    UPDATE "Draft" SET "postUpdatedAt" = '9999-12-31T23:59:59.999Z' WHERE "postUpdatedAt" > '9999-12-31T23:59:59.999Z';
    UPDATE "Draft" SET "publishAt" = NULL, version = version + 1,
      "publishError" = 'the blog uses another time zone since an update, please choose the time again'
    WHERE "publishAt" IS NOT NULL;
    DELETE FROM "Session";
    DELETE FROM "MailToken";
    DELETE FROM "Throttle";
  END IF;
END $$;
