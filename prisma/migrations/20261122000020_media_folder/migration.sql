-- CreateTable
CREATE TABLE "MediaFolder" (
    "id" UUID NOT NULL,

    CONSTRAINT "MediaFolder_pkey" PRIMARY KEY ("id")
);
