import { bookshelf, openBook } from "./pictures/book-scenes.ts";
import { blueBowl, soupPot } from "./pictures/bowl-scenes.ts";
import { nightOven, ryeLoaves } from "./pictures/bread-scenes.ts";
import { brickViaduct, ironArch } from "./pictures/bridge-scenes.ts";
import { dyedSkeins, loomWeave, mendedSleeve } from "./pictures/cloth-scenes.ts";
import { busRoad, gardenRows, kitchenHill } from "./pictures/country-scenes.ts";
import { cardDrawers, winterLamp } from "./pictures/desk-scenes.ts";
import { lastFerry } from "./pictures/ferry-scene.ts";
import { mushroomGround, saltCrystals } from "./pictures/ground-scenes.ts";
import { HEIGHT, WIDTH, grain, makeKit } from "./pictures/kit.ts";
import type { Kit, Palette } from "./pictures/kit.ts";
import { contourSheet, seismogram, towpathOrbits } from "./pictures/measure-scenes.ts";
import { lichenWall, porchMoth } from "./pictures/nature-scenes.ts";
import { dusk, earth, harbour, night, orchard, shore } from "./pictures/palettes.ts";
import { PORTRAIT, drawPortrait } from "./pictures/portraits.ts";
import { platform, slowTrain } from "./pictures/rail-scenes.ts";
import { reservoir } from "./pictures/reservoir-scene.ts";
import { goldenRice } from "./pictures/rice-scene.ts";
import { slateTown, sundayChair } from "./pictures/roof-scenes.ts";
import { lighthouse, lowTide } from "./pictures/sea-scenes.ts";
import { pasteBench, waitingTea } from "./pictures/tea-scenes.ts";
import { bicycleWheel, hungTools } from "./pictures/tool-scenes.ts";
import { birdsOnWires, carParkForest, snowGarden } from "./pictures/tree-scenes.ts";
import { nightWindows } from "./pictures/window-scenes.ts";

type Plate = readonly [draw: (kit: Kit) => string, palette: Palette];

/** One plate for each post, in the order of the posts. */
const PLATES: readonly Plate[] = [
  [kitchenHill, harbour],
  [loomWeave, harbour],
  [ryeLoaves, earth],
  [lighthouse, night],
  [platform, dusk],
  [lichenWall, orchard],
  [blueBowl, harbour],
  [brickViaduct, earth],
  [bookshelf, dusk],
  [snowGarden, shore],
  [nightWindows, night],
  [bicycleWheel, harbour],
  [contourSheet, orchard],
  [waitingTea, dusk],
  [porchMoth, night],
  [slateTown, dusk],
  [pasteBench, harbour],
  [gardenRows, orchard],
  [birdsOnWires, dusk],
  [winterLamp, night],
  [lowTide, shore],
  [nightOven, night],
  [towpathOrbits, night],
  [dyedSkeins, orchard],
  [openBook, harbour],
  [carParkForest, orchard],
  [soupPot, orchard],
  [sundayChair, dusk],
  [cardDrawers, earth],
  [saltCrystals, shore],
  [slowTrain, earth],
  [mendedSleeve, harbour],
  [seismogram, shore],
  [busRoad, orchard],
  [mushroomGround, earth],
  [hungTools, earth],
  [reservoir, shore],
  [lastFerry, night],
  [goldenRice, night],
  [ironArch, harbour],
];

function sheet(width: number, height: number, content: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" stroke-linecap="round" stroke-linejoin="round">${content}</svg>`
  );
}

/** SVG source of the demo picture for post number `n` (1..40), 1800 x 1200. */
export function postPicture(n: number): string {
  const plate = PLATES[n - 1];
  if (plate === undefined) throw new RangeError(`There is no demo picture ${n}.`);
  const [draw, palette] = plate;
  return sheet(WIDTH, HEIGHT, draw(makeKit(n, palette)) + grain(palette.paper, palette.ink));
}

/** SVG source of the portrait of the person at `index` (0..7), 800 x 800. */
export function portrait(index: number): string {
  const content = drawPortrait(index) + grain("#f6ecdb", "#1e2a45", PORTRAIT, PORTRAIT);
  return sheet(PORTRAIT, PORTRAIT, content);
}
