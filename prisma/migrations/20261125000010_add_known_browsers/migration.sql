-- CreateTable
CREATE TABLE "KnownBrowser" (
    "userId" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "seenAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "KnownBrowser_pkey" PRIMARY KEY ("userId","hash")
);

-- AddForeignKey
ALTER TABLE "KnownBrowser" ADD CONSTRAINT "KnownBrowser_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

INSERT INTO "KnownBrowser"
  SELECT "userId", sha256(convert_to(coalesce("userAgent", ''), 'UTF8')) AS hash, max("createdAt") FROM "Session" GROUP BY 1, 2;
