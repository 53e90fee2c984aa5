import {
  WIDTH,
  backdrop,
  between,
  blob,
  box,
  cut,
  ellipse,
  fade,
  moved,
  poly,
  rounded,
  stroke,
  times,
} from "./kit.ts";
import type { Kit } from "./kit.ts";

function glass(kit: Kit): string {
  const { paper, accent, cool, ink } = kit.pal;
  return (
    cut(
      kit,
      "M1448 650L1592 650Q1550 740 1580 810Q1610 900 1560 926L1480 926Q1430 900 1460 810Q1490 740 1448 650Z",
      accent,
      { tone: ink, from: "right", density: 5 },
    ) +
    stroke("M1452 640H1588", paper, 10) +
    cut(kit, ellipse(1520, 930, 140, 26), paper, { tone: cool, from: "bottom", density: 4 })
  );
}

export function goldenRice(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const side = "M520 466L492 800Q900 930 1308 800L1280 466Z";
  const crust = times(26, () =>
    cut(
      kit,
      blob(
        kit,
        between(kit, 590, 1210),
        between(kit, 406, 520),
        between(kit, 12, 44),
        between(kit, 6, 13),
        0.3,
        7,
      ),
      accent,
    ),
  );
  const berries = times(34, (i) => {
    const a = i * 2.4;
    const r = Math.sqrt(i) * 21;
    return cut(
      kit,
      ellipse(900 + Math.cos(a) * r * 1.7, 440 + Math.sin(a) * r * 0.42, 15, 12),
      i % 5 === 3 ? cool : accent,
      { tone: ink, from: "bottom", density: 14 },
    );
  });
  const streak = times(17, (i) =>
    stroke(
      `M${536 + i * 46} ${560 + (i % 3) * 24}v${120 + (i % 4) * 34}`,
      i % 3 ? paper : accent,
      7,
      'opacity="0.55"',
    ),
  );
  return (
    backdrop(kit, cool, { tone: ink, from: "top", density: 1.8, reach: 1 }) +
    cut(kit, ellipse(900, 500, 470), ink) +
    cut(kit, box(0, 800, WIDTH, 410), ink) +
    tableTiles(kit) +
    fade(cut(kit, ellipse(920, 946, 640, 80), ink), 0.6) +
    cut(kit, ellipse(900, 880, 610, 118), paper, { tone: cool, from: "bottom", density: 2.4, reach: 0.5 }) +
    stroke(ellipse(900, 872, 520, 88), accent, 9) +
    cut(kit, side, mid, { tone: accent, from: "right", density: 3, reach: 0.6 }) +
    streak +
    cut(kit, ellipse(900, 466, 380, 92), mid, { tone: accent, from: "bottom", density: 3.4, reach: 0.5 }) +
    crust +
    berries +
    cut(kit, blob(kit, 1150, 494, 42, 15, 0.1), ink) +
    glass(kit) +
    phone(kit, 220, 800, pale)
  );
}

function tableTiles(kit: Kit): string {
  const { cool, accent } = kit.pal;
  return (
    times(13, (i) =>
      cut(
        kit,
        poly([
          [i * 150 - 60, 1086],
          [i * 150, 1046],
          [i * 150 + 60, 1086],
          [i * 150, 1126],
        ]),
        i % 2 ? accent : cool,
      ),
    ) + stroke("M-20 1020H1820M-20 1152H1820", cool, 10)
  );
}

function phone(kit: Kit, x: number, y: number, tone: string): string {
  const { ink, mid, cool, paper } = kit.pal;
  const bars = [30, 62, 110, 74, 128, 54, 96, 40, 70, 24]
    .map((h, i) => stroke(`M${34 + i * 18} ${170 - h / 2}v${h}`, i < 6 ? mid : tone, 9))
    .join("");
  return moved(
    cut(kit, rounded(-8, -8, 246, 386, 40), paper) +
      cut(kit, rounded(8, 8, 214, 354, 28), ink, { tone: cool, from: "top", density: 3 }) +
      bars +
      cut(kit, ellipse(115, 300, 26), mid),
    x - 70,
    y - 260,
    -9,
  );
}
