-- CreateTable
CREATE TABLE "RelatedPost" (
    "postId" UUID NOT NULL,
    "relatedId" UUID NOT NULL,
    "score" SMALLINT NOT NULL,

    CONSTRAINT "RelatedPost_pkey" PRIMARY KEY ("postId","relatedId")
);

-- CreateTable
CREATE TABLE "RelatedState" (
    "postId" UUID NOT NULL,
    "isCurrent" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "RelatedState_pkey" PRIMARY KEY ("postId")
);

-- CreateIndex
CREATE INDEX "RelatedPost_postId_score_idx" ON "RelatedPost"("postId", "score" DESC);

-- CreateIndex
CREATE INDEX "RelatedPost_relatedId_idx" ON "RelatedPost"("relatedId");

-- CreateIndex
CREATE INDEX "RelatedState_isCurrent_postId_idx" ON "RelatedState"("isCurrent", "postId");

-- AddForeignKey
ALTER TABLE "RelatedPost" ADD CONSTRAINT "RelatedPost_postId_fkey" FOREIGN KEY ("postId") REFERENCES "Post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RelatedPost" ADD CONSTRAINT "RelatedPost_relatedId_fkey" FOREIGN KEY ("relatedId") REFERENCES "Post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RelatedState" ADD CONSTRAINT "RelatedState_postId_fkey" FOREIGN KEY ("postId") REFERENCES "Post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

INSERT INTO "RelatedState" ("postId") SELECT id FROM "Post";

CREATE FUNCTION reset_related_of_new_posts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "RelatedState" ("postId") SELECT id FROM changed;
  RETURN NULL;
END $$;

CREATE FUNCTION reset_related() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "RelatedState" SET "isCurrent" = false WHERE "postId" = NEW.id;
  RETURN NULL;
END $$;

CREATE FUNCTION reset_related_of_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "RelatedState" SET "isCurrent" = false
    WHERE "isCurrent" AND "postId" IN (SELECT "postId" FROM changed);
  RETURN NULL;
END $$;

CREATE TRIGGER reset_related_of_new_posts AFTER INSERT ON "Post" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION reset_related_of_new_posts();
CREATE TRIGGER reset_related AFTER UPDATE OF title, description, category ON "Post"
  FOR EACH ROW WHEN ((OLD.title, OLD.description, OLD.category) IS DISTINCT FROM (NEW.title, NEW.description, NEW.category))
  EXECUTE FUNCTION reset_related();
CREATE TRIGGER reset_related_of_new_tags AFTER INSERT ON "PostTag" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION reset_related_of_tags();
CREATE TRIGGER reset_related_of_old_tags AFTER DELETE ON "PostTag" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION reset_related_of_tags();

CREATE TRIGGER tell_insert AFTER INSERT ON "RelatedPost" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_part_of_post();
CREATE TRIGGER tell_update AFTER UPDATE ON "RelatedPost" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_part_of_post();
CREATE TRIGGER tell_delete AFTER DELETE ON "RelatedPost" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_part_of_post();
CREATE TRIGGER tell_truncate AFTER TRUNCATE ON "RelatedPost" FOR EACH STATEMENT EXECUTE FUNCTION tell_about_all();
