-- The words of a text of some hundred words are stored in their row: a search reads 2 000 of them, and reading them from the
-- TOAST table takes longer than ranking them. Those of longer texts stay there.
ALTER TABLE "PostSearch" SET (toast_tuple_target = 4096);

-- A job writes the rows of the newest posts again, which are most of what searches rank.
INSERT INTO "UnindexedPost" SELECT id FROM "Post" ORDER BY "createdAt" DESC LIMIT 20000 ON CONFLICT DO NOTHING;
