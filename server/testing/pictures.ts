import sharp from "sharp";
import "../media/encode.ts";

export const makePicture = (
  format: "jpeg" | "png" | "webp" | "gif" | "avif" = "jpeg",
  width = 640,
  height = 480,
) =>
  sharp({ create: { width, height, channels: 3, background: "#b8391f" } })
    .toFormat(format)
    .toBuffer();
