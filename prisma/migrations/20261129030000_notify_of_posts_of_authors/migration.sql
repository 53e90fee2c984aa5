-- A page of a post shows the previous and the next post of its author, so it depends on that author's posts, not on all.
CREATE OR REPLACE FUNCTION tell_about_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags('{posts}'
    || ARRAY(SELECT DISTINCT 'author:' || "userId" FROM changed LIMIT 1001)
    || ARRAY(SELECT DISTINCT 'post:' || id FROM changed LIMIT 1001));
  RETURN NULL;
END $$;
