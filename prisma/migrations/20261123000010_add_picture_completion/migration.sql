-- AlterTable
ALTER TABLE "Picture" ADD COLUMN     "isComplete" BOOLEAN NOT NULL DEFAULT true;

-- DropIndex
DROP INDEX "Picture_avif_createdAt_idx";

-- CreateIndex
CREATE INDEX "Picture_isComplete_avif_createdAt_idx" ON "Picture"("isComplete", "avif", "createdAt");
