import {
  HEIGHT,
  WIDTH,
  backdrop,
  below,
  between,
  box,
  cut,
  ellipse,
  fade,
  poly,
  ridge,
  rounded,
  smooth,
  snip,
  stroke,
  times,
  knots,
} from "./kit.ts";
import type { Kit } from "./kit.ts";

export function cardDrawers(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const drawer = (x: number, y: number, hue: string): string =>
    cut(kit, snip(kit, x, y, 312, 226, 3), hue, { tone: ink, from: "bottom", density: 2.6, reach: 0.5 }) +
    cut(kit, box(x + 86, y + 46, 140, 62), ink) +
    cut(kit, box(x + 94, y + 54, 124, 46), paper) +
    stroke(`M${x + 110} ${y + 77}h${56 + ((x + y) % 40)}`, ink, 7) +
    cut(kit, rounded(x + 116, y + 146, 80, 26, 13), ink);
  const closed = times(20, (i) =>
    drawer(
      70 + (i % 5) * 336,
      70 + Math.floor(i / 5) * 252,
      (i * 7) % 5 === 1 ? accent : (i * 3) % 4 === 2 ? pale : mid,
    ),
  );
  return (
    backdrop(kit, cool, { tone: ink, from: "bottom", density: 2 }) +
    closed +
    cut(kit, poly(knots([742, 322, 1054, 322, 1110, 700, 690, 700])), ink) +
    times(
      10,
      (i) =>
        cut(
          kit,
          poly([
            [752 - i * 4, 330 + i * 32],
            [1048 + i * 4, 330 + i * 32],
            [1050 + i * 4, 420 + i * 32],
            [750 - i * 4, 420 + i * 32],
          ]),
          i === 6 ? accent : i % 2 ? paper : pale,
        ) + stroke(`M${790 - i * 4} ${348 + i * 32}h${90 + ((i * 61) % 120)}`, ink, 6),
    ) +
    fade(cut(kit, box(650, 930, 500, 40), ink), 0.5) +
    cut(kit, snip(kit, 670, 650, 460, 290, 4), mid, { tone: accent, from: "bottom", density: 3 }) +
    cut(kit, box(790, 706, 220, 84), ink) +
    cut(kit, box(802, 718, 196, 60), paper) +
    stroke("M830 748h110", accent, 9) +
    cut(kit, rounded(832, 846, 136, 38, 19), ink)
  );
}

export function winterLamp(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const flakes = times(70, () =>
    cut(kit, ellipse(between(kit, 230, 800), between(kit, 150, 700), between(kit, 3, 8)), paper),
  );
  return (
    backdrop(kit, ink, { tone: cool, from: "left", density: 1.2 }) +
    cut(kit, box(200, 110, 640, 620), cool, { tone: ink, from: "top", density: 1.6 }) +
    `<svg x="200" y="110" width="640" height="620" viewBox="200 110 640 620">${cut(kit, below(ridge(kit, 600, 40, 3)), pale)}${cut(kit, ellipse(330, 240, 50), paper)}</svg>` +
    flakes +
    stroke("M200 110H840V730H200ZM520 110V730M200 400H840", paper, 24) +
    cut(kit, snip(kit, 160, 726, 720, 40, 4), paper) +
    cut(kit, poly(knots([1150, 420, 1430, 420, 1850, 930, 680, 930])), mid, {
      tone: accent,
      from: "bottom",
      density: 1.6,
    }) +
    cut(kit, box(0, 930, WIDTH, HEIGHT - 930), accent, { tone: ink, from: "bottom", density: 2.4 }) +
    cut(kit, ellipse(1250, 952, 560, 44), mid) +
    stroke("M1290 930V420", ink, 22) +
    cut(kit, rounded(1180, 912, 220, 34, 14), ink) +
    cut(kit, poly(knots([1190, 200, 1390, 200, 1490, 440, 1090, 440])), paper, {
      tone: mid,
      from: "bottom",
      density: 5,
    }) +
    cut(
      kit,
      "M860 900Q740 850 600 900L560 1010Q720 960 850 1020Q980 960 1150 1010L1110 900Q980 850 860 900Z",
      ink,
    ) +
    cut(kit, "M856 890Q740 836 606 884L574 984Q726 940 850 996Z", paper, {
      tone: pale,
      from: "right",
      density: 8,
    }) +
    cut(kit, "M856 890Q980 836 1104 884L1136 984Q980 940 850 996Z", paper, {
      tone: pale,
      from: "left",
      density: 8,
    }) +
    cut(kit, poly(knots([1130, 1010, 1230, 960, 1290, 1000, 1190, 1056])), paper) +
    cut(kit, poly(knots([1280, 1050, 1370, 1020, 1410, 1064, 1316, 1100])), pale) +
    cut(kit, smooth(knots([380, 830, 520, 830, 510, 960, 490, 990, 410, 990, 390, 960])), cool, {
      tone: ink,
      from: "right",
      density: 6,
    }) +
    stroke("M516 860q60 10 40 60t-50 36", cool, 16)
  );
}
