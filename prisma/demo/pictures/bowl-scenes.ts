import {
  WIDTH,
  backdrop,
  box,
  cut,
  ellipse,
  fade,
  moved,
  poly,
  smooth,
  stroke,
  times,
  knots,
} from "./kit.ts";
import type { Kit } from "./kit.ts";
import { bowl, room, steam } from "./table-parts.ts";

export function blueBowl(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const dish = bowl(kit, 980, 640, 700, cool, ink, ink);
  const quince = (x: number, y: number, r: number): string => {
    const skin = smooth([
      [x - r * 0.3, y - r * 1.15],
      [x + r * 0.35, y - r * 1.1],
      [x + r, y - r * 0.5],
      [x + r * 1.08, y + r * 0.4],
      [x + r * 0.5, y + r],
      [x - r * 0.6, y + r],
      [x - r * 1.1, y + r * 0.3],
      [x - r * 0.95, y - r * 0.5],
    ]);
    return (
      cut(kit, skin, mid, { tone: ink, from: "right", density: 4, reach: 0.6 }) +
      stroke(skin, pale, 7) +
      stroke(`M${x} ${y - r}q6 -40 34 -52`, ink, 11)
    );
  };
  return (
    room(kit, pale, paper, accent, ink, 860) +
    fade(cut(kit, ellipse(1080, 1012, 420, 46), ink), 0.55) +
    dish.back +
    quince(976, 490, 150) +
    quince(826, 566, 136) +
    quince(1130, 570, 142) +
    `<g transform="translate(0 -30)">${dish.front}</g>` +
    stroke("M1110 640L1084 706L1120 760L1080 840L1104 900L1070 956", mid, 9) +
    cut(kit, poly(knots([180, 1010, 520, 960, 640, 1090, 250, 1150])), paper, {
      tone: cool,
      from: "bottom",
      density: 2,
    }) +
    stroke("M214 1040L556 988M238 1104L610 1054", cool, 12) +
    cut(kit, smooth(knots([330, 1020, 560, 996, 600, 1010, 560, 1036, 330, 1048])), ink)
  );
}

export function soupPot(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const herb = (x: number, y: number, turn: number): string =>
    moved(
      stroke("M0 0V-210", ink, 8) +
        times(9, (i) =>
          cut(
            kit,
            ellipse((i % 2 ? 1 : -1) * (34 - i * 2), -60 - i * 19, 28 - i * 1.6, 17),
            i % 3 ? cool : ink,
          ),
        ),
      x,
      y,
      turn,
    );
  const dish = bowl(kit, 900, 650, 860, accent, ink, ink);
  const noodles = times(7, (i) =>
    stroke(`M${610 + i * 80} ${622 + (i % 3) * 18}q40 -34 80 0t80 4`, pale, 10),
  );
  return (
    backdrop(kit, mid, { tone: accent, from: "top", density: 1.4 }) +
    cut(kit, ellipse(900, 420, 400), paper, { tone: mid, from: "bottom", density: 1.8, reach: 0.8 }) +
    cut(kit, box(0, 930, WIDTH, 280), ink, { tone: cool, from: "top", density: 1.6 }) +
    fade(cut(kit, ellipse(900, 1076, 480, 44), cool), 0.5) +
    dish.back +
    cut(kit, ellipse(900, 646, 404, 66), cool, { tone: paper, from: "top", density: 2 }) +
    noodles +
    times(11, (i) =>
      cut(kit, ellipse(600 + i * 60, 640 + ((i * 41) % 44) - 20, 17, 12), i % 2 ? mid : accent),
    ) +
    dish.front +
    stroke("M520 760H1280M560 850H1240", paper, 12, 'opacity="0.85"') +
    steam(830, 500, accent) +
    herb(230, 1100, -14) +
    herb(330, 1130, 6) +
    herb(1520, 1110, 10) +
    cut(kit, ellipse(1400, 1070, 62, 58), paper, { tone: mid, from: "right", density: 6 }) +
    cut(kit, ellipse(1630, 1110, 48, 44), mid, { tone: accent, from: "right", density: 6 })
  );
}
