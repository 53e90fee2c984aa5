-- A search takes the newest posts with its words from windows of time.
CREATE INDEX "PostSearch_createdAt_idx" ON "PostSearch"("createdAt");
