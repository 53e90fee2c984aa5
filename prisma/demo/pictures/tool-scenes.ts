import {
  HEIGHT,
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

export function bicycleWheel(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const spokes = times(32, (i) => {
    const hub = (i / 32) * Math.PI * 2 + (i % 2 ? 1 : -1) * 1.3;
    const rim = (i / 32) * Math.PI * 2;
    const color = i === 27 ? accent : i % 2 ? paper : ink;
    return stroke(
      `M${Math.round(960 + Math.cos(hub) * 62)} ${Math.round(600 + Math.sin(hub) * 62)}L${Math.round(960 + Math.cos(rim) * 462)} ${Math.round(600 + Math.sin(rim) * 462)}`,
      color,
      i === 27 ? 11 : 6,
    );
  });
  const key =
    cut(kit, ellipse(0, 0, 78), ink, { tone: cool, from: "bottom", density: 5 }) +
    cut(kit, ellipse(0, 0, 24), mid) +
    times(8, (i) => moved(cut(kit, box(-10, -92, 20, 34), mid), 0, 0, i * 45));
  return (
    backdrop(kit, mid, { tone: accent, from: "right", density: 1.3 }) +
    cut(kit, poly(knots([0, 0, 820, 0, 420, 1200, 0, 1200])), cool, {
      tone: ink,
      from: "left",
      density: 1.6,
    }) +
    fade(stroke(ellipse(990, 640, 500), ink, 52), 0.22) +
    spokes +
    stroke(ellipse(960, 600, 508), ink, 58) +
    stroke(ellipse(960, 600, 474), paper, 14) +
    cut(kit, ellipse(960, 600, 78), accent, { tone: ink, from: "bottom", density: 6 }) +
    cut(kit, ellipse(960, 600, 34), paper) +
    cut(kit, ellipse(960, 600, 15), ink) +
    stroke("M1320 220L1352 188", accent, 22) +
    moved(key, 260, 940, 12) +
    cut(kit, ellipse(300, 300, 20) + ellipse(380, 250, 20) + ellipse(340, 370, 20), pale)
  );
}

export function hungTools(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const shadow = (d: string): string => fade(moved(cut(kit, d, ink), 22, 20), 0.35);
  const pole = (x: number, h: number): string => snip(kit, x - 15, 190, 30, h, 3);
  const bristles = smooth(knots([240, 760, 400, 760, 450, 1010, 410, 1040, 230, 1040, 190, 1010]));
  const peel = smooth(knots([640, 130, 860, 130, 880, 330, 860, 480, 640, 480, 620, 330]));
  const scraper = box(1010, 380, 250, 170);
  const pegs = [320, 750, 1135, 1390, 1590]
    .map((x) => cut(kit, ellipse(x, 170, 20), ink) + cut(kit, ellipse(x - 4, 165, 8), pale))
    .join("");
  const key =
    stroke(ellipse(1590, 300, 52), accent, 24) +
    stroke("M1590 352V600M1590 560H1646M1590 500H1630", accent, 24);
  return (
    backdrop(kit, pale, { tone: mid, from: "bottom", density: 1.8, reach: 0.8 }) +
    times(9, (i) => stroke(`M0 ${104 + i * 110}H1800`, mid, 4, 'opacity="0.5"')) +
    cut(kit, box(0, 1070, WIDTH, HEIGHT - 1070), ink, { tone: paper, from: "top", density: 2, reach: 0.9 }) +
    shadow(pole(320, 600)) +
    shadow(bristles) +
    shadow(peel) +
    shadow(scraper) +
    cut(kit, pole(320, 600), accent, { tone: ink, from: "right", density: 6 }) +
    cut(kit, bristles, mid, { tone: ink, from: "bottom", density: 4 }) +
    times(7, (i) => stroke(`M${252 + i * 22} 800L${216 + i * 34} 1020`, ink, 4)) +
    stroke("M226 800H414", accent, 18) +
    cut(kit, snip(kit, 734, 440, 32, 580, 3), cool) +
    cut(kit, peel, cool, { tone: ink, from: "right", density: 3 }) +
    cut(kit, ellipse(750, 190, 20), pale) +
    cut(kit, scraper, paper, { tone: cool, from: "bottom", density: 3 }) +
    cut(kit, rounded(1000, 320, 270, 84, 30), ink) +
    stroke("M1135 330V190", ink, 8) +
    cut(kit, rounded(1364, 200, 52, 470, 26), paper) +
    cut(kit, ellipse(1390, 690, 48), accent) +
    cut(kit, rounded(1379, 400, 22, 290, 10), accent) +
    times(9, (i) => stroke(`M1424 ${260 + i * 42}h${i % 2 ? 18 : 32}`, ink, 6)) +
    key +
    pegs +
    times(60, () =>
      cut(kit, ellipse(between(kit, 480, 1700), between(kit, 1084, 1190), between(kit, 2, 7)), paper),
    )
  );
}
