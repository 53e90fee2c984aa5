import sharp from "sharp";

/** Noise, so that the file is as large as a photograph. */
export const takePicture = (width: number, height: number): Promise<Buffer> =>
  sharp({
    create: {
      ...{ width, height, channels: 3, background: "#777" },
      noise: { type: "gaussian", mean: 128, sigma: 30 },
    },
  })
    .jpeg({ quality: 80 })
    .toBuffer();
