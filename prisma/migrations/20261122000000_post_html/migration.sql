-- The rendered text of each post and the version of the renderer that made it; 0 and NULL until it is rendered.
-- Triggers reset the row whenever the text changes, whoever changes it, so that HTML never outlives its text.

CREATE TABLE "PostHtml" (
    "postId" UUID NOT NULL,
    "html" TEXT,
    "version" SMALLINT NOT NULL DEFAULT 0,

    CONSTRAINT "PostHtml_pkey" PRIMARY KEY ("postId")
);

CREATE INDEX "PostHtml_version_postId_idx" ON "PostHtml"("version", "postId");

ALTER TABLE "PostHtml" ADD CONSTRAINT "PostHtml_postId_fkey" FOREIGN KEY ("postId") REFERENCES "Post"("id") ON DELETE CASCADE ON UPDATE CASCADE;

INSERT INTO "PostHtml" ("postId") SELECT "id" FROM "Post";

CREATE FUNCTION reset_post_html() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "PostHtml" ("postId") SELECT id FROM changed
    ON CONFLICT ("postId") DO UPDATE SET html = NULL, version = 0;
  RETURN NULL;
END $$;

CREATE FUNCTION reset_html_of_changed_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "PostHtml" ("postId") VALUES (NEW.id)
    ON CONFLICT ("postId") DO UPDATE SET html = NULL, version = 0;
  RETURN NULL;
END $$;

CREATE TRIGGER reset_html AFTER INSERT ON "Post" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION reset_post_html();
CREATE TRIGGER reset_html_of_changed_text AFTER UPDATE OF "description" ON "Post"
  FOR EACH ROW WHEN (OLD."description" IS DISTINCT FROM NEW."description")
  EXECUTE FUNCTION reset_html_of_changed_text();

CREATE TRIGGER tell_update AFTER UPDATE ON "PostHtml" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_part_of_post();
