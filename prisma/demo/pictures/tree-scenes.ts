import {
  HEIGHT,
  WIDTH,
  backdrop,
  below,
  between,
  blob,
  box,
  curve,
  cut,
  ellipse,
  moved,
  poly,
  ridge,
  smooth,
  snip,
  stroke,
  times,
  tree,
  knots,
} from "./kit.ts";
import type { Kit, Point } from "./kit.ts";
import { sun } from "./land-parts.ts";

export function carParkForest(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const trunk = (x: number, y: number, w: number, color: string): string =>
    cut(
      kit,
      poly([
        [x - w * 0.4, -20],
        [x + w * 0.4, -20],
        [x + w * 0.6, y],
        [x - w * 0.6, y],
      ]),
      color,
      { tone: color === ink ? cool : ink, from: "right", density: 3, reach: 0.8 },
    );
  const bays = times(8, (i) =>
    stroke(`M${900 + (i - 3.5) * 190} 800L${900 + (i - 3.5) * 460} 1220`, paper, 9 + Math.abs(i - 3.5)),
  );
  const moss = times(22, () =>
    cut(
      kit,
      blob(
        kit,
        between(kit, 0, WIDTH),
        between(kit, 850, 1180),
        between(kit, 40, 150),
        between(kit, 14, 34),
        0.2,
      ),
      cool,
    ),
  );
  return (
    backdrop(kit, pale, { tone: mid, from: "top", density: 1.8 }) +
    cut(kit, ellipse(1060, 430, 230), paper, { tone: mid, from: "bottom", density: 1.6 }) +
    times(11, (i) => trunk(60 + i * 168 + between(kit, -40, 40), 800, 30, cool)) +
    cut(kit, box(0, 790, WIDTH, 420), ink, { tone: cool, from: "top", density: 1.6 }) +
    bays +
    moss +
    times(4, (i) => trunk([150, 560, 1330, 1660][i] ?? 0, 930 + ((i * 97) % 150), 74, i % 2 ? ink : accent)) +
    times(26, () =>
      cut(
        kit,
        blob(kit, between(kit, -40, 1840), between(kit, -30, 210), 130, 84, 0.2, 9),
        kit.rnd() > 0.45 ? cool : ink,
        { tone: mid, from: "top", density: 1.4, reach: 0.4 },
      ),
    ) +
    times(13, () =>
      cut(
        kit,
        blob(kit, between(kit, 60, 1740), between(kit, 330, 1120), 17, 11, 0.2, 6),
        kit.rnd() > 0.5 ? accent : mid,
      ),
    )
  );
}

function persimmon(kit: Kit, x: number, y: number): string {
  const { paper, mid, accent } = kit.pal;
  const snow = `M${x - 34} ${y - 26}Q${x} ${y - 64} ${x + 34} ${y - 26}Q${x} ${y - 12} ${x - 34} ${y - 26}Z`;
  return (
    cut(kit, ellipse(x, y, 44, 40), accent, { tone: mid, from: "left", reach: 0.5, density: 6 }) +
    cut(kit, snow, paper)
  );
}

export function snowGarden(kit: Kit): string {
  const { paper, pale, mid, cool, ink } = kit.pal;
  const fruit: readonly Point[] = knots([
    640, 420, 760, 300, 900, 380, 1030, 250, 1130, 420, 520, 330, 980, 520, 690, 560,
  ]);
  const bird = smooth(knots([0, 0, 60, -44, 120, -40, 160, -14, 118, 14, 60, 40, -70, 70, -96, 52]));
  return (
    backdrop(kit, cool, { tone: paper, from: "bottom", density: 1.5, reach: 1 }) +
    cut(kit, below(ridge(kit, 800, 50, 1.6)), pale, {
      tone: cool,
      from: "bottom",
      reach: 0.9,
      density: 0.9,
    }) +
    times(
      2,
      (i) =>
        cut(
          kit,
          poly([
            [220 + i * 1180, 840],
            [300 + i * 1180, 770],
            [380 + i * 1180, 840],
          ]),
          paper,
        ) + cut(kit, snip(kit, 244 + i * 1180, 838, 112, 70), ink),
    ) +
    cut(kit, below(ridge(kit, 930, 30, 1.3)), paper, { tone: pale, from: "bottom", reach: 0.9 }) +
    tree(kit, 880, 1010, 1250, ink) +
    cut(kit, below(knots([-60, 1060, 500, 1010, 880, 950, 1300, 1010, 1860, 1070])), paper) +
    stroke("M1240 640Q1420 600 1560 612T1830 560M1560 612L1660 680", ink, 16) +
    fruit.map(([x, y]) => persimmon(kit, x, y)).join("") +
    moved(
      cut(kit, bird, ink) + cut(kit, ellipse(128, -22, 8), paper) + stroke("M158 -14l26 6", mid, 9),
      1420,
      560,
      0,
      1,
    ) +
    [8, 13, 19]
      .map((size) =>
        stroke(
          times(56, () => `M${Math.round(between(kit, 0, WIDTH))} ${Math.round(between(kit, 0, HEIGHT))}z`),
          paper,
          size,
        ),
      )
      .join("")
  );
}

export function birdsOnWires(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const wireY = (wire: number, x: number): number =>
    330 + wire * 130 + Math.pow((x - 900) / 900, 2) * -46 + wire * x * 0.012;
  const wire = (i: number): string =>
    stroke(
      curve(Array.from({ length: 13 }, (_, k): Point => [k * 160 - 60, wireY(i, k * 160 - 60)])),
      ink,
      7,
    );
  const bird = (x: number, y: number, flip: number): string =>
    `<g transform="translate(${Math.round(x)} ${Math.round(y)}) scale(${flip} 1)">${cut(
      kit,
      smooth(
        knots([-16, -74, 14, -84, 40, -66, 34, -20, 10, 6, -12, 20, -58, 84, -64, 76, -34, 8, -30, -40]),
      ),
      ink,
    )}${cut(kit, smooth(knots([8, -70, 40, -62, 34, -36, 14, -34])), accent)}${cut(
      kit,
      smooth(knots([30, -30, 32, 0, 4, 8, 14, -30])),
      paper,
    )}</g>`;
  const perch = (i: number, count: number, from: number, to: number): string =>
    times(count, (k) => {
      const x = from + ((to - from) / count) * (k + kit.rnd() * 0.55);
      return bird(x, wireY(i, x), kit.rnd() > 0.4 ? 1 : -1);
    });
  return (
    backdrop(kit, pale, { tone: mid, from: "bottom", density: 1.4, reach: 1 }) +
    sun(kit, 1240, 640, 300, accent, mid) +
    cut(kit, below(ridge(kit, 1040, 26, 1.2)), cool, { tone: ink, from: "bottom", reach: 0.9 }) +
    cut(kit, snip(kit, 1500, 190, 40, 1100), ink) +
    cut(kit, snip(kit, 1400, 270, 240, 30) + snip(kit, 1420, 520, 200, 26), ink) +
    times(5, wire) +
    perch(2, 11, 110, 950) +
    perch(0, 2, 700, 1300) +
    perch(1, 1, 1020, 1200) +
    perch(3, 2, 250, 1250) +
    perch(2, 1, 1190, 1300)
  );
}
