-- The page of a changed profile may be sent for some seconds after the change, that of a deleted account is never sent again.
CREATE OR REPLACE FUNCTION tell_about_deleted_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(
    SELECT kind || id FROM changed, unnest('{user:,byline:,deleted:}'::text[]) kind
    WHERE "verifiedAt" IS NOT NULL LIMIT 2003));
  RETURN NULL;
END $$;
