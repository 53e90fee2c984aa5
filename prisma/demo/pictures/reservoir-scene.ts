import {
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
  smooth,
  snip,
  stroke,
  times,
  knots,
} from "./kit.ts";
import type { Kit } from "./kit.ts";

function drownedHouse(kit: Kit, x: number, y: number, w: number, h: number, color: string): string {
  const { pale, cool } = kit.pal;
  const gable = poly([
    [x, y],
    [x, y - h],
    [x + w / 2, y - h - w * 0.42],
    [x + w, y - h],
    [x + w, y],
  ]);
  return (
    cut(kit, gable, color, { tone: cool, from: "bottom", density: 5, reach: 1 }) +
    cut(
      kit,
      snip(kit, x + w * 0.18, y - h * 0.8, w * 0.2, h * 0.28, 2) +
        snip(kit, x + w * 0.62, y - h * 0.8, w * 0.2, h * 0.28, 2) +
        snip(kit, x + w * 0.4, y - h * 0.42, w * 0.2, h * 0.42, 2),
      cool,
    ) +
    cut(kit, box(x + w * 0.72, y - h - w * 0.38, w * 0.1, w * 0.28), pale)
  );
}

export function reservoir(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const bridge = cut(
    kit,
    smooth(
      knots([
        700, 1070, 760, 1010, 900, 940, 1060, 940, 1200, 1010, 1260, 1070, 1150, 1070, 1080, 1010, 980, 984,
        880, 1010, 810, 1070,
      ]),
    ),
    pale,
    { tone: cool, from: "bottom" },
  );
  const bed = below(knots([-60, 960, 260, 1010, 560, 1060, 980, 1110, 1400, 1050, 1860, 960]));
  const houses =
    drownedHouse(kit, 190, 1020, 130, 110, pale) +
    drownedHouse(kit, 352, 1040, 150, 130, pale) +
    drownedHouse(kit, 530, 1066, 140, 100, pale) +
    drownedHouse(kit, 1330, 1060, 150, 120, pale) +
    drownedHouse(kit, 1500, 1040, 120, 150, pale);
  return (
    backdrop(kit, paper, { tone: mid, from: "top", density: 1.2 }) +
    cut(kit, ellipse(1180, 300, 130), accent, { tone: mid, from: "bottom" }) +
    cut(kit, below(ridge(kit, 380, 60, 1.6)), pale, { tone: cool, from: "top", reach: 0.3 }) +
    cut(kit, below(ridge(kit, 470, 46, 1.2)), mid, { tone: accent, from: "top", reach: 0.3 }) +
    cut(kit, poly(knots([300, 520, 300, 440, 350, 404, 400, 440, 400, 520])), ink) +
    cut(kit, box(330, 452, 20, 24), mid) +
    cut(kit, box(0, 540, WIDTH, 670), cool, { tone: ink, from: "bottom", density: 1.8, reach: 1 }) +
    times(13, (i) =>
      stroke(
        `M${Math.round(between(kit, -50, 1500))} ${556 + i * 17}h${Math.round(between(kit, 120, 420))}`,
        i % 3 ? pale : paper,
        5,
        'opacity="0.75"',
      ),
    ) +
    fade(cut(kit, ellipse(1180, 600, 110, 26), accent), 0.8) +
    cut(kit, bed, ink, { tone: pale, from: "top", density: 1, reach: 0.4 }) +
    houses +
    bridge +
    times(9, (i) => stroke(`M${-40 + i * 210} 1210L${300 + i * 150} 1120`, cool, 6, 'opacity="0.7"'))
  );
}
