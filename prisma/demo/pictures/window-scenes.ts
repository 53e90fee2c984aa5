import {
  WIDTH,
  backdrop,
  between,
  box,
  cut,
  ellipse,
  moved,
  pick,
  poly,
  smooth,
  snip,
  stroke,
  times,
  knots,
} from "./kit.ts";
import type { Kit } from "./kit.ts";

const COLUMN = 192;

const STOREY = 236;

function litWindow(kit: Kit, x: number, y: number, kind: number): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const pane = cut(kit, box(x, y, 112, 150), kind === 3 ? pale : mid, {
    tone: kind === 3 ? cool : accent,
    from: "bottom",
    density: 6,
  });
  const sewing =
    cut(
      kit,
      smooth([
        [x + 6, y + 150],
        [x + 14, y + 90],
        [x + 50, y + 74],
        [x + 84, y + 100],
        [x + 90, y + 150],
      ]),
      ink,
    ) +
    cut(kit, ellipse(x + 68, y + 70, 20), ink) +
    stroke(`M${x + 100} ${y + 150}V${y + 60}H${x + 84}`, ink, 7);
  const crib =
    cut(kit, ellipse(x + 56, y + 74, 22), ink) +
    cut(
      kit,
      smooth([
        [x + 30, y + 150],
        [x + 36, y + 94],
        [x + 76, y + 94],
        [x + 82, y + 150],
      ]),
      ink,
    ) +
    times(6, (i) => stroke(`M${x + 8 + i * 19} ${y + 98}V${y + 150}`, paper, 6)) +
    stroke(`M${x} ${y + 98}H${x + 112}`, paper, 9);
  const tank =
    cut(kit, box(x + 6, y + 50, 100, 94), cool) +
    cut(
      kit,
      smooth([
        [x + 24, y + 90],
        [x + 52, y + 72],
        [x + 70, y + 90],
        [x + 90, y + 76],
        [x + 86, y + 106],
        [x + 66, y + 96],
        [x + 46, y + 108],
      ]),
      accent,
    ) +
    cut(kit, ellipse(x + 40, y + 124, 9), mid);
  const plant =
    times(5, (i) => moved(cut(kit, ellipse(0, -36, 13, 36), cool), x + 56, y + 116, -60 + i * 30)) +
    cut(kit, box(x + 34, y + 110, 44, 40), accent);
  return pane + pick([sewing, crib, plant, tank, ""], kind, "");
}

export function nightWindows(kit: Kit): string {
  const { paper, pale, cool, ink, mid } = kit.pal;
  const lit: Record<number, number> = { 10: 1, 13: 0, 23: 3, 30: 4, 5: 2 };
  const windows = times(36, (i) => {
    const x = 96 + (i % 9) * COLUMN;
    const y = 224 + Math.floor(i / 9) * STOREY;
    const kind = lit[i];
    const pane =
      kind === undefined
        ? cut(kit, box(x, y, 112, 150), ink, { tone: cool, from: "top", density: 2.4 })
        : litWindow(kit, x, y, kind);
    return (
      pane +
      stroke(`M${x + 56} ${y}V${y + 150}`, kind === undefined ? cool : ink, 6) +
      cut(kit, box(x - 12, y + 150, 136, 14), pale)
    );
  });
  return (
    backdrop(kit, ink, { tone: cool, from: "top", density: 1 }) +
    times(30, () =>
      cut(kit, ellipse(between(kit, 0, WIDTH), between(kit, 0, 130), between(kit, 2, 5)), paper),
    ) +
    cut(kit, ellipse(1480, 90, 62), paper, { tone: mid, from: "bottom" }) +
    cut(kit, poly(knots([30, 150, 1770, 150, 1770, 1220, 30, 1220])), cool, {
      tone: ink,
      from: "bottom",
      density: 1.8,
      reach: 1,
    }) +
    cut(kit, snip(kit, 6, 138, 1788, 26, 3), ink) +
    windows
  );
}
