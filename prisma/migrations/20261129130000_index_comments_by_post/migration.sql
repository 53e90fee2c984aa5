-- The deletion of an account takes its comments in the order of their posts.
CREATE INDEX "Comment_userId_postId_idx" ON "Comment"("userId", "postId");
DROP INDEX "Comment_userId_idx";
