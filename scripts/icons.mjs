// Draws the icons and the picture of link previews from the favicon. Run it after a change of the favicon, and commit
// its files: `node scripts/icons.mjs`.
import { readFileSync, writeFileSync } from "node:fs";
import sharp from "sharp";

const folder = "client/public";
const favicon = readFileSync(`${folder}/favicon.svg`, "utf8");
const drawing = favicon.replace(/^<svg[^>]*>|<\/svg>\s*$/g, "");
/** Systems round the corners of these icons themselves. */
const square = drawing.replace(' rx="7"', "");

const svg = (viewBox, content) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${content}</svg>`);
const png = (source, width, height = width, density = 1_152) =>
  sharp(source, { density }).resize(width, height).png({ palette: true, effort: 10 }).toBuffer();

/** An ICO file that contains one PNG. */
function ico(image, size) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(image.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, image]);
}

const paper = '<rect width="1200" height="630" fill="#fcf9f4"/>';
const centred = (content) =>
  `<svg x="475" y="190" width="250" height="250" viewBox="0 0 32 32">${content}</svg>`;

const files = {
  "favicon.ico": ico(await png(Buffer.from(favicon), 32), 32),
  "icon-192.png": await png(Buffer.from(favicon), 192),
  "icon-512.png": await png(Buffer.from(favicon), 512),
  // A maskable icon may lose a tenth at each side.
  "icon-maskable-512.png": await png(svg("0 0 32 32", square), 512),
  "apple-touch-icon.png": await png(svg("0 0 32 32", square), 180),
  "card.png": await png(svg("0 0 1200 630", paper + centred(drawing)), 1200, 630, 72),
};

for (const [name, bytes] of Object.entries(files)) {
  writeFileSync(`${folder}/${name}`, bytes);
  console.log(`${name}: ${bytes.length} bytes`);
}
