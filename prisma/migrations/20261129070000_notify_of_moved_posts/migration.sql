-- A change of a title, text or picture concerns only the lists that show the post, which depend on its content.
CREATE FUNCTION tell_about_changed_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(
    ARRAY(
      WITH moved AS (
        SELECT previous."userId" AS former, changed."userId" AS present FROM previous FULL JOIN changed USING (id)
        WHERE (previous.category, previous."userId", previous."createdAt")
          IS DISTINCT FROM (changed.category, changed."userId", changed."createdAt"))
      SELECT 'posts' WHERE EXISTS (SELECT FROM moved)
      UNION ALL
      SELECT 'author:' || id FROM (SELECT former AS id FROM moved UNION SELECT present FROM moved) authors
      WHERE id IS NOT NULL LIMIT 2003)
    || ARRAY(
      SELECT kind || id FROM (SELECT id FROM previous UNION SELECT id FROM changed) posts,
        unnest('{post:,content:}'::text[]) kind LIMIT 2003));
  RETURN NULL;
END $$;

DROP TRIGGER tell_update ON "Post";
DROP TRIGGER tell_update_of ON "Post";
CREATE TRIGGER tell_update AFTER UPDATE ON "Post" REFERENCING OLD TABLE AS previous NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_changed_post();
