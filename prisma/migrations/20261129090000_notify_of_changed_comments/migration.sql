-- A page that shows the text of a changed or deleted comment is never sent again; one whose counts have changed may be for some seconds.
CREATE OR REPLACE FUNCTION tell_about_changed_comments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(
    SELECT DISTINCT kind || "postId" FROM changed, unnest('{post:,comments:}'::text[]) kind LIMIT 2003));
  RETURN NULL;
END $$;

DROP TRIGGER tell_update ON "Comment";
CREATE TRIGGER tell_update AFTER UPDATE ON "Comment" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_changed_comments();

DROP TRIGGER tell_update_of ON "Comment";
CREATE TRIGGER tell_update_of AFTER UPDATE ON "Comment" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_changed_comments();

DROP TRIGGER tell_delete ON "Comment";
CREATE TRIGGER tell_delete AFTER DELETE ON "Comment" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_changed_comments();
