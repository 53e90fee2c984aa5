-- AlterTable
ALTER TABLE "Post" ADD COLUMN     "alt" VARCHAR(500) NOT NULL DEFAULT '',
ADD COLUMN     "draftId" UUID;

-- AlterTable
ALTER TABLE "Draft" ADD COLUMN     "pictureId" UUID,
ADD COLUMN     "publishError" VARCHAR(500);

-- CreateTable
CREATE TABLE "PreviewLink" (
    "draftId" UUID NOT NULL,
    "token" VARCHAR(50) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PreviewLink_pkey" PRIMARY KEY ("draftId")
);

-- CreateTable
CREATE TABLE "Revision" (
    "id" UUID NOT NULL,
    "postId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "title" VARCHAR(200) NOT NULL,
    "description" TEXT NOT NULL,
    "category" VARCHAR(100) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Revision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Upload" (
    "pictureId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "alt" VARCHAR(500) NOT NULL,
    "unusedSince" TIMESTAMPTZ(3),

    CONSTRAINT "Upload_pkey" PRIMARY KEY ("pictureId")
);

-- CreateIndex
CREATE UNIQUE INDEX "PreviewLink_token_key" ON "PreviewLink"("token");

-- CreateIndex
CREATE INDEX "Revision_postId_createdAt_id_idx" ON "Revision"("postId", "createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Revision_userId_idx" ON "Revision"("userId");

-- CreateIndex
CREATE INDEX "Upload_userId_idx" ON "Upload"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "Post_draftId_key" ON "Post"("draftId");

-- CreateIndex
CREATE INDEX "Draft_pictureId_idx" ON "Draft"("pictureId");

-- CreateIndex
CREATE INDEX "Draft_publishAt_idx" ON "Draft"("publishAt");

-- AddForeignKey
ALTER TABLE "Draft" ADD CONSTRAINT "Draft_pictureId_fkey" FOREIGN KEY ("pictureId") REFERENCES "Picture"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PreviewLink" ADD CONSTRAINT "PreviewLink_draftId_fkey" FOREIGN KEY ("draftId") REFERENCES "Draft"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_postId_fkey" FOREIGN KEY ("postId") REFERENCES "Post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Upload" ADD CONSTRAINT "Upload_pictureId_fkey" FOREIGN KEY ("pictureId") REFERENCES "Picture"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Upload" ADD CONSTRAINT "Upload_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The ids of the media folder that a text names, /media/ab/ab…/picture.jpg for instance, so that an index finds the texts
-- that show a picture, whoever wrote them.
CREATE FUNCTION "picturesIn"(text) RETURNS uuid[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN CASE
    WHEN position('/media/' IN $1) = 0 THEN '{}'::uuid[]
    ELSE ARRAY(SELECT DISTINCT (found.ids)[1]::uuid FROM regexp_matches($1,
      '/media/[0-9a-f]{2}/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/', 'g') AS found(ids)) END;

CREATE INDEX "Post_pictures_idx" ON "Post" USING gin ("picturesIn"(description));
CREATE INDEX "Draft_pictures_idx" ON "Draft" USING gin ("picturesIn"(description));
CREATE INDEX "Revision_pictures_idx" ON "Revision" USING gin ("picturesIn"(description));

-- Every published state that is replaced becomes a revision, whoever replaces it.
CREATE FUNCTION write_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "Revision" (id, "postId", "userId", title, description, category, "createdAt")
    VALUES (gen_random_uuid(), OLD.id, OLD."userId", OLD.title, OLD.description, OLD.category, OLD."updatedAt");
  RETURN NULL;
END $$;

CREATE TRIGGER write_revision AFTER UPDATE OF title, description, category ON "Post"
  FOR EACH ROW WHEN ((OLD.title, OLD.description, OLD.category) IS DISTINCT FROM (NEW.title, NEW.description, NEW.category))
  EXECUTE FUNCTION write_revision();
