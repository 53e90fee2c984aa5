-- What a name looks like: beside it, no other name may look the same where one of the two has letters outside ASCII.
-- Not unique: names that existed before stay, and the rule depends on both names.
ALTER TABLE "User" ADD COLUMN "confusableKey" TEXT;
CREATE INDEX "User_confusableKey_idx" ON "User"("confusableKey");

-- Registrations with the address of an account. They can never be verified; they make registering and signing in
-- with such an address look as with any other, so that nobody can tell who has an account.
CREATE TABLE "PendingRegistration" (
    "id" UUID NOT NULL,
    "username" VARCHAR(100) NOT NULL,
    "usernameKey" TEXT NOT NULL,
    "confusableKey" TEXT NOT NULL,
    "email" VARCHAR(100) NOT NULL,
    "passwordHash" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PendingRegistration_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "PendingRegistration_usernameKey_key" ON "PendingRegistration"("usernameKey");
CREATE INDEX "PendingRegistration_confusableKey_idx" ON "PendingRegistration"("confusableKey");
CREATE INDEX "PendingRegistration_email_idx" ON "PendingRegistration"("email");
CREATE INDEX "PendingRegistration_createdAt_idx" ON "PendingRegistration"("createdAt");
