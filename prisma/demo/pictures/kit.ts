/** Drawing primitives of the demo pictures: seeded, cut-paper shapes with a stippled, printed shade. */

export type Rand = () => number;
export type Point = readonly [x: number, y: number];
export type Side = "left" | "right" | "top" | "bottom";

export interface Palette {
  readonly paper: string;
  readonly pale: string;
  readonly mid: string;
  readonly accent: string;
  readonly cool: string;
  readonly ink: string;
}

export interface Kit {
  readonly rnd: Rand;
  readonly pal: Palette;
  readonly nextId: () => string;
}

export interface Shade {
  readonly tone: string;
  readonly from: Side;
  /** Dots per 1000 square pixels. */
  readonly density?: number;
  /** How far the shade reaches into the shape, 0..1. */
  readonly reach?: number;
}

export const WIDTH = 1800;
export const HEIGHT = 1200;
const MAX_DOTS = 620;

/** Small seeded generator: the same seed gives the same picture everywhere. */
export function mulberry32(seed: number): Rand {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function makeKit(seed: number, pal: Palette): Kit {
  let ids = 0;
  return { rnd: mulberry32(seed * 7919 + 17), pal, nextId: () => `c${(ids += 1)}` };
}

export function between(kit: Kit, low: number, high: number): number {
  return low + kit.rnd() * (high - low);
}

export function times(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join("");
}

export function pick<T>(items: readonly T[], index: number, fallback: T): T {
  return items[index % items.length] ?? fallback;
}

const at = (x: number, y: number): string => `${Math.round(x)} ${Math.round(y)}`;

/** Points out of a flat list of coordinates: x, y, x, y ... */
export function knots(values: readonly number[]): Point[] {
  return values.flatMap((x, index): Point[] => (index % 2 === 0 ? [[x, values[index + 1] ?? 0]] : []));
}

/** A closed (or open) path of straight lines. */
export function poly(points: readonly Point[], closed = true): string {
  return `M${points.map(([x, y]) => at(x, y)).join("L")}${closed ? "Z" : ""}`;
}

/** A closed path that rounds every corner it is given. */
export function smooth(points: readonly Point[]): string {
  const middle = (a: Point, b: Point): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const first = points[0] ?? [0, 0];
  const start = middle(points[points.length - 1] ?? first, first);
  const curves = points.map((point, index) => {
    const [x, y] = middle(point, points[index + 1] ?? first);
    return `Q${at(point[0], point[1])} ${at(x, y)}`;
  });
  return `M${at(start[0], start[1])}${curves.join("")}Z`;
}

/** An open path through the middles of its points. */
export function curve(points: readonly Point[]): string {
  const [first = [0, 0] as const, ...rest] = points;
  const last = rest[rest.length - 1] ?? first;
  const turns = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? last;
    return `Q${at(point[0], point[1])} ${at((point[0] + next[0]) / 2, (point[1] + next[1]) / 2)}`;
  });
  return `M${at(first[0], first[1])}${turns.join("")}L${at(last[0], last[1])}`;
}

export function ellipse(x: number, y: number, rx: number, ry = rx): string {
  const kx = rx * 0.552;
  const ky = ry * 0.552;
  return (
    `M${at(x - rx, y)}C${at(x - rx, y - ky)} ${at(x - kx, y - ry)} ${at(x, y - ry)}` +
    `C${at(x + kx, y - ry)} ${at(x + rx, y - ky)} ${at(x + rx, y)}` +
    `C${at(x + rx, y + ky)} ${at(x + kx, y + ry)} ${at(x, y + ry)}` +
    `C${at(x - kx, y + ry)} ${at(x - rx, y + ky)} ${at(x - rx, y)}Z`
  );
}

export function box(x: number, y: number, w: number, h: number): string {
  return poly([
    [x, y],
    [x + w, y],
    [x + w, y + h],
    [x, y + h],
  ]);
}

/** A rectangle as scissors would leave it. */
export function snip(kit: Kit, x: number, y: number, w: number, h: number, slack = 5): string {
  const off = (): number => between(kit, -slack, slack);
  return poly([
    [x + off(), y + off()],
    [x + w + off(), y + off()],
    [x + w + off(), y + h + off()],
    [x + off(), y + h + off()],
  ]);
}

/** A rectangle with round corners of radius `r`. */
export function rounded(x: number, y: number, w: number, h: number, r: number): string {
  return (
    `M${at(x + r, y)}L${at(x + w - r, y)}Q${at(x + w, y)} ${at(x + w, y + r)}` +
    `L${at(x + w, y + h - r)}Q${at(x + w, y + h)} ${at(x + w - r, y + h)}` +
    `L${at(x + r, y + h)}Q${at(x, y + h)} ${at(x, y + h - r)}L${at(x, y + r)}Q${at(x, y)} ${at(x + r, y)}Z`
  );
}

/** A lobed, slightly uneven round form. */
export function blob(
  kit: Kit,
  x: number,
  y: number,
  rx: number,
  ry: number,
  slack = 0.08,
  corners = 11,
): string {
  const turn = kit.rnd() * Math.PI;
  return smooth(
    Array.from({ length: corners }, (_, index): Point => {
      const angle = turn + (index / corners) * Math.PI * 2;
      const r = 1.04 + between(kit, -slack, slack);
      return [x + Math.cos(angle) * rx * r, y + Math.sin(angle) * ry * r];
    }),
  );
}

interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

function boundsOf(d: string): Bounds {
  const values = (d.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
  const xs = values.filter((_, index) => index % 2 === 0);
  const ys = values.filter((_, index) => index % 2 === 1);
  const left = Math.max(-20, Math.min(...xs));
  const top = Math.max(-20, Math.min(...ys));
  return {
    x: left,
    y: top,
    w: Math.min(WIDTH + 20, Math.max(...xs)) - left,
    h: Math.min(HEIGHT + 20, Math.max(...ys)) - top,
  };
}

function dotAt(kit: Kit, area: Bounds, shade: Shade): string {
  const depth = Math.pow(kit.rnd(), 1.9) * (shade.reach ?? 0.7);
  const along = kit.rnd();
  const far = shade.from === "right" || shade.from === "bottom" ? 1 - depth : depth;
  const flat = shade.from === "left" || shade.from === "right";
  return `M${at(area.x + area.w * (flat ? far : along), area.y + area.h * (flat ? along : far))}z`;
}

function stipple(kit: Kit, d: string, shade: Shade): string {
  const area = boundsOf(d);
  const wanted = Math.round(((area.w * area.h) / 1000) * (shade.density ?? 2.4) * (shade.reach ?? 0.7));
  const id = kit.nextId();
  const dots = times(Math.min(MAX_DOTS, Math.max(12, wanted)), () => dotAt(kit, area, shade));
  return (
    `<clipPath id="${id}"><path d="${d}"/></clipPath><g clip-path="url(#${id})">` +
    `<path d="${dots}" stroke="${shade.tone}" stroke-width="4.4"/></g>`
  );
}

/** A flat shape of one ink, with a stippled shade along one of its sides when asked. */
export function cut(kit: Kit, d: string, fill: string, shade?: Shade): string {
  return `<path d="${d}" fill="${fill}"/>${shade === undefined ? "" : stipple(kit, d, shade)}`;
}

export function stroke(d: string, color: string, width: number, more = ""): string {
  return (
    `<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}"` +
    `${more === "" ? "" : ` ${more}`}/>`
  );
}

export function fade(content: string, opacity: number): string {
  return `<g opacity="${opacity}">${content}</g>`;
}

export function moved(content: string, x: number, y: number, turn = 0, scale = 1): string {
  return `<g transform="translate(${Math.round(x)} ${Math.round(y)}) rotate(${turn}) scale(${scale})">${content}</g>`;
}

export function backdrop(kit: Kit, fill: string, shade?: Shade): string {
  return cut(kit, box(0, 0, WIDTH, HEIGHT), fill, shade);
}

/** A skyline that rolls: the sum of a few slow waves. */
export function ridge(kit: Kit, y: number, rise: number, waves = 2): Point[] {
  const phases = [kit.rnd() * 6.3, kit.rnd() * 6.3, kit.rnd() * 6.3];
  return Array.from({ length: 25 }, (_, index): Point => {
    const t = (index / 24) * Math.PI * waves;
    const lift = Math.sin(t + (phases[0] ?? 0)) + Math.sin(t * 2.3 + (phases[1] ?? 0)) * 0.4;
    return [-60 + index * 80, y - rise * (lift + Math.sin(t * 4.1 + (phases[2] ?? 0)) * 0.12)];
  });
}

/** Everything below a skyline. */
export function below(points: readonly Point[]): string {
  return smooth([[-200, HEIGHT + 200], [-140, points[0]?.[1] ?? 0], ...points, [WIDTH + 200, HEIGHT + 200]]);
}

/** A tapering branch that forks until it is a twig. */
export function branch(kit: Kit, x: number, y: number, angle: number, length: number, width: number): string {
  const endX = x + Math.cos(angle) * length;
  const endY = y + Math.sin(angle) * length;
  const bend = between(kit, -0.12, 0.12) * length;
  const limb = `<path d="M${at(x, y)}Q${at((x + endX) / 2 + bend, (y + endY) / 2)} ${at(endX, endY)}" stroke-width="${width.toFixed(1)}"/>`;
  if (width < 4.5) return limb;
  const fork = (turn: number, keep: number): string =>
    branch(kit, endX, endY, angle + turn, length * keep, width * 0.64);
  return limb + fork(-between(kit, 0.25, 0.6), 0.78) + fork(between(kit, 0.2, 0.65), 0.74);
}

export function tree(kit: Kit, x: number, y: number, size: number, color: string): string {
  const limbs = branch(kit, x, y, -Math.PI / 2 + between(kit, -0.1, 0.1), size * 0.3, size * 0.05);
  return `<g fill="none" stroke="${color}">${limbs}</g>`;
}

function speckle(rnd: Rand, size: number, count: number): string {
  const dots = times(count, () => `M${at(rnd() * size, rnd() * size)}z`);
  return dots;
}

/** Paper grain: two small tiles at odd angles, so that their repeat does not show. */
export function grain(light: string, dark: string, width = WIDTH, height = HEIGHT): string {
  const rnd = mulberry32(4242);
  const tile = (id: string, size: number, turn: number, color: string, count: number): string =>
    `<pattern id="${id}" width="${size}" height="${size}" patternUnits="userSpaceOnUse" ` +
    `patternTransform="rotate(${turn})"><path d="${speckle(rnd, size, count)}" stroke="${color}" ` +
    `stroke-width="2.2"/></pattern>`;
  const sheet = (id: string, opacity: number): string =>
    `<rect width="${width}" height="${height}" fill="url(#${id})" opacity="${opacity}"/>`;
  return (
    `<defs>${tile("g1", 290, 17, light, 230)}${tile("g2", 370, -29, dark, 230)}</defs>` +
    sheet("g1", 0.3) +
    sheet("g2", 0.16)
  );
}
