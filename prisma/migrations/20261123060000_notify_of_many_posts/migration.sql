-- A statement that changes up to 1000 posts notifies of each: '*' clears all caches, and an account could cause it at will with
-- a hundred posts that show one picture. A payload has less than 8000 bytes.
CREATE OR REPLACE FUNCTION tell_tags(tags text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(tags) > 1001 THEN
    PERFORM pg_notify('blog_changes', '*');
  ELSE
    FOR n IN 1 .. cardinality(tags) BY 100 LOOP
      PERFORM pg_notify('blog_changes', array_to_string(tags[n:n + 99], ','));
    END LOOP;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION tell_about_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Also when only a post's text was changed: its category may have been.
  PERFORM tell_tags('{posts}' || ARRAY(SELECT DISTINCT 'post:' || id FROM changed LIMIT 1001));
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_about_part_of_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(SELECT DISTINCT 'post:' || "postId" FROM changed LIMIT 1002));
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_about_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(SELECT DISTINCT 'user:' || id FROM changed LIMIT 1002));
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_about_picture() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(
    SELECT 'post:' || "Post".id FROM "Post" JOIN changed ON changed.id = "imageId"
    UNION ALL
    SELECT 'user:' || "User".id FROM "User" JOIN changed ON changed.id = "photoId"
    LIMIT 1002));
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_about_post_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(SELECT 'posts' WHERE EXISTS (SELECT FROM changed))
    || ARRAY(SELECT DISTINCT 'post:' || "postId" FROM changed LIMIT 1001));
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_about_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(SELECT 'posts' WHERE EXISTS (SELECT FROM changed))
    || ARRAY(SELECT DISTINCT 'post:' || "postId" FROM changed JOIN "PostTag" ON "tagId" = changed.id LIMIT 1001));
  RETURN NULL;
END $$;
