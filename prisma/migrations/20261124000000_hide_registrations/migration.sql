-- A registration notifies of nothing, whether its address had an account or not: caches that were cleared by one would tell
-- visitors who has an account. Nobody knows the id of a new account before it is verified.
CREATE FUNCTION tell_about_verified_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(SELECT 'user:' || id FROM changed WHERE "verifiedAt" IS NOT NULL LIMIT 1002));
  RETURN NULL;
END $$;

DROP TRIGGER tell_insert ON "User";
CREATE TRIGGER tell_insert AFTER INSERT ON "User" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_verified_user();

-- For the same reason expired registrations of either kind are removed with the same notification.
CREATE TRIGGER tell_delete AFTER DELETE ON "PendingRegistration" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_anything();
