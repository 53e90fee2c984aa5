import {
  WIDTH,
  backdrop,
  below,
  between,
  cut,
  ellipse,
  pick,
  poly,
  ridge,
  smooth,
  snip,
  stroke,
  times,
  knots,
} from "./kit.ts";
import type { Kit, Point } from "./kit.ts";

export function saltCrystals(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const cube = (x: number, y: number, s: number): string =>
    cut(
      kit,
      poly([
        [x, y - s],
        [x + s * 0.87, y - s / 2],
        [x, y],
        [x - s * 0.87, y - s / 2],
      ]),
      paper,
    ) +
    cut(
      kit,
      poly([
        [x - s * 0.87, y - s / 2],
        [x, y],
        [x, y + s],
        [x - s * 0.87, y + s / 2],
      ]),
      pale,
      { tone: cool, from: "bottom", density: 2.6 },
    ) +
    cut(
      kit,
      poly([
        [x + s * 0.87, y - s / 2],
        [x, y],
        [x, y + s],
        [x + s * 0.87, y + s / 2],
      ]),
      cool,
      { tone: ink, from: "bottom", density: 2.6 },
    );
  const heap: readonly Point[] = knots([
    760, 560, 1080, 590, 560, 720, 930, 730, 1270, 760, 740, 880, 1110, 900,
  ]);
  return (
    backdrop(kit, ink, { tone: cool, from: "bottom", density: 1.8, reach: 0.9 }) +
    cut(kit, ellipse(930, 560, 430), accent, { tone: mid, from: "bottom", density: 2 }) +
    heap.map(([x, y], i) => cube(x, y, [180, 150, 130, 210, 140, 190, 170][i] ?? 150)).join("") +
    times(40, () => cube(between(kit, 180, 1640), between(kit, 1000, 1160), between(kit, 7, 26))) +
    cube(330, 940, 70) +
    cube(1500, 930, 86)
  );
}

export function mushroomGround(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const cap = (x: number, y: number, r: number, color: string): string =>
    cut(
      kit,
      smooth([
        [x - r * 0.26, y],
        [x + r * 0.26, y],
        [x + r * 0.2, y + r],
        [x + r * 0.36, y + r * 2],
        [x - r * 0.36, y + r * 2],
        [x - r * 0.16, y + r],
      ]),
      paper,
      { tone: mid, from: "right", density: 5 },
    ) +
    cut(kit, ellipse(x, y + r * 0.06, r * 0.86, r * 0.2), ink) +
    cut(
      kit,
      smooth([
        [x - r * 1.2, y + r * 0.16],
        [x - r, y - r * 0.6],
        [x, y - r * 1.1],
        [x + r, y - r * 0.6],
        [x + r * 1.2, y + r * 0.16],
        [x, y - r * 0.06],
      ]),
      color,
      { tone: ink, from: "right", density: 4, reach: 0.6 },
    );
  return (
    backdrop(kit, pale, { tone: mid, from: "top", density: 1.4 }) +
    times(7, (i) =>
      cut(kit, snip(kit, -30 + i * 290, -20, 90 + (i % 3) * 34, 1000, 14), i % 2 ? cool : ink, {
        tone: i % 2 ? ink : cool,
        from: "right",
        density: 1.6,
      }),
    ) +
    cut(kit, below(ridge(kit, 850, 40, 1.5)), mid, { tone: accent, from: "top", density: 1.5, reach: 0.5 }) +
    cap(380, 620, 150, accent) +
    cap(1440, 600, 170, cool) +
    cap(760, 500, 220, mid) +
    cap(1110, 690, 140, accent) +
    times(5, (i) => cut(kit, ellipse(300 + i * 42, 560 - (i % 3) * 34, 13, 9), paper)) +
    cut(kit, below(ridge(kit, 980, 30, 1.8)), ink, { tone: cool, from: "top", density: 1.8, reach: 0.5 }) +
    cap(560, 930, 66, paper) +
    cap(650, 970, 50, pale) +
    cap(1280, 950, 60, mid) +
    times(34, (i) =>
      stroke(
        `M${Math.round(between(kit, 0, WIDTH))} ${Math.round(between(kit, 1020, 1180))}l${i % 2 ? 70 : -60} -${10 + (i % 4) * 9}`,
        pick([cool, mid, accent], i, mid),
        6,
      ),
    )
  );
}
