import {
  HEIGHT,
  WIDTH,
  backdrop,
  between,
  blob,
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

function roof(kit: Kit, x: number, y: number, w: number, index: number): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const slate = pick([cool, ink, cool, "#5c6f7d", ink], index, cool);
  const slope = poly([
    [x, y],
    [x + w * 0.14, y - 170],
    [x + w * 0.86, y - 170],
    [x + w, y],
  ]);
  const tile = (r: number, c: number): string =>
    `M${Math.round(x + w * 0.1 + c * 48 + (r % 2) * 24 - r * 6)} ${y - 148 + r * 40}q20 30 40 0`;
  const rows = stroke(
    times(4, (r) => times(Math.floor(w / 52), (c) => tile(r, c))),
    slate === ink ? cool : ink,
    4,
  );
  const wall = cut(
    kit,
    box(x + 18, y, w - 36, 220),
    pick([paper, pale, mid, paper, accent], index * 3, paper),
    { tone: mid, from: "bottom", density: 2 },
  );
  const openings = times(Math.max(2, Math.floor(w / 130)), (i) =>
    cut(kit, box(x + 60 + i * 118, y + 40, 46, 78), index % 3 === i ? mid : ink),
  );
  const chimney =
    index % 2
      ? cut(kit, box(x + w * 0.66, y - 262, 64, 130), accent, { tone: ink, from: "right", density: 6 }) +
        cut(kit, box(x + w * 0.66 - 10, y - 272, 84, 20), ink)
      : "";
  return (
    chimney +
    wall +
    openings +
    cut(kit, slope, slate, { tone: slate === ink ? cool : ink, from: "bottom", density: 2 }) +
    rows +
    (index === 6 ? cut(kit, box(x + w * 0.2, y - 100, w * 0.5, 34), pale) : "")
  );
}

export function slateTown(kit: Kit): string {
  const { paper, pale, mid, accent } = kit.pal;
  const smoke = (x: number, y: number): string =>
    fade(
      cut(
        kit,
        smooth([
          [x, y],
          [x - 50, y - 70],
          [x + 30, y - 130],
          [x - 90, y - 220],
          [x + 60, y - 190],
          [x + 110, y - 110],
          [x + 40, y - 40],
        ]),
        paper,
      ),
      0.8,
    );
  const rows = times(4, (r) =>
    times(5, (c) =>
      roof(
        kit,
        -190 + c * 440 + (r % 2) * 210 + between(kit, -20, 20),
        470 + r * 262 + c * 14,
        400,
        r * 5 + c,
      ),
    ),
  );
  return (
    backdrop(kit, pale, { tone: mid, from: "bottom", density: 1.6 }) +
    cut(kit, ellipse(1230, 200, 150), accent, { tone: mid, from: "bottom" }) +
    smoke(520, 230) +
    smoke(1440, 250) +
    rows
  );
}

function chair(kit: Kit): string {
  const { accent, ink } = kit.pal;
  return (
    cut(kit, rounded(250, 420, 560, 540, 110), accent, { tone: ink, from: "left", density: 2, reach: 0.6 }) +
    cut(kit, rounded(330, 760, 560, 170, 60), accent, { tone: ink, from: "bottom", density: 4 }) +
    cut(kit, rounded(190, 680, 170, 330, 70), accent, { tone: ink, from: "right", density: 4 }) +
    cut(kit, rounded(790, 690, 160, 320, 70), accent, { tone: ink, from: "right", density: 4 }) +
    cut(
      kit,
      poly(knots([250, 1000, 300, 1000, 280, 1090, 250, 1090])) +
        poly(knots([840, 1000, 890, 1000, 890, 1090, 860, 1090])),
      ink,
    )
  );
}

export function sundayChair(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const view =
    cut(kit, box(780, 120, 760, 640), pale, { tone: mid, from: "bottom", density: 2.4 }) +
    cut(
      kit,
      poly(
        knots([
          780, 760, 780, 600, 900, 520, 1020, 600, 1020, 540, 1180, 540, 1180, 640, 1290, 560, 1400, 640,
          1540, 620, 1540, 760,
        ]),
      ),
      cool,
      { tone: ink, from: "bottom" },
    ) +
    knots([840, 640, 1080, 600, 1300, 670, 1440, 690])
      .map(([x = 0, y = 0]) => cut(kit, box(x, y, 30, 38), mid))
      .join("");
  const rain = stroke(
    times(46, () => `M${Math.round(between(kit, 800, 1530))} ${Math.round(between(kit, 130, 680))}l-12 56`),
    paper,
    5,
  );
  return (
    backdrop(kit, ink, { tone: cool, from: "left", density: 1.4 }) +
    view +
    rain +
    stroke("M780 120H1540V760H780ZM1160 120V760", paper, 26) +
    cut(kit, snip(kit, 740, 756, 840, 36, 4), paper) +
    cut(kit, box(0, 1040, WIDTH, HEIGHT - 1040), cool, { tone: ink, from: "bottom" }) +
    cut(kit, ellipse(720, 1110, 700, 60), mid, { tone: accent, from: "bottom" }) +
    chair(kit) +
    moved(cut(kit, poly(knots([-110, 0, 0, -36, 110, 0, 110, 26, 0, -8, -110, 26])), paper), 600, 742, -6) +
    times(7, (i) =>
      moved(
        cut(kit, smooth(knots([0, 0, 40, -130, 0, -290, -40, -130])), i % 2 ? cool : pale, {
          tone: ink,
          from: "bottom",
          density: 3,
        }),
        1620,
        860,
        -54 + i * 18,
      ),
    ) +
    cut(kit, poly(knots([1530, 840, 1710, 840, 1684, 1060, 1556, 1060])), accent, {
      tone: ink,
      from: "right",
      density: 4,
    }) +
    stroke("M160 250q0 -50 40 -50", mid, 14) +
    cut(kit, rounded(116, 250, 92, 170, 16), cool) +
    cut(kit, ellipse(162, 282, 10), ink) +
    cut(kit, blob(kit, 470, 700, 90, 80, 0.05), mid, { tone: accent, from: "bottom", density: 6 })
  );
}
