import {
  backdrop,
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

function ferryBoat(kit: Kit): string {
  const { paper, mid, accent, cool, ink } = kit.pal;
  const lit = (x: number, y: number, count: number, step: number): string =>
    times(count, (i) => cut(kit, rounded(x + i * step, y, step * 0.62, 26, 4), i % 7 === 4 ? accent : mid));
  return (
    cut(kit, poly(knots([-40, 150, 820, 150, 770, 236, 20, 236])), ink) +
    cut(kit, poly(knots([-34, 158, 814, 158, 806, 176, -24, 176])), accent) +
    cut(kit, snip(kit, 20, 84, 740, 70, 2), paper, { tone: cool, from: "bottom", reach: 0.5, density: 3 }) +
    lit(48, 106, 20, 34) +
    cut(kit, snip(kit, 90, 24, 560, 62, 2), paper, { tone: cool, from: "right", reach: 0.6, density: 3 }) +
    lit(118, 42, 15, 34) +
    cut(kit, poly(knots([140, 26, 160, -36, 330, -36, 350, 26])), paper) +
    lit(176, -20, 4, 38) +
    cut(kit, poly(knots([470, 26, 480, -70, 570, -70, 590, 26])), accent, {
      tone: ink,
      from: "right",
      density: 4,
    }) +
    cut(kit, box(478, -52, 98, 22), paper) +
    stroke("M244 -36V-120M210 -96H278", ink, 8)
  );
}

function traveller(kit: Kit, x: number, y: number): string {
  const { mid, accent, ink, paper } = kit.pal;
  const coat = smooth(knots([-40, 170, -52, 60, -34, -8, 0, -22, 34, -8, 50, 60, 40, 170, 0, 180]));
  return moved(
    cut(kit, box(-26, 160, 18, 90) + box(10, 160, 18, 90), ink) +
      cut(kit, coat, accent, { tone: ink, from: "right", density: 7, reach: 0.7 }) +
      cut(kit, ellipse(0, -52, 31, 34), paper) +
      cut(kit, smooth(knots([-36, -56, -26, -98, 22, -100, 36, -60, 0, -66])), mid) +
      cut(kit, rounded(58, 178, 104, 72, 14), mid) +
      stroke("M86 180Q110 140 134 180", paper, 8),
    x,
    y,
  );
}

export function lastFerry(kit: Kit): string {
  const { paper, pale, mid, cool, ink } = kit.pal;
  const quay = poly(knots([-20, 1020, 620, 1000, 1010, 1036, 1060, 1220, -20, 1220]));
  return (
    backdrop(kit, cool, { tone: ink, from: "top", density: 2.2, reach: 1 }) +
    stars(kit, 46, 380) +
    cut(kit, ellipse(1240, 300, 190), paper, { tone: mid, from: "bottom", density: 2, reach: 0.8 }) +
    cut(kit, smooth(knots([-200, 640, 0, 520, 260, 470, 480, 560, 760, 600, 900, 680, -200, 700])), ink, {
      tone: cool,
      from: "top",
      reach: 0.5,
    }) +
    times(7, (i) => cut(kit, ellipse(90 + i * 76 + (i % 3) * 14, 600 + (i % 2) * 18, 6), mid)) +
    sea(kit, 640, [cool, cool, cool], pale) +
    glitter(kit, 1240, 690, 1130, 330, paper) +
    moved(ferryBoat(kit), 820, 500, 0, 0.92) +
    times(14, (i) => cut(kit, rounded(830 + i * 48, 738 + ((i * 37) % 90), 30, 9, 4), mid)) +
    cut(kit, quay, ink, { tone: pale, from: "top", density: 1.1, reach: 0.4 }) +
    stroke("M150 1010V500Q150 430 230 430", ink, 18) +
    fade(cut(kit, poly(knots([230, 446, 60, 1016, 470, 1004])), mid), 0.16) +
    cut(kit, smooth(knots([190, 452, 200, 412, 262, 412, 272, 452])), mid) +
    cut(kit, rounded(700, 958, 74, 74, 20) + rounded(682, 944, 110, 28, 14), ink, {
      tone: mid,
      from: "left",
      density: 6,
      reach: 0.4,
    }) +
    traveller(kit, 430, 772)
  );
}
