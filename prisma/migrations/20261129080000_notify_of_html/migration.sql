-- Only pages and feeds that contain the HTML of a post depend on it, lists do not; and only on what is shown.
CREATE OR REPLACE FUNCTION tell_about_html() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(
    SELECT 'html:' || "postId" FROM previous JOIN changed USING ("postId")
    WHERE previous.html IS DISTINCT FROM changed.html LIMIT 2003));
  RETURN NULL;
END $$;

DROP TRIGGER tell_update ON "PostHtml";
CREATE TRIGGER tell_update AFTER UPDATE ON "PostHtml" REFERENCING OLD TABLE AS previous NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_html();
