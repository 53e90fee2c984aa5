-- CreateTable
CREATE TABLE "Deletion" (
    "id" UUID NOT NULL,
    "type" VARCHAR(20) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Deletion_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Deletion_deletedAt_id_idx" ON "Deletion"("deletedAt", "id");

-- CreateIndex
CREATE INDEX "Post_updatedAt_id_idx" ON "Post"("updatedAt", "id");

-- Times are given by the database, within the transaction that writes the row: a reader who follows the newest rows relies on it
-- (server/data/queries/sync.ts). Times far from now are kept: imports and tests set them.
CREATE FUNCTION stamp_times() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz(3);
  is_changed boolean;
  -- What nobody sees: publishing a draft that changes nothing changes no time.
  ignored CONSTANT text[] := '{updatedAt,draftId}';
BEGIN
  -- Lists this transaction as a writer, which has to precede the reading of the clock.
  PERFORM pg_current_xact_id();
  moment := date_trunc('milliseconds', clock_timestamp());
  IF TG_OP = 'INSERT' THEN
    IF NEW."createdAt" BETWEEN moment - interval '1 minute' AND moment + interval '1 minute' THEN
      NEW."createdAt" := moment;
    END IF;
    IF NEW."updatedAt" BETWEEN moment - interval '1 minute' AND moment + interval '1 minute' THEN
      NEW."updatedAt" := moment;
    END IF;
    RETURN NEW;
  END IF;
  is_changed := to_jsonb(OLD) - ignored IS DISTINCT FROM to_jsonb(NEW) - ignored;
  IF NEW."updatedAt" = OLD."updatedAt" OR NEW."updatedAt" BETWEEN moment - interval '1 minute' AND moment + interval '1 minute' THEN
    NEW."updatedAt" := CASE WHEN is_changed THEN moment ELSE OLD."updatedAt" END;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER stamp_times BEFORE INSERT OR UPDATE ON "Post" FOR EACH ROW EXECUTE FUNCTION stamp_times();
CREATE TRIGGER stamp_times BEFORE INSERT OR UPDATE ON "Comment" FOR EACH ROW EXECUTE FUNCTION stamp_times();

-- What is gone is noted whoever deletes it. An account that was never verified is known to nobody.
CREATE FUNCTION note_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "Deletion" (id, type, "deletedAt")
    SELECT id, TG_ARGV[0], date_trunc('milliseconds', clock_timestamp()) FROM gone
    ON CONFLICT (id) DO UPDATE SET "deletedAt" = excluded."deletedAt";
  RETURN NULL;
END $$;

CREATE FUNCTION note_deleted_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "Deletion" (id, type, "deletedAt")
    SELECT id, 'Profile', date_trunc('milliseconds', clock_timestamp()) FROM gone WHERE "verifiedAt" IS NOT NULL
    ON CONFLICT (id) DO UPDATE SET "deletedAt" = excluded."deletedAt";
  RETURN NULL;
END $$;

CREATE TRIGGER note_deletion AFTER DELETE ON "Post" REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION note_deletion('Post');
CREATE TRIGGER note_deletion AFTER DELETE ON "Comment" REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION note_deletion('Comment');
CREATE TRIGGER note_deletion AFTER DELETE ON "Category" REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION note_deletion('Category');
CREATE TRIGGER note_deletion AFTER DELETE ON "User" REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION note_deleted_accounts();
