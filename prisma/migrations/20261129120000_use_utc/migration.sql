-- Connections of earlier releases had the time zone of the server, and times of theirs were shifted by its offset. Scheduled drafts
-- must not be published earlier by it, sessions and links not be valid for longer, and no time be later than a backup may contain. Other
-- times keep the shift.
DO $$
DECLARE
  zone text := coalesce(nullif(current_setting('blog.time_zone', true), ''), current_setting('TimeZone'));
BEGIN
  IF EXISTS (
    SELECT FROM generate_series(now() - interval '1 year', now(), interval '1 month') month
    WHERE month AT TIME ZONE zone <> month AT TIME ZONE 'UTC') THEN
    UPDATE "Draft" SET
      "publishAt" = ("publishAt" AT TIME ZONE zone) AT TIME ZONE 'UTC',
      "postUpdatedAt" = least("postUpdatedAt", '9999-12-31T23:59:59.999Z')
    WHERE "publishAt" IS NOT NULL OR "postUpdatedAt" IS NOT NULL;
    DELETE FROM "Session";
    DELETE FROM "MailToken";
    DELETE FROM "Throttle";
  END IF;
END $$;
