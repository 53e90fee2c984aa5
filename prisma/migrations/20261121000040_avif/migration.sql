ALTER TABLE "Picture" ADD COLUMN "avif" BOOLEAN;

CREATE INDEX "Picture_avif_createdAt_idx" ON "Picture"("avif", "createdAt");

-- Each picture is changed once it has its AVIF files: only what shows it is old then, not everything.
CREATE FUNCTION tell_about_picture() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_tags(ARRAY(
    SELECT 'post:' || "Post".id FROM "Post" JOIN changed ON changed.id = "imageId"
    UNION ALL
    SELECT 'user:' || "User".id FROM "User" JOIN changed ON changed.id = "photoId"
    LIMIT 101));
  RETURN NULL;
END $$;

DROP TRIGGER tell_update ON "Picture";
CREATE TRIGGER tell_update AFTER UPDATE ON "Picture" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_about_picture();
