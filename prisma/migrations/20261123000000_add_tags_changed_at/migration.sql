-- AlterTable
ALTER TABLE "Post" ADD COLUMN     "tagsChangedAt" TIMESTAMPTZ(3);
