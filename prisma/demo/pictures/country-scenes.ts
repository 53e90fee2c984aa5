import {
  HEIGHT,
  WIDTH,
  backdrop,
  below,
  between,
  blob,
  box,
  cut,
  ellipse,
  moved,
  pick,
  poly,
  ridge,
  rounded,
  smooth,
  snip,
  stroke,
  times,
  tree,
  knots,
} from "./kit.ts";
import type { Kit, Point } from "./kit.ts";
import { range, sun } from "./land-parts.ts";

function cottage(kit: Kit, x: number, y: number, wall: string): string {
  const { ink } = kit.pal;
  return (
    cut(kit, box(x, y - 50, 64, 60), wall) +
    cut(
      kit,
      poly([
        [x - 8, y - 48],
        [x + 32, y - 88],
        [x + 72, y - 48],
      ]),
      ink,
    )
  );
}

export function kitchenHill(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const far: Point[] = knots([-200, 900, 0, 760, 420, 600, 860, 420, 1080, 380, 1180, 470, 1270, 480]);
  const whole = smooth([
    ...far,
    [1340, 400],
    [1450, 560],
    [1620, 740],
    [2000, 820],
    [2000, 1400],
    [-200, 1400],
  ]);
  const near = below(ridge(kit, 880, 40, 2));
  const field = below(ridge(kit, 980, 26, 3));
  const bars = box(876, 0, 34, 960) + box(0, 0, 70, HEIGHT) + box(1730, 0, 70, HEIGHT) + box(0, 0, WIDTH, 56);
  const sill = snip(kit, -20, 960, 1840, 260, 6);
  return (
    backdrop(kit, pale, { tone: paper, from: "bottom", density: 1.2 }) +
    sun(kit, 1330, 330, 170, accent, mid) +
    cut(kit, whole, cool, { tone: ink, from: "right", density: 1.6, reach: 0.6 }) +
    cut(kit, near, mid, { tone: accent, from: "top", reach: 0.3 }) +
    cut(kit, field, pale) +
    times(4, (i) => cottage(kit, 1370 + i * 92, 890 - (i % 2) * 16, i % 2 ? paper : accent)) +
    cut(kit, bars, ink) +
    cut(kit, sill, ink, { tone: cool, from: "top", density: 1, reach: 0.5 }) +
    cut(kit, rounded(400, 812, 190, 200, 40), paper, { tone: mid, from: "right", reach: 0.6 }) +
    stroke("M590 860Q680 870 660 930Q650 970 580 962", paper, 26) +
    cut(kit, ellipse(1180, 1000, 190, 34), cool) +
    cut(kit, blob(kit, 1120, 938, 74, 68, 0.05), accent, { tone: ink, from: "right", reach: 0.5 }) +
    cut(kit, blob(kit, 1248, 946, 66, 60, 0.05), mid, { tone: accent, from: "right", reach: 0.6 })
  );
}

export function busRoad(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const road = smooth(
    knots([
      1900, 1010, 1200, 1060, 620, 930, 900, 800, 1150, 760, 1160, 775, 1000, 820, 860, 920, 1300, 1010, 1900,
      900,
    ]),
  );
  const window = (i: number): string =>
    cut(kit, rounded(36 + i * 92, 44, 72, 82, 8), paper) +
    times(4, (b) =>
      cut(
        kit,
        box(42 + i * 92 + b * 16, 84 - (b % 3) * 8, 12, 42 + (b % 3) * 8),
        pick([accent, cool, mid, ink], b + i, ink),
      ),
    );
  const bus =
    cut(kit, rounded(0, 0, 520, 250, 36), mid, { tone: accent, from: "bottom", reach: 0.5 }) +
    times(5, window) +
    stroke("M0 168H520", paper, 12) +
    cut(kit, ellipse(110, 252, 48) + ellipse(410, 252, 48), ink) +
    cut(kit, ellipse(110, 252, 18) + ellipse(410, 252, 18), pale);
  return (
    backdrop(kit, paper, { tone: pale, from: "top", density: 1.8 }) +
    sun(kit, 400, 330, 150, accent, mid) +
    range(kit, 440, [pale, cool, mid], 60) +
    cut(kit, road, paper, { tone: pale, from: "left", reach: 1 }) +
    moved(bus, 640, 690, -2) +
    cut(kit, below(knots([-60, 1090, 500, 1040, 1000, 1120, 1860, 1040])), ink, {
      tone: cool,
      from: "top",
      reach: 0.6,
    }) +
    tree(kit, 330, 1110, 620, ink)
  );
}

export function gardenRows(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const rows = times(9, (i) =>
    cut(
      kit,
      poly([
        [900 + (i - 4.5) * 100, 520],
        [900 + (i - 3.5) * 100, 520],
        [900 + (i - 3.5) * 460, 1220],
        [900 + (i - 4.5) * 460, 1220],
      ]),
      i % 2 ? mid : ink,
      { tone: i % 2 ? accent : cool, from: "bottom", density: 0.8 },
    ),
  );
  const tuft = (x: number, y: number, s: number, color: string): string =>
    cut(
      kit,
      times(5, (i) =>
        smooth([
          [x, y],
          [x + (i - 2) * s * 0.5 - s * 0.18, y - s * 0.6],
          [x + (i - 2) * s * 0.7, y - s * (1.1 - Math.abs(i - 2) * 0.18)],
          [x + (i - 2) * s * 0.36 + s * 0.1, y - s * 0.4],
        ]),
      ),
      color,
    );
  const rowX = (row: number, y: number): number => 900 + (row - 4) * (100 + ((y - 520) / 700) * 360);
  const planted = times(7, (k) =>
    times(5, (c) => {
      const y = 560 + k * k * 14;
      return tuft(rowX(c * 2, y), y, 26 + k * 13, (k + c) % 2 ? cool : pale);
    }),
  );
  return (
    backdrop(kit, pale, { tone: paper, from: "bottom", density: 1.4 }) +
    range(kit, 330, [cool, ink], 40) +
    cut(kit, box(0, 510, WIDTH, 700), mid) +
    rows +
    planted +
    beanPoles(kit, 420) +
    beanPoles(kit, 1380) +
    sun(kit, 1130, 210, 96, accent, mid)
  );
}

function beanPoles(kit: Kit, x: number): string {
  const { paper, pale, accent, cool } = kit.pal;
  const poles = [-150, -50, 50, 150]
    .map((dx) => stroke(`M${x + dx} 860L${x + dx * 0.12} 270`, paper, 13))
    .join("");
  const leaves = times(34, (i) => {
    const t = i / 34;
    const px = x + between(kit, -140, 140) * (1 - t * 0.78);
    return cut(
      kit,
      blob(kit, px, 840 - t * 500, 34 - t * 12, 26 - t * 8, 0.2, 6),
      i % 6 === 0 ? accent : i % 3 ? cool : pale,
    );
  });
  return poles + leaves;
}
