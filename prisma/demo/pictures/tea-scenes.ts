import {
  backdrop,
  blob,
  box,
  cut,
  ellipse,
  fade,
  moved,
  rounded,
  smooth,
  snip,
  stroke,
  times,
  knots,
} from "./kit.ts";
import type { Kit } from "./kit.ts";
import { room, steam } from "./table-parts.ts";

export function waitingTea(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const glass = (x: number, y: number): string =>
    cut(
      kit,
      smooth([
        [x - 52, y - 140],
        [x + 52, y - 140],
        [x + 36, y - 60],
        [x + 60, y + 10],
        [x - 60, y + 10],
        [x - 36, y - 60],
      ]),
      accent,
      { tone: ink, from: "right", density: 6, reach: 0.5 },
    ) +
    stroke(`M${x - 46} ${y - 146}H${x + 46}`, paper, 8) +
    cut(kit, ellipse(x, y + 18, 92, 17), paper);
  return (
    room(kit, cool, mid, paper, cool, 880) +
    cut(kit, ellipse(900, 1010, 800, 120), mid, { tone: accent, from: "bottom", density: 2 }) +
    cut(kit, ellipse(900, 996, 770, 100), pale) +
    stroke("M480 640Q330 560 330 690Q330 830 520 850", ink, 46) +
    cut(
      kit,
      smooth(knots([960, 740, 1080, 700, 1130, 560, 1220, 520, 1236, 540, 1190, 610, 1150, 800, 960, 900])),
      ink,
      { tone: accent, from: "top", density: 4 },
    ) +
    cut(kit, smooth(knots([500, 560, 960, 560, 1060, 760, 1000, 980, 460, 980, 400, 760])), ink, {
      tone: accent,
      from: "right",
      density: 4,
      reach: 0.6,
    }) +
    cut(kit, ellipse(730, 600, 190, 36), ink) +
    cut(kit, smooth(knots([560, 590, 620, 520, 840, 520, 900, 590, 730, 620])), accent, {
      tone: ink,
      from: "right",
      density: 4,
    }) +
    cut(kit, ellipse(730, 508, 32, 28), mid) +
    steam(1240, 480, paper) +
    glass(1300, 946) +
    glass(1530, 962) +
    glass(1150, 1030) +
    glass(1400, 1056) +
    times(5, (i) =>
      cut(kit, snip(kit, 230 + (i % 3) * 58, 1000 - (i > 2 ? 44 : 0) + (i % 2) * 8, 46, 42, 3), paper, {
        tone: cool,
        from: "bottom",
        density: 8,
      }),
    )
  );
}

export function pasteBench(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const sheet = (x: number, y: number, w: number, h: number, turn: number, color: string): string =>
    moved(
      cut(kit, snip(kit, -w / 2, -h / 2, w, h, 8), color, {
        tone: mid,
        from: "bottom",
        density: 1.4,
        reach: 0.6,
      }),
      x,
      y,
      turn,
    );
  const brush =
    cut(kit, rounded(-24, -460, 48, 400, 24), accent, { tone: ink, from: "right", density: 5 }) +
    cut(kit, box(-44, -80, 88, 70), ink) +
    cut(kit, smooth(knots([-50, -14, 50, -14, 60, 80, 20, 190, -6, 210, -60, 90])), mid, {
      tone: ink,
      from: "bottom",
      density: 5,
    });
  return (
    backdrop(kit, cool, { tone: ink, from: "right", density: 1.6, reach: 0.9 }) +
    sheet(430, 640, 620, 820, -9, pale) +
    sheet(500, 600, 600, 780, 4, paper) +
    times(9, (i) =>
      moved(stroke(`M-210 0H${150 + ((i * 67) % 90)}`, cool, 7, 'opacity="0.5"'), 500, 340 + i * 62, 4),
    ) +
    fade(cut(kit, ellipse(1220, 660, 370), ink), 0.5) +
    cut(kit, ellipse(1190, 620, 370), ink) +
    cut(kit, ellipse(1190, 620, 334), accent, { tone: ink, from: "right", density: 2.4 }) +
    cut(kit, blob(kit, 1190, 630, 280, 276, 0.04), paper, {
      tone: pale,
      from: "bottom",
      density: 3,
      reach: 0.9,
    }) +
    stroke(
      "M1040 640Q1060 480 1210 480Q1360 500 1340 650Q1310 780 1190 760Q1100 730 1120 640Q1160 570 1230 610",
      pale,
      20,
    ) +
    moved(brush, 1310, 560, 36) +
    moved(
      cut(kit, smooth(knots([-30, -190, 30, -190, 44, 100, 0, 230, -44, 100])), paper, {
        tone: mid,
        from: "right",
        density: 5,
      }),
      820,
      980,
      68,
    )
  );
}
