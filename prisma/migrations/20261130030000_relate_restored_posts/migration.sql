-- A restore left out the states of related posts: those of restored posts were never computed.
INSERT INTO "RelatedState" ("postId") SELECT id FROM "Post" ON CONFLICT DO NOTHING;
