-- The page of a post is never sent again after a change of its text, and no page that shows a deleted post.
CREATE OR REPLACE FUNCTION tell_about_changed_post() RETURNS trigger LANGUAGE plpgsql AS $$
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
        unnest('{post:,content:,text:}'::text[]) kind LIMIT 2003));
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_about_deleted_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(SELECT 'posts' WHERE EXISTS (SELECT FROM changed))
    || ARRAY(SELECT DISTINCT 'author:' || "userId" FROM changed LIMIT 2003)
    || ARRAY(SELECT kind || id FROM changed, unnest('{post:,content:,deleted:}'::text[]) kind LIMIT 2003));
  RETURN NULL;
END $$;

DROP TRIGGER tell_delete ON "Post";
CREATE TRIGGER tell_delete AFTER DELETE ON "Post" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_deleted_post();
