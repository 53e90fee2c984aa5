import {
  WIDTH,
  backdrop,
  blob,
  box,
  cut,
  ellipse,
  fade,
  moved,
  pick,
  rounded,
  smooth,
  snip,
  stroke,
  times,
  knots,
} from "./kit.ts";
import type { Kit } from "./kit.ts";

export function loomWeave(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const warp = [ink, ink, cool, ink, accent, ink, ink, cool, mid];
  const weft = [pale, pale, accent, pale, mid, mid, pale, cool];
  const cell = 60;
  const row = (r: number): string =>
    times(31, (c) =>
      (r + c) % 2 ? "" : cut(kit, box(c * cell - 30 + 4, 620 + r * 46 + 3, cell - 8, 40), pick(warp, c, ink)),
    );
  const shuttle = smooth(knots([-360, 0, -260, -54, 0, -66, 260, -54, 360, 0, 260, 54, 0, 66, -260, 54]));
  return (
    backdrop(kit, paper, { tone: pale, from: "top", density: 2 }) +
    times(31, (c) => cut(kit, box(c * cell - 30 + 14, -10, cell - 28, 640), pick(warp, c, ink))) +
    cut(kit, snip(kit, -20, 60, WIDTH + 40, 84, 6), accent, { tone: ink, from: "bottom", density: 2.6 }) +
    cut(kit, snip(kit, -20, 180, WIDTH + 40, 22, 3), ink) +
    times(13, (r) => cut(kit, box(-10, 620 + r * 46, WIDTH + 20, 45), pick(weft, r, pale))) +
    times(13, row) +
    stroke("M-20 606Q500 640 840 520T1180 420", mid, 13) +
    fade(moved(cut(kit, shuttle, ink), 1190, 440, -14), 0.35) +
    moved(
      cut(kit, shuttle, mid, { tone: accent, from: "bottom" }) +
        cut(kit, rounded(-150, -30, 300, 60, 28), ink) +
        cut(kit, rounded(-110, -22, 220, 44, 20), pale),
      1180,
      410,
      -14,
    )
  );
}

export function mendedSleeve(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const knit = `<pattern id="knit" width="44" height="40" patternUnits="userSpaceOnUse"><path d="M4 2L22 26M40 2L22 26" stroke="${cool}" stroke-width="13"/></pattern>`;
  const sleeve = smooth(
    knots([
      420, -200, 1180, -200, 1260, 260, 1520, 520, 1900, 800, 1700, 1400, 1240, 1160, 760, 1000, 520, 560,
    ]),
  );
  const patch = times(13, (r) =>
    times(13, (c) => ((r + c) % 2 ? "" : cut(kit, box(c * 30 - 195, r * 30 - 195, 27, 27), ink))),
  );
  const darn = blob(kit, 0, 0, 215, 205, 0.07);
  const id = kit.nextId();
  return (
    backdrop(kit, mid, { tone: accent, from: "left", density: 1.4, reach: 0.8 }) +
    `<defs>${knit}</defs>` +
    fade(moved(cut(kit, sleeve, accent), -40, 40), 0.7) +
    cut(kit, sleeve, ink) +
    `<path d="${sleeve}" fill="url(#knit)"/>` +
    cut(kit, sleeve, "none", { tone: ink, from: "right", density: 1.2, reach: 0.7 }) +
    `<clipPath id="${id}"><path d="${darn}"/></clipPath>` +
    moved(
      `<g clip-path="url(#${id})">${cut(kit, darn, paper, { tone: pale, from: "bottom" })}${patch.replaceAll(ink, accent)}</g>`,
      960,
      560,
      12,
    ) +
    times(7, (i) => moved(stroke("M210 0q60 -30 118 12", i % 2 ? paper : mid, 11), 960, 560, i * 52 + 10)) +
    stroke("M1150 470Q1320 300 1240 210T1500 130", paper, 11) +
    moved(
      cut(kit, smooth(knots([0, -16, 240, -7, 300, 0, 240, 7, 0, 16, -20, 0])), pale) +
        stroke("M14 0H44", ink, 8),
      1500,
      130,
      -24,
    ) +
    cut(kit, ellipse(210, 960, 150), accent, { tone: ink, from: "bottom" }) +
    [0, 32, 64, 96]
      .map((t) =>
        moved(stroke("M-140 30Q0 -60 140 30M-130 70Q0 -10 130 70", t % 64 ? mid : paper, 7), 210, 950, t),
      )
      .join("")
  );
}

export function dyedSkeins(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const hues = [pale, mid, "#e9c86a", mid, "#c9a545", "#a3964f", cool, "#5d6f4a", accent];
  const skein = (i: number): string => {
    const x = 130 + i * 192;
    const long = 560 + ((i * 73) % 130);
    const body = smooth([
      [x - 50, 190],
      [x + 50, 190],
      [x + 74, 330],
      [x + 66, 190 + long * 0.8],
      [x + 44, 190 + long],
      [x - 44, 190 + long],
      [x - 66, 190 + long * 0.8],
      [x - 74, 330],
    ]);
    const hue = pick(hues, i, mid);
    const twist = times(9, (k) =>
      stroke(
        `M${x - 60} ${270 + (k * (long - 130)) / 9}Q${x} ${320 + (k * (long - 130)) / 9} ${x + 60} ${250 + (k * (long - 130)) / 9}`,
        ink,
        4,
        'opacity="0.5"',
      ),
    );
    return (
      cut(kit, body, hue, { tone: ink, from: "right", density: 2.6, reach: 0.6 }) +
      twist +
      cut(kit, rounded(x - 52, 300, 104, 26, 10), paper) +
      stroke(`M${x} 190V150`, ink, 8)
    );
  };
  return (
    backdrop(kit, paper, { tone: pale, from: "bottom", density: 2 }) +
    cut(kit, snip(kit, -20, 150, WIDTH + 40, 30, 4), ink) +
    times(9, skein) +
    cut(kit, box(0, 1010, WIDTH, 200), ink, { tone: cool, from: "top" }) +
    cut(kit, smooth(knots([640, 900, 1160, 900, 1140, 1200, 1060, 1270, 740, 1270, 660, 1200])), accent, {
      tone: ink,
      from: "right",
      density: 3,
    }) +
    cut(kit, ellipse(900, 940, 242, 44), ink) +
    cut(kit, ellipse(900, 946, 214, 34), mid) +
    stroke("M980 950L1130 700", paper, 20) +
    times(10, (i) =>
      moved(
        cut(kit, smooth(knots([0, 0, 40, -34, 110, 0, 40, 34])), i % 2 ? cool : mid, {
          tone: paper,
          from: "top",
          density: 6,
        }),
        [120, 220, 320, 430, 1290, 1390, 1490, 1590, 180, 1430][i] ?? 0,
        1090 + ((i * 47) % 70),
        i * 47,
      ),
    )
  );
}
