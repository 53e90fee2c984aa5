-- The search finds tags by their words, as it finds authors.
CREATE INDEX "Tag_words_idx" ON "Tag" USING gin ("searchWords"(name));
ALTER INDEX "Tag_words_idx" ALTER COLUMN 1 SET STATISTICS 0;
