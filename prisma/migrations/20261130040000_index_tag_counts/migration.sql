-- Lists of tags sum the counts of all tags: from the index alone, without a row of the table.
CREATE INDEX "TagCount_tagId_posts_idx" ON "TagCount"("tagId", "posts");
DROP INDEX "TagCount_tagId_idx";
