-- Every change of what public pages show is told on the channel blog_changes, whoever makes it: the server,
-- another one, or somebody with psql. The payload is a list of tags (server/data/changes.ts), identical ones
-- of one transaction are told once, at its commit. A statement of many rows tells `*`, which is anything.

CREATE FUNCTION tell_tags(tags text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(tags) > 100 THEN
    PERFORM pg_notify('blog_changes', '*');
  ELSIF cardinality(tags) > 0 THEN
    PERFORM pg_notify('blog_changes', array_to_string(tags, ','));
  END IF;
END $$;

CREATE FUNCTION tell_about_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Also when only a post's text was changed: its category may have been.
  PERFORM tell_tags('{posts}' || ARRAY(SELECT DISTINCT 'post:' || id FROM changed LIMIT 101));
  RETURN NULL;
END $$;

CREATE FUNCTION tell_about_part_of_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(SELECT DISTINCT 'post:' || "postId" FROM changed LIMIT 101));
  RETURN NULL;
END $$;

CREATE FUNCTION tell_about_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(SELECT DISTINCT 'user:' || id FROM changed LIMIT 101));
  RETURN NULL;
END $$;

CREATE FUNCTION tell_about_categories() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags('{categories}');
  RETURN NULL;
END $$;

CREATE FUNCTION tell_about_anything() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(SELECT '*' WHERE EXISTS (SELECT FROM changed)));
  RETURN NULL;
END $$;

CREATE TRIGGER tell_insert AFTER INSERT ON "Post" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_post();
CREATE TRIGGER tell_update AFTER UPDATE ON "Post" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_post();
CREATE TRIGGER tell_delete AFTER DELETE ON "Post" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_post();

CREATE TRIGGER tell_insert AFTER INSERT ON "Like" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_part_of_post();
CREATE TRIGGER tell_update AFTER UPDATE ON "Like" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_part_of_post();
CREATE TRIGGER tell_delete AFTER DELETE ON "Like" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_part_of_post();

CREATE TRIGGER tell_insert AFTER INSERT ON "Comment" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_part_of_post();
CREATE TRIGGER tell_update AFTER UPDATE ON "Comment" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_part_of_post();
CREATE TRIGGER tell_delete AFTER DELETE ON "Comment" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_part_of_post();

-- A new account shows up nowhere; a page that says there is none is never kept.
CREATE TRIGGER tell_update AFTER UPDATE ON "User" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_user();
CREATE TRIGGER tell_delete AFTER DELETE ON "User" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_anything();

CREATE TRIGGER tell_update AFTER UPDATE ON "Picture" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_anything();

CREATE TRIGGER tell_insert AFTER INSERT ON "Category"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_categories();
CREATE TRIGGER tell_update AFTER UPDATE ON "Category"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_categories();
CREATE TRIGGER tell_delete AFTER DELETE ON "Category"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_categories();

-- TRUNCATE knows no rows.
CREATE FUNCTION tell_about_all() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags('{*}');
  RETURN NULL;
END $$;
CREATE TRIGGER tell_truncate AFTER TRUNCATE ON "Post" FOR EACH STATEMENT EXECUTE FUNCTION tell_about_all();
CREATE TRIGGER tell_truncate AFTER TRUNCATE ON "Like" FOR EACH STATEMENT EXECUTE FUNCTION tell_about_all();
CREATE TRIGGER tell_truncate AFTER TRUNCATE ON "Comment" FOR EACH STATEMENT EXECUTE FUNCTION tell_about_all();
CREATE TRIGGER tell_truncate AFTER TRUNCATE ON "User" FOR EACH STATEMENT EXECUTE FUNCTION tell_about_all();
CREATE TRIGGER tell_truncate AFTER TRUNCATE ON "Category" FOR EACH STATEMENT EXECUTE FUNCTION tell_about_all();
