import {
  WIDTH,
  backdrop,
  box,
  cut,
  ellipse,
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

function loaf(kit: Kit, x: number, y: number, rx: number, ry: number, kind: number): string {
  const { paper, pale, mid, accent, ink } = kit.pal;
  const crust = kind % 2 ? accent : mid;
  const slash = (i: number): string =>
    cut(
      kit,
      smooth([
        [x + (i - 1) * rx * 0.5 - rx * 0.2, y + ry * 0.3],
        [x + (i - 1) * rx * 0.5 - rx * 0.02, y - ry * 0.2],
        [x + (i - 1) * rx * 0.5 + rx * 0.2, y - ry * 0.66],
        [x + (i - 1) * rx * 0.5 + rx * 0.06, y - ry * 0.1],
      ]),
      paper,
      { tone: pale, from: "right", density: 9 },
    );
  const body = smooth([
    [x - rx, y + ry * 0.2],
    [x - rx * 0.8, y - ry * 0.8],
    [x, y - ry * 1.15],
    [x + rx * 0.8, y - ry * 0.8],
    [x + rx, y + ry * 0.2],
    [x + rx * 0.9, y + ry * 0.8],
    [x - rx * 0.9, y + ry * 0.8],
  ]);
  return cut(kit, body, crust, { tone: ink, from: "bottom", density: 3.4, reach: 0.7 }) + times(3, slash);
}

export function ryeLoaves(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const board = rounded(130, 930, 1540, 70, 30);
  const ear = (x: number, turn: number): string =>
    moved(
      stroke("M0 0V-560", mid, 9) +
        times(12, (i) =>
          moved(cut(kit, ellipse(0, -26, 13, 34), i % 3 ? mid : accent), 0, -320 - i * 24, i % 2 ? 32 : -32),
        ),
      x,
      940,
      turn,
    );
  return (
    backdrop(kit, cool, { tone: ink, from: "top", density: 1.5, reach: 0.8 }) +
    cut(kit, ellipse(900, 560, 430), pale, { tone: mid, from: "bottom", density: 1.8 }) +
    ear(300, -12) +
    ear(370, 2) +
    ear(1500, 8) +
    ear(1420, -4) +
    cut(kit, box(0, 980, WIDTH, 230), ink) +
    cut(kit, board, accent, { tone: ink, from: "bottom", density: 3 }) +
    loaf(kit, 1180, 800, 330, 170, 1) +
    loaf(kit, 700, 780, 380, 200, 0) +
    cut(kit, rounded(1440, 836, 70, 96, 24), paper) +
    cut(
      kit,
      smooth(knots([980, 900, 1000, 780, 1100, 740, 1220, 770, 1250, 900, 1220, 934, 1010, 934])),
      ink,
    ) +
    cut(
      kit,
      smooth(knots([1000, 896, 1016, 796, 1104, 762, 1206, 790, 1230, 894, 1200, 916, 1028, 916])),
      pale,
      { tone: mid, from: "bottom", density: 6, reach: 1 },
    )
  );
}

export function nightOven(kit: Kit): string {
  const { pale, mid, accent, cool, ink, paper } = kit.pal;
  const arch = (inset: number): string =>
    smooth([
      [330 + inset, 1500],
      [330 + inset, 700],
      [420 + inset, 330 + inset],
      [900, 210 + inset * 1.3],
      [1380 - inset, 330 + inset],
      [1470 - inset, 700],
      [1470 - inset, 1500],
    ]);
  const brick = times(13, (i) => {
    const a = Math.PI * (1 + (i + 0.5) / 13);
    return moved(
      cut(kit, snip(kit, -44, -62, 88, 124, 4), i % 2 ? cool : accent, {
        tone: ink,
        from: "bottom",
        density: 5,
      }),
      900 + Math.cos(a) * 640,
      860 + Math.sin(a) * 660,
      (a * 180) / Math.PI + 90,
    );
  });
  return (
    backdrop(kit, ink, { tone: cool, from: "top", density: 1.6, reach: 0.7 }) +
    brick +
    cut(kit, arch(0), ink) +
    cut(kit, arch(40), accent, { tone: mid, from: "bottom", density: 3.4, reach: 0.9 }) +
    cut(kit, ellipse(900, 900, 480, 330), mid, { tone: paper, from: "bottom", density: 2.4, reach: 0.6 }) +
    loaf(kit, 640, 730, 150, 84, 1) +
    loaf(kit, 1160, 730, 150, 84, 1) +
    loaf(kit, 900, 710, 150, 88, 1) +
    loaf(kit, 700, 890, 190, 108, 1) +
    loaf(kit, 1110, 890, 190, 108, 1) +
    cut(kit, box(0, 1000, WIDTH, 220), cool, { tone: ink, from: "bottom", density: 2.4, reach: 0.9 }) +
    cut(kit, box(0, 992, WIDTH, 18), pale) +
    cut(kit, poly(knots([860, 960, 940, 960, 958, 1220, 842, 1220])), pale, {
      tone: mid,
      from: "right",
      density: 4,
    }) +
    cut(kit, rounded(760, 900, 280, 84, 40), pale, { tone: mid, from: "bottom", density: 4 })
  );
}
