import {
  WIDTH,
  backdrop,
  below,
  between,
  box,
  curve,
  cut,
  ellipse,
  fade,
  pick,
  poly,
  ridge,
  rounded,
  smooth,
  snip,
  stroke,
  times,
  knots,
} from "./kit.ts";
import type { Kit, Point } from "./kit.ts";

export function contourSheet(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const phases = Array.from({ length: 6 }, () => kit.rnd() * 6.28);
  const peak = (x: number, y: number, r: number, seed: number, squash: number): string =>
    smooth(
      Array.from({ length: 32 }, (_, i): Point => {
        const a = (i / 32) * Math.PI * 2;
        const p = phases[seed] ?? 0;
        const wob =
          1 +
          Math.sin(a * 2 + p) * 0.16 +
          Math.sin(a * 3 + p * 2) * 0.1 +
          Math.sin(a * 7 + p + r * 0.004) * 0.045;
        return [x + Math.cos(a) * r * wob, y + Math.sin(a) * r * wob * squash];
      }),
    );
  const level = (i: number): string => {
    const fill = pick([pale, pale, mid, mid, mid, accent, accent, accent, paper, paper], i, paper);
    const rings =
      peak(560 + i * 6, 560, 640 - i * 72, 0, 0.8) +
      (i < 8 ? peak(1330, 640 - i * 5, 560 - i * 72, 1, 0.9) : "") +
      (i < 5 ? peak(980, 1130, 330 - i * 66, 2, 0.7) : "") +
      (i < 4 ? peak(1620, 130, 300 - i * 70, 3, 0.8) : "");
    return stroke(rings, ink, i % 5 === 0 ? 13 : 7) + cut(kit, rings, fill);
  };
  return (
    backdrop(kit, cool, { tone: paper, from: "left", density: 1.4, reach: 0.9 }) +
    times(9, level) +
    stroke("M920 -20Q960 140 900 260T960 520T900 800T1240 980T1330 1220", cool, 24) +
    stroke("M900 800Q700 960 700 1220", cool, 15) +
    cut(kit, poly(knots([586, 520, 626, 590, 546, 590])), ink) +
    cut(kit, poly(knots([1330, 560, 1364, 620, 1296, 620])), ink) +
    stroke("M-20 1060Q340 1080 560 1010T900 940T1240 860T1820 900", ink, 8, 'stroke-dasharray="30 20"')
  );
}

export function towpathOrbits(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const radii = [420, 540, 680, 820, 1060, 1330, 1580];
  const orbit = radii.map((r) => stroke(ellipse(120, 560, r, r), cool, 5)).join("");
  const place = (i: number, angle: number): Point => [
    120 + Math.cos(angle) * (radii[i] ?? 0),
    560 + Math.sin(angle) * (radii[i] ?? 0),
  ];
  const planet = (i: number, angle: number, r: number, hue: string, tone: string): string => {
    const [x, y] = place(i, angle);
    return cut(kit, ellipse(x, y, r), hue, { tone, from: "right", density: 7, reach: 0.7 });
  };
  const [sx, sy] = place(5, -0.2);
  return (
    backdrop(kit, ink, { tone: cool, from: "right", density: 1, reach: 0.9 }) +
    times(70, () =>
      cut(kit, ellipse(between(kit, 0, WIDTH), between(kit, 0, 1000), between(kit, 2, 5)), paper),
    ) +
    orbit +
    cut(kit, ellipse(120, 560, 320), mid, { tone: accent, from: "left", density: 1.6, reach: 0.8 }) +
    planet(0, -0.5, 15, pale, ink) +
    planet(1, 0.34, 28, mid, accent) +
    planet(2, -0.62, 34, cool, paper) +
    planet(3, 0.1, 24, accent, ink) +
    planet(4, -0.42, 104, accent, mid) +
    stroke("M1010 100Q1080 130 1172 118M990 146Q1090 176 1184 156", paper, 10) +
    stroke(ellipse(sx, sy, 150, 36), pale, 14) +
    planet(5, -0.2, 80, mid, accent) +
    stroke(
      `M${Math.round(sx) - 150} ${Math.round(sy)}Q${Math.round(sx)} ${Math.round(sy) + 70} ${Math.round(sx) + 150} ${Math.round(sy)}`,
      pale,
      14,
    ) +
    planet(6, 0.14, 52, cool, paper) +
    cut(kit, below(ridge(kit, 1060, 14, 1.4)), cool, { tone: ink, from: "bottom", reach: 0.9 }) +
    cut(kit, poly(knots([-20, 1130, 1820, 1110, 1820, 1160, -20, 1190])), pale) +
    times(
      5,
      (i) =>
        cut(kit, box(380 + i * i * 76, 1020 - i * 3, 16, 120), paper) +
        cut(kit, ellipse(388 + i * i * 76, 1010 - i * 3, 22), accent),
    )
  );
}

export function seismogram(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const trace = (row: number): string => {
    const base = 150 + row * 62;
    const points = Array.from({ length: 92 }, (_, i): Point => {
      const x = 330 + i * 14;
      const quake =
        row === 8
          ? 150 * Math.exp(-Math.pow((i - 44) / 9, 2)) + 96 * Math.exp(-Math.pow((i - 68) / 12, 2))
          : row === 9
            ? 56 * Math.exp(-i / 30)
            : 0;
      const train = row % 5 === 2 ? 22 * Math.exp(-Math.pow((i - 26) / 6, 2)) : 0;
      return [
        x,
        base +
          Math.sin(i * 0.7 + row) * 4 +
          (i % 2 ? 1 : -1) * (kit.rnd() * 5 + (quake + train) * (0.55 + kit.rnd() * 0.45)),
      ];
    });
    return stroke(curve(points), row === 8 ? accent : ink, row === 8 ? 8 : 5);
  };
  return (
    backdrop(kit, cool, { tone: ink, from: "left", density: 1.6, reach: 0.9 }) +
    fade(cut(kit, snip(kit, 290, 104, 1370, 1020, 4), ink), 0.6) +
    cut(kit, snip(kit, 260, 70, 1370, 1020, 4), paper, {
      tone: pale,
      from: "bottom",
      density: 2,
      reach: 0.8,
    }) +
    times(9, (i) => stroke(`M${400 + i * 136} 80V1080`, pale, 5)) +
    times(15, trace) +
    cut(kit, rounded(120, 40, 150, 1090, 40), ink, { tone: cool, from: "left", density: 4 }) +
    times(12, (i) => cut(kit, box(150, 90 + i * 86, 90, 12), cool)) +
    cut(kit, poly(knots([1800, 560, 1440, 634, 1436, 650, 1800, 620])), mid, {
      tone: accent,
      from: "bottom",
      density: 6,
    }) +
    cut(kit, ellipse(1440, 642, 13), ink)
  );
}
