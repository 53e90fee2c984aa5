import { HEIGHT, WIDTH, below, between, cut, ellipse, pick, rounded, times } from "./kit.ts";
import type { Kit, Point } from "./kit.ts";

function swell(kit: Kit, y: number, depth: number): Point[] {
  const phase = kit.rnd() * 6;
  return Array.from({ length: 25 }, (_, i): Point => [-60 + i * 80, y + Math.sin(i * 1.15 + phase) * depth]);
}

export function sea(kit: Kit, top: number, colors: readonly string[], tone: string): string {
  const step = (HEIGHT - top) / colors.length;
  return times(colors.length, (i) =>
    cut(kit, below(swell(kit, top + i * step, 3 + i * 5)), pick(colors, i, kit.pal.cool), {
      tone,
      from: "top",
      density: 1.1,
      reach: 0.3,
    }),
  );
}

export function stars(kit: Kit, count: number, depth: number): string {
  return times(count, () =>
    cut(kit, ellipse(between(kit, 0, WIDTH), between(kit, 0, depth), between(kit, 2, 5)), kit.pal.paper),
  );
}

/** Broken bars of light on the water below a moon or a lamp. */
export function glitter(
  kit: Kit,
  x: number,
  top: number,
  bottom: number,
  spread: number,
  color: string,
): string {
  const rows = Math.round((bottom - top) / 34);
  return times(rows, (i) => {
    const w = spread * (0.35 + (i / rows) * 0.9) * between(kit, 0.5, 1);
    const px = x + between(kit, -0.3, 0.3) * spread;
    return cut(kit, rounded(px - w / 2, top + i * 34, w, 11, 5), color);
  });
}
