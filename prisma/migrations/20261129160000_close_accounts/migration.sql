-- Accounts that have been deleted, and whose rows a job removes.
CREATE TABLE "ClosedAccount" (
    "userId" UUID NOT NULL,
    "closedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ClosedAccount_pkey" PRIMARY KEY ("userId")
);
CREATE INDEX "ClosedAccount_closedAt_idx" ON "ClosedAccount"("closedAt");
ALTER TABLE "ClosedAccount" ADD CONSTRAINT "ClosedAccount_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
