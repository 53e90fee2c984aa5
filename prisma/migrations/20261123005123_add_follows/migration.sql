-- DropIndex
DROP INDEX "PostTag_tagId_idx";

-- AlterTable
ALTER TABLE "PostTag" ADD COLUMN     "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateTable
CREATE TABLE "Follow" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "profileId" UUID,
    "categoryId" UUID,
    "tagId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Follow_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Follow_profileId_idx" ON "Follow"("profileId");

-- CreateIndex
CREATE INDEX "Follow_categoryId_idx" ON "Follow"("categoryId");

-- CreateIndex
CREATE INDEX "Follow_tagId_idx" ON "Follow"("tagId");

-- CreateIndex
CREATE UNIQUE INDEX "Follow_userId_profileId_key" ON "Follow"("userId", "profileId");

-- CreateIndex
CREATE UNIQUE INDEX "Follow_userId_categoryId_key" ON "Follow"("userId", "categoryId");

-- CreateIndex
CREATE UNIQUE INDEX "Follow_userId_tagId_key" ON "Follow"("userId", "tagId");

-- CreateIndex
CREATE INDEX "PostTag_tagId_createdAt_postId_idx" ON "PostTag"("tagId", "createdAt" DESC, "postId" DESC);

-- AddForeignKey
ALTER TABLE "Follow" ADD CONSTRAINT "Follow_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Follow" ADD CONSTRAINT "Follow_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Follow" ADD CONSTRAINT "Follow_categoryId_fkey" FOREIGN KEY ("categoryId") REFERENCES "Category"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Follow" ADD CONSTRAINT "Follow_tagId_fkey" FOREIGN KEY ("tagId") REFERENCES "Tag"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "Follow" ADD CONSTRAINT "Follow_target_check" CHECK (num_nonnulls("profileId", "categoryId", "tagId") = 1);

-- The newest posts of a tag come from its index, however many posts it has.
UPDATE "PostTag" SET "createdAt" = post."createdAt" FROM "Post" post WHERE post.id = "postId";

CREATE FUNCTION date_post_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."createdAt" := coalesce((SELECT "createdAt" FROM "Post" WHERE id = NEW."postId"), NEW."createdAt");
  RETURN NEW;
END $$;

CREATE FUNCTION date_tags_of_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "PostTag" SET "createdAt" = NEW."createdAt" WHERE "postId" = NEW.id;
  RETURN NULL;
END $$;

CREATE TRIGGER date_insert BEFORE INSERT ON "PostTag" FOR EACH ROW EXECUTE FUNCTION date_post_tag();
CREATE TRIGGER date_tags AFTER UPDATE OF "createdAt" ON "Post" FOR EACH ROW
  WHEN (OLD."createdAt" IS DISTINCT FROM NEW."createdAt") EXECUTE FUNCTION date_tags_of_post();
