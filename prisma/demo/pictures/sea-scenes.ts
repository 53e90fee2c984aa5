import {
  WIDTH,
  backdrop,
  between,
  box,
  cut,
  ellipse,
  fade,
  moved,
  poly,
  rounded,
  smooth,
  snip,
  stroke,
  times,
  knots,
} from "./kit.ts";
import type { Kit } from "./kit.ts";
import { glitter, sea, stars } from "./sea-parts.ts";

export function lighthouse(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const beam = (d: string, o: number): string => fade(cut(kit, d, mid), o);
  const band = (i: number): string =>
    cut(
      kit,
      poly([
        [1106 - i * 14, 420 + i * 122],
        [1256 + i * 14, 420 + i * 122],
        [1262 + i * 14, 482 + i * 122],
        [1100 - i * 14, 482 + i * 122],
      ]),
      accent,
      { tone: ink, from: "right", density: 3, reach: 0.5 },
    );
  return (
    backdrop(kit, ink, { tone: cool, from: "bottom", density: 1.5, reach: 0.9 }) +
    stars(kit, 60, 620) +
    beam(poly(knots([1180, 300, -200, 20, -200, 560])), 0.9) +
    beam(poly(knots([1180, 300, 2000, 210, 2000, 420])), 0.9) +
    sea(kit, 800, [cool, cool, ink], pale) +
    glitter(kit, 560, 830, 1130, 260, mid) +
    cut(
      kit,
      smooth(
        knots([700, 1300, 820, 1010, 960, 960, 1060, 880, 1320, 870, 1420, 960, 1560, 1000, 1720, 1300]),
      ),
      ink,
      { tone: pale, from: "top", density: 1.6, reach: 0.5 },
    ) +
    cut(kit, poly(knots([1100, 370, 1262, 370, 1322, 900, 1040, 900])), paper, {
      tone: pale,
      from: "right",
      density: 4,
      reach: 0.6,
    }) +
    times(4, band) +
    cut(kit, snip(kit, 1070, 346, 222, 30), ink) +
    cut(kit, box(1114, 246, 134, 102), mid) +
    [1114, 1158, 1202, 1246].map((x) => stroke(`M${x} 246V346`, ink, 8)).join("") +
    cut(kit, poly(knots([1096, 250, 1181, 168, 1266, 250])), accent) +
    cut(kit, ellipse(1181, 164, 13), accent) +
    cut(kit, rounded(1152, 812, 58, 88, 26), ink)
  );
}

function wader(kit: Kit, x: number, y: number, s: number): string {
  const { paper, accent, ink } = kit.pal;
  return moved(
    cut(kit, smooth(knots([-40, 0, -20, -34, 24, -34, 50, -12, 20, 14, -10, 16])), ink) +
      cut(kit, ellipse(46, -36, 17), ink) +
      stroke("M60 -34L112 -26", accent, 8) +
      stroke("M-2 12V66M14 12V66", accent, 5) +
      cut(kit, smooth(knots([-20, 4, 20, 4, 10, 16, -10, 16])), paper),
    x,
    y,
    0,
    s,
  );
}

export function lowTide(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const channel = (x: number, w: number, color: string): string =>
    cut(
      kit,
      smooth([
        [x, 470],
        [x + 260, 560],
        [x - 120, 680],
        [x + 420, 830],
        [x - 60, 1300],
        [x - 60 + w * 3, 1300],
        [x + 420 + w * 1.6, 860],
        [x - 60 + w, 700],
        [x + 290 + w * 0.4, 560],
        [x + 8, 466],
      ]),
      color,
      { tone: pale, from: "top", density: 1.6, reach: 0.8 },
    );
  const ribs = times(8, (i) =>
    stroke(
      `M${1080 + i * 52} 620Q${1062 + i * 52} ${520 + (i % 3) * 26} ${1092 + i * 54} ${440 + Math.abs(i - 3) * 22}`,
      ink,
      17 - Math.abs(i - 3),
    ),
  );
  return (
    backdrop(kit, paper, { tone: mid, from: "bottom", density: 1, reach: 1 }) +
    cut(kit, ellipse(420, 300, 120), accent, { tone: mid, from: "bottom" }) +
    cut(kit, box(0, 430, WIDTH, 60), cool, { tone: ink, from: "top", reach: 0.9 }) +
    cut(kit, box(0, 470, WIDTH, 740), mid, { tone: paper, from: "top", density: 1.5, reach: 0.6 }) +
    channel(300, 190, cool) +
    channel(1420, 120, cool) +
    cut(kit, smooth(knots([960, 640, 1260, 600, 1560, 640, 1260, 670])), pale) +
    ribs +
    stroke("M1050 622Q1280 650 1540 616", ink, 20) +
    times(28, () =>
      stroke(
        `M${Math.round(between(kit, 0, WIDTH))} ${Math.round(between(kit, 520, 1180))}q40 -14 90 0`,
        accent,
        4,
        'opacity="0.4"',
      ),
    ) +
    wader(kit, 300, 960, 1.7) +
    wader(kit, 520, 1040, 1.9) +
    wader(kit, 950, 900, 1.3) +
    wader(kit, 1240, 1000, 1.6)
  );
}
