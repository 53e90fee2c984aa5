-- A post that is deleted at the same time is waited for and left out: it failed the foreign key, and with it the rename.
CREATE OR REPLACE FUNCTION queue_posts_of_author() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "UnindexedPost" SELECT id FROM "Post" WHERE "userId" = NEW.id FOR KEY SHARE ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
