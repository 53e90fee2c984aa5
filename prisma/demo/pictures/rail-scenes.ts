import {
  WIDTH,
  backdrop,
  below,
  between,
  blob,
  box,
  cut,
  ellipse,
  fade,
  pick,
  ridge,
  rounded,
  snip,
  stroke,
  times,
  tree,
} from "./kit.ts";
import type { Kit } from "./kit.ts";
import { sun } from "./land-parts.ts";

export function slowTrain(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const bands = [pale, mid, pale, accent, mid];
  const poles = times(
    6,
    (i) =>
      cut(kit, snip(kit, 90 + i * 330, 560, 12, 220, 2), ink) + stroke(`M${64 + i * 330} 592h64`, ink, 9),
  );
  const coach = (x: number): string =>
    cut(kit, rounded(x, 668, 300, 118, 18), accent, { tone: ink, from: "bottom", reach: 0.5 }) +
    times(5, (i) => cut(kit, rounded(x + 24 + i * 53, 694, 38, 40, 6), paper)) +
    cut(kit, ellipse(x + 70, 792, 20) + ellipse(x + 230, 792, 20), ink);
  return (
    backdrop(kit, paper, { tone: pale, from: "top", density: 1.6 }) +
    sun(kit, 1250, 380, 210, mid, accent) +
    cut(kit, below(ridge(kit, 560, 26, 1.6)), cool, { tone: ink, from: "bottom", density: 1, reach: 0.9 }) +
    cut(kit, box(0, 640, WIDTH, 560), pale) +
    poles +
    coach(560) +
    coach(874) +
    coach(1188) +
    cut(kit, box(0, 808, WIDTH, 16), ink) +
    times(5, (i) =>
      cut(kit, below(ridge(kit, 850 + i * 76, 10 + i * 5, 1.3)), pick(bands, i, pale), {
        tone: i % 2 ? accent : cool,
        from: "top",
        density: 1.4,
        reach: 0.25,
      }),
    ) +
    furrows(kit)
  );
}

function furrows(kit: Kit): string {
  return fade(
    times(16, (i) => stroke(`M${900 + (i - 8) * 70} 1070L${900 + (i - 8) * 240} 1220`, kit.pal.ink, 5)),
    0.35,
  );
}

export function platform(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const blossom = times(46, () =>
    cut(
      kit,
      blob(kit, 470 + between(kit, -330, 330), 430 + between(kit, -230, 200), 26, 24, 0.2, 7),
      kit.rnd() > 0.3 ? pale : accent,
    ),
  );
  return (
    backdrop(kit, cool, { tone: paper, from: "bottom", density: 1, reach: 0.9 }) +
    cut(kit, ellipse(880, 330, 130), paper, { tone: mid, from: "bottom" }) +
    cut(kit, below(ridge(kit, 720, 40, 1.4)), pale, { tone: mid, from: "top", reach: 0.4 }) +
    cut(kit, below(ridge(kit, 790, 14, 2)), mid) +
    cut(kit, rounded(1080, 400, 900, 480, 60), accent, {
      tone: ink,
      from: "bottom",
      density: 1.8,
      reach: 0.5,
    }) +
    cut(kit, rounded(1130, 470, 190, 150, 24), ink) +
    cut(kit, rounded(1390, 470, 150, 330, 10) + rounded(1600, 470, 240, 150, 20), paper) +
    stroke("M1080 680H1900", paper, 14) +
    cut(kit, ellipse(1180, 800, 26), mid) +
    cut(kit, ellipse(1260, 890, 52) + ellipse(1620, 890, 52), ink) +
    tree(kit, 460, 960, 900, ink) +
    blossom +
    cut(kit, snip(kit, -20, 930, 1840, 300), ink, { tone: cool, from: "top", density: 1.2, reach: 0.4 }) +
    stroke("M0 962H1800", paper, 12)
  );
}
