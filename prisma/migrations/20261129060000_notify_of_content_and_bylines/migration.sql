-- A like or a comment changes no page that shows the post without them, nor a bio one that shows a byline: a name and a photo.

-- A thousand posts, with two tags each: all functions that select tags select one more than that at least.
CREATE OR REPLACE FUNCTION tell_tags(tags text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(tags) > 2002 THEN
    PERFORM pg_notify('blog_changes', '*');
  ELSE
    FOR n IN 1 .. cardinality(tags) BY 100 LOOP
      PERFORM pg_notify('blog_changes', array_to_string(tags[n:n + 99], ','));
    END LOOP;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION tell_about_part_of_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(SELECT DISTINCT 'post:' || "postId" FROM changed LIMIT 2003));
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_about_verified_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(SELECT 'user:' || id FROM changed WHERE "verifiedAt" IS NOT NULL LIMIT 2003));
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_about_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(SELECT 'posts' WHERE EXISTS (SELECT FROM changed))
    || ARRAY(SELECT DISTINCT 'author:' || "userId" FROM changed LIMIT 2003)
    || ARRAY(SELECT DISTINCT kind || id FROM changed, unnest('{post:,content:}'::text[]) kind LIMIT 2003));
  RETURN NULL;
END $$;

CREATE FUNCTION tell_about_html() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(
    SELECT DISTINCT kind || "postId" FROM changed, unnest('{post:,content:}'::text[]) kind LIMIT 2003));
  RETURN NULL;
END $$;

DROP TRIGGER tell_update ON "PostHtml";
CREATE TRIGGER tell_update AFTER UPDATE ON "PostHtml" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_html();

CREATE OR REPLACE FUNCTION tell_about_post_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(SELECT 'posts' WHERE EXISTS (SELECT FROM changed))
    || ARRAY(SELECT DISTINCT kind || "postId" FROM changed, unnest('{post:,content:}'::text[]) kind LIMIT 2003));
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_about_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(SELECT 'posts' WHERE EXISTS (SELECT FROM changed))
    || ARRAY(SELECT DISTINCT kind || "postId" FROM changed JOIN "PostTag" ON "tagId" = changed.id,
      unnest('{post:,content:}'::text[]) kind LIMIT 2003));
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_about_picture() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(
    SELECT kind || "Post".id
      FROM "Post" JOIN changed ON changed.id = "imageId", unnest('{post:,content:}'::text[]) kind
    UNION ALL
    SELECT kind || "User".id
      FROM "User" JOIN changed ON changed.id = "photoId", unnest('{user:,byline:}'::text[]) kind
    LIMIT 2003));
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_about_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(
    ARRAY(SELECT 'user:' || id FROM (SELECT id FROM previous UNION SELECT id FROM changed) users LIMIT 2003)
    || ARRAY(
      SELECT 'byline:' || id FROM previous FULL JOIN changed USING (id)
      WHERE (previous.username, previous."photoId") IS DISTINCT FROM (changed.username, changed."photoId")
      LIMIT 2003));
  RETURN NULL;
END $$;

DROP TRIGGER tell_update_of ON "User";
DROP TRIGGER tell_update ON "User";
CREATE TRIGGER tell_update AFTER UPDATE ON "User" REFERENCING OLD TABLE AS previous NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_user();

-- A deleted account notifies of itself, and by the rows that are deleted with it. An unverified one is shown nowhere.
CREATE FUNCTION tell_about_deleted_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(
    SELECT kind || id FROM changed, unnest('{user:,byline:}'::text[]) kind
    WHERE "verifiedAt" IS NOT NULL LIMIT 2003));
  RETURN NULL;
END $$;

DROP TRIGGER tell_delete ON "User";
CREATE TRIGGER tell_delete AFTER DELETE ON "User" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_deleted_user();

DROP TRIGGER tell_delete ON "PendingRegistration";

-- The deletion of an account also updates the categories of one that has none.
CREATE FUNCTION tell_about_changed_categories() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(SELECT 'categories' WHERE EXISTS (SELECT FROM changed)));
  RETURN NULL;
END $$;

DROP TRIGGER tell_update ON "Category";
CREATE TRIGGER tell_update AFTER UPDATE ON "Category" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_changed_categories();

DROP FUNCTION tell_about_anything();
