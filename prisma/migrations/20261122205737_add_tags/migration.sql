-- AlterTable
ALTER TABLE "Draft" ADD COLUMN     "tags" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "Tag" (
    "id" UUID NOT NULL,
    "name" VARCHAR(40) NOT NULL,
    "nameKey" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Tag_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PostTag" (
    "postId" UUID NOT NULL,
    "tagId" UUID NOT NULL,
    "position" SMALLINT NOT NULL,

    CONSTRAINT "PostTag_pkey" PRIMARY KEY ("postId","tagId")
);

-- CreateIndex
CREATE UNIQUE INDEX "Tag_nameKey_key" ON "Tag"("nameKey");

-- CreateIndex
CREATE INDEX "Tag_createdAt_id_idx" ON "Tag"("createdAt", "id");

-- CreateIndex
CREATE INDEX "PostTag_tagId_idx" ON "PostTag"("tagId");

-- AddForeignKey
ALTER TABLE "PostTag" ADD CONSTRAINT "PostTag_postId_fkey" FOREIGN KEY ("postId") REFERENCES "Post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PostTag" ADD CONSTRAINT "PostTag_tagId_fkey" FOREIGN KEY ("tagId") REFERENCES "Tag"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Notifications, as of the other tables of a post.
CREATE FUNCTION tell_about_post_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(SELECT 'posts' WHERE EXISTS (SELECT FROM changed))
    || ARRAY(SELECT DISTINCT 'post:' || "postId" FROM changed LIMIT 101));
  RETURN NULL;
END $$;

CREATE FUNCTION tell_about_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(SELECT 'posts' WHERE EXISTS (SELECT FROM changed))
    || ARRAY(SELECT DISTINCT 'post:' || "postId" FROM changed JOIN "PostTag" ON "tagId" = changed.id LIMIT 101));
  RETURN NULL;
END $$;

CREATE TRIGGER tell_insert AFTER INSERT ON "PostTag" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_post_tags();
CREATE TRIGGER tell_update AFTER UPDATE ON "PostTag" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_post_tags();
CREATE TRIGGER tell_update_of AFTER UPDATE ON "PostTag" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_post_tags();
CREATE TRIGGER tell_delete AFTER DELETE ON "PostTag" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_post_tags();
CREATE TRIGGER tell_truncate AFTER TRUNCATE ON "PostTag" FOR EACH STATEMENT EXECUTE FUNCTION tell_about_all();

-- A new tag, or one that goes, is seen by its posts alone.
CREATE TRIGGER tell_update AFTER UPDATE ON "Tag" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_tags();
CREATE TRIGGER tell_truncate AFTER TRUNCATE ON "Tag" FOR EACH STATEMENT EXECUTE FUNCTION tell_about_all();
