-- When the database took over its store of pictures, whose older files may be those of another one, and which database that
-- was: a copy of a database has the same id of the store.
ALTER TABLE "MediaFolder" ADD COLUMN "adoptedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
ALTER TABLE "MediaFolder" ADD COLUMN "database" TEXT;
