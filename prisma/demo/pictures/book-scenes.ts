import {
  WIDTH,
  backdrop,
  between,
  box,
  cut,
  ellipse,
  fade,
  moved,
  pick,
  poly,
  rounded,
  smooth,
  snip,
  stroke,
  times,
  knots,
} from "./kit.ts";
import type { Kit } from "./kit.ts";

function spine(kit: Kit, x: number, floor: number, w: number, h: number, index: number): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const hue = pick([accent, cool, mid, pale, paper, accent, mid, cool, pale], index, cool);
  const band = hue === accent || hue === cool ? paper : accent;
  const bands =
    index % 3 === 0
      ? box(x, floor - h * 0.86, w, 14) + box(x, floor - h * 0.18, w, 14)
      : index % 3 === 1
        ? rounded(x + w * 0.2, floor - h * 0.8, w * 0.6, h * 0.26, 6)
        : box(x, floor - h * 0.55, w, h * 0.12);
  return (
    cut(kit, snip(kit, x, floor - h, w, h, 3), hue, { tone: ink, from: "right", density: 2.6, reach: 0.6 }) +
    cut(kit, bands, band)
  );
}

function shelfRow(kit: Kit, floor: number, from: number, to: number, seed: number): string {
  let out = "";
  let x = from;
  for (let i = seed; x < to - 60; i += 1) {
    const w = between(kit, 46, 104);
    out += spine(kit, x, floor, Math.min(w, to - x), between(kit, 270, 400), i);
    x += w + 4;
  }
  return out;
}

export function bookshelf(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const plank = (y: number): string =>
    cut(kit, snip(kit, -20, y, WIDTH + 40, 44, 4), accent, { tone: ink, from: "bottom", density: 3 });
  const worn = moved(
    cut(kit, box(-70, -420, 140, 420), pale) +
      times(7, (i) => cut(kit, snip(kit, -62 + i * 18, -412, 13, 404, 3), i % 2 ? paper : mid)) +
      stroke("M-66 -320H66M-66 -210H66M-66 -96H66", accent, 9) +
      stroke("M-40 -8Q-64 60 -20 96", accent, 6),
    930,
    560,
    9,
  );
  return (
    backdrop(kit, ink, { tone: cool, from: "top", density: 1.6 }) +
    shelfRow(kit, 566, 60, 800, 0) +
    worn +
    shelfRow(kit, 566, 1090, 1480, 4) +
    cut(kit, smooth(knots([1540, 420, 1700, 420, 1680, 560, 1660, 590, 1580, 590, 1560, 560])), cool, {
      tone: ink,
      from: "right",
      density: 4,
    }) +
    times(9, (i) =>
      moved(
        cut(kit, smooth(knots([0, 0, 34, -90, 0, -210, -34, -90])), i % 2 ? cool : pale, {
          tone: ink,
          from: "bottom",
          density: 4,
        }),
        1620,
        430,
        -64 + i * 16,
      ),
    ) +
    plank(566) +
    shelfRow(kit, 1076, 60, 560, 2) +
    moved(spine(kit, -40, 0, 88, 380, 1), 660, 1068, -13) +
    shelfRow(kit, 1076, 1010, 1750, 7) +
    times(3, (i) =>
      cut(
        kit,
        snip(kit, 730 + i * 12, 1006 - i * 66, 240 - i * 16, 62, 3),
        pick([cool, pale, accent], i, mid),
        { tone: ink, from: "bottom", density: 4 },
      ),
    ) +
    plank(1076)
  );
}

export function openBook(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const left = "M900 330Q640 230 250 310L210 950Q640 870 900 980Z";
  const right = "M900 330Q1160 230 1550 310L1590 950Q1160 870 900 980Z";
  const lines = (x: number, w: number, turn: number): string =>
    times(13, (i) =>
      moved(
        stroke(`M0 0H${w - ((i * 83) % 110) * (i % 4 === 3 ? 1.6 : 0.2)}`, ink, 7, 'opacity="0.55"'),
        x - i * 2,
        400 + i * 38,
        turn,
      ),
    );
  return (
    backdrop(kit, accent, { tone: ink, from: "bottom", density: 1.5, reach: 0.8 }) +
    cut(kit, ellipse(900, 640, 560), mid, { tone: accent, from: "bottom" }) +
    fade(cut(kit, "M170 380L1640 380L1690 1030Q1200 950 900 1050Q600 950 120 1030Z", ink), 0.9) +
    cut(kit, "M230 340L1570 340L1620 980Q1160 890 900 1000Q640 890 180 980Z", cool) +
    cut(kit, left, paper, { tone: pale, from: "right", density: 3, reach: 0.5 }) +
    cut(kit, right, paper, { tone: pale, from: "left", density: 3, reach: 0.5 }) +
    stroke("M900 332V976", ink, 6) +
    lines(390, 400, -1) +
    lines(990, 400, 1) +
    stroke("M300 440q-20 90 -4 180", accent, 11) +
    stroke("M278 690l30 40l44 -96", accent, 11) +
    stroke("M1450 470q30 -30 50 0t50 0M1456 520q26 -26 44 0M1450 700l70 0M1452 734l50 0", accent, 10) +
    stroke("M986 628H1370", accent, 9) +
    stroke("M1480 810l40 60m0 -60l-40 60", accent, 10) +
    moved(
      cut(kit, poly(knots([-24, -330, 24, -330, 24, 90, 0, 160, -24, 90])), mid, {
        tone: accent,
        from: "right",
        density: 8,
      }) +
        cut(kit, poly(knots([-24, 90, 24, 90, 0, 160])), pale) +
        cut(kit, poly(knots([-8, 137, 8, 137, 0, 160])), ink) +
        cut(kit, box(-24, -366, 48, 40), cool),
      1560,
      700,
      28,
    )
  );
}
