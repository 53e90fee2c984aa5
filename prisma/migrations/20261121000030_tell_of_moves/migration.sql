-- What an UPDATE takes away from one place it puts into another: both are told of. The server never does that;
-- somebody with psql may. Identical tags of one transaction are told once.

CREATE TRIGGER tell_update_of AFTER UPDATE ON "Post" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_post();
CREATE TRIGGER tell_update_of AFTER UPDATE ON "Like" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_part_of_post();
CREATE TRIGGER tell_update_of AFTER UPDATE ON "Comment" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_part_of_post();
CREATE TRIGGER tell_update_of AFTER UPDATE ON "User" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_user();

-- Somebody may have asked for an account before it was there, and been answered that there is none.
CREATE TRIGGER tell_insert AFTER INSERT ON "User" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_user();
