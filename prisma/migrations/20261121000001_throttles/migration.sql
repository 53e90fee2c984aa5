-- CreateTable
CREATE TABLE "Throttle" (
    "key" TEXT NOT NULL,
    "hits" INTEGER NOT NULL,
    "resetsAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Throttle_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "Throttle_resetsAt_idx" ON "Throttle"("resetsAt");
