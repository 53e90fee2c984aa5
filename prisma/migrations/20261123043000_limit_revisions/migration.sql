-- A post keeps its newest 200 revisions: an author could fill the disk by changes otherwise.
CREATE OR REPLACE FUNCTION write_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "Revision" (id, "postId", "userId", title, description, category, "createdAt")
    VALUES (gen_random_uuid(), OLD.id, OLD."userId", OLD.title, OLD.description, OLD.category, OLD."updatedAt");
  DELETE FROM "Revision" WHERE id IN (
    SELECT id FROM "Revision" WHERE "postId" = OLD.id ORDER BY "createdAt" DESC, id DESC OFFSET 200);
  RETURN NULL;
END $$;
