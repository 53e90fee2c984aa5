import { HEIGHT, WIDTH, backdrop, cut, ellipse, poly, rounded, smooth, snip, stroke } from "./kit.ts";
import type { Kit } from "./kit.ts";

export function steam(x: number, y: number, color: string): string {
  return [0, 1, 2]
    .map((i) => stroke(`M${x + i * 70} ${y}q-46 -70 0 -140t0 -140`, color, 13, 'opacity="0.75"'))
    .join("");
}

/** A wall with a slanting patch of window light, and the table below it. */
export function room(kit: Kit, wall: string, light: string, table: string, tone: string, edge = 800): string {
  const pane = (x: number, y: number): string =>
    poly([
      [x, y],
      [x + 190, y - 40],
      [x + 190, y + 190],
      [x, y + 230],
    ]);
  const panes = [pane(240, 160), pane(452, 116), pane(240, 412), pane(452, 368)].join("");
  return (
    backdrop(kit, wall, { tone, from: "left", density: 1.2, reach: 0.9 }) +
    cut(kit, panes, light) +
    cut(kit, snip(kit, -20, edge, WIDTH + 40, HEIGHT - edge + 20), table, {
      tone,
      from: "bottom",
      density: 1.6,
      reach: 0.7,
    })
  );
}

export function bowl(
  kit: Kit,
  x: number,
  y: number,
  w: number,
  color: string,
  tone: string,
  inside: string,
): { back: string; front: string } {
  const h = w * 0.52;
  const body = smooth([
    [x - w * 0.62, y - 30],
    [x - w * 0.5, y + h * 0.55],
    [x - w * 0.24, y + h],
    [x + w * 0.24, y + h],
    [x + w * 0.5, y + h * 0.55],
    [x + w * 0.62, y - 30],
  ]);
  const front = poly([
    [x - w, y],
    [x + w, y],
    [x + w, y + h * 1.4],
    [x - w, y + h * 1.4],
  ]);
  const id = kit.nextId();
  return {
    back: cut(kit, ellipse(x, y, w * 0.5, w * 0.1), inside),
    front:
      `<clipPath id="${id}"><path d="${front}"/></clipPath><g clip-path="url(#${id})">${cut(kit, body, color, { tone, from: "right", density: 3.4, reach: 0.6 })}</g>` +
      cut(kit, rounded(x - w * 0.2, y + h * 0.92, w * 0.4, w * 0.07, 8), tone),
  };
}
