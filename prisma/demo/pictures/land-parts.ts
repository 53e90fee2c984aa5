import { HEIGHT, below, between, cut, ellipse, pick, ridge, times } from "./kit.ts";
import type { Kit } from "./kit.ts";

/** Layered hills, from mist to ink. */
export function range(kit: Kit, top: number, colors: readonly string[], rise: number): string {
  const step = (HEIGHT - top) / (colors.length + 0.6);
  return times(colors.length, (index) => {
    const skyline = ridge(kit, top + index * step, rise * (1 - index * 0.1), between(kit, 1.4, 2.6));
    const tone = pick(colors, index + 1, kit.pal.ink);
    return cut(kit, below(skyline), pick(colors, index, kit.pal.pale), {
      tone: index === colors.length - 1 ? kit.pal.cool : tone,
      from: "top",
      density: 1.5,
      reach: 0.4,
    });
  });
}

export function sun(kit: Kit, x: number, y: number, r: number, color: string, tone: string): string {
  return cut(kit, ellipse(x, y, r), color, { tone, from: "bottom", density: 2.2, reach: 0.6 });
}
