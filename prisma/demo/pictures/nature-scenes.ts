import {
  HEIGHT,
  WIDTH,
  backdrop,
  between,
  blob,
  cut,
  ellipse,
  fade,
  moved,
  smooth,
  stroke,
  times,
  knots,
} from "./kit.ts";
import type { Kit, Point } from "./kit.ts";

function rosette(
  kit: Kit,
  x: number,
  y: number,
  r: number,
  outer: string,
  inner: string,
  cups: string,
): string {
  const lobes = Math.round(r / 24) + 8;
  const phase = kit.rnd() * 6;
  const reach = Array.from({ length: lobes * 2 }, (_, i) =>
    i % 2 ? 1 + kit.rnd() * 0.1 : 0.74 + kit.rnd() * 0.2,
  );
  const ring = (size: number): string =>
    smooth(
      reach.map((part, i): Point => {
        const a = ((i + part * 0.7) / (lobes * 2)) * Math.PI * 2;
        const rad = size * (part + Math.sin(a * 2 + phase) * 0.1);
        return [x + Math.cos(a) * rad, y + Math.sin(a) * rad];
      }),
    );
  const cup = (): string => {
    const a = kit.rnd() * 6.28;
    const d = Math.sqrt(kit.rnd()) * r * 0.52;
    return `M${Math.round(x + Math.cos(a) * d)} ${Math.round(y + Math.sin(a) * d)}z`;
  };
  const group = (width: number): string => {
    const round = times(Math.round(r / 22), cup);
    return stroke(round, outer, width + 10) + stroke(round, cups, width);
  };
  const dots = group(30) + group(17);
  return (
    cut(kit, ring(r), outer, { tone: inner, from: "bottom", density: 2.6 }) +
    cut(kit, ring(r * 0.74), inner, { tone: outer, from: "top", density: 3 }) +
    stroke(ring(r * 0.74), cups, 4, 'opacity="0.6"') +
    dots
  );
}

export function lichenWall(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const joints =
    "M-20 400H1820M-20 820H1820M520 -20V400M1300 -20V400M220 400V820M940 400V820M1560 400V820M640 820V1220M1240 820V1220";
  return (
    backdrop(kit, ink, { tone: cool, from: "bottom", density: 1.8, reach: 1 }) +
    stroke(joints, cool, 16) +
    times(14, () =>
      cut(
        kit,
        blob(
          kit,
          between(kit, 0, WIDTH),
          between(kit, 0, HEIGHT),
          between(kit, 14, 50),
          between(kit, 12, 40),
          0.3,
        ),
        cool,
      ),
    ) +
    rosette(kit, 660, 540, 330, mid, accent, paper) +
    rosette(kit, 1240, 330, 230, pale, cool, ink) +
    rosette(kit, 1330, 840, 270, cool, pale, accent) +
    rosette(kit, 260, 980, 190, pale, mid, ink) +
    rosette(kit, 210, 230, 150, mid, pale, accent) +
    rosette(kit, 940, 1010, 120, accent, mid, paper) +
    rosette(kit, 1670, 160, 130, mid, accent, paper) +
    rosette(kit, 1660, 590, 90, accent, mid, paper)
  );
}

function wings(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const fore = "M20 -120Q240 -420 640 -400Q700 -380 660 -300Q560 -80 420 0Q220 60 30 20Z";
  const hind = "M24 0Q240 40 380 30Q460 120 400 240Q300 370 180 300Q60 210 20 80Z";
  const id = kit.nextId();
  const bands =
    stroke("M330 -460Q300 -180 420 60", accent, 44) +
    stroke("M430 -480Q420 -200 520 0", paper, 16) +
    stroke("M560 -480Q540 -280 640 -180", ink, 26) +
    stroke("M180 -340Q180 -120 230 80", ink, 20);
  return (
    cut(kit, hind, accent, { tone: ink, from: "left", density: 3, reach: 0.6 }) +
    stroke("M120 260Q250 330 392 150", ink, 22) +
    cut(kit, ellipse(270, 150, 62), ink) +
    cut(kit, ellipse(270, 150, 40), cool) +
    cut(kit, ellipse(282, 142, 15), paper) +
    `<clipPath id="${id}"><path d="${fore}"/></clipPath><g clip-path="url(#${id})">${cut(kit, fore, pale, { tone: ink, from: "left", density: 3, reach: 0.7 })}${bands}</g>` +
    cut(kit, ellipse(300, -170, 46), ink) +
    cut(kit, ellipse(300, -170, 30), mid)
  );
}

export function porchMoth(kit: Kit): string {
  const { paper, mid, accent, cool, ink } = kit.pal;
  const half = wings(kit);
  const small = (x: number, y: number, turn: number, s: number): string =>
    moved(
      cut(
        kit,
        "M0 0Q60 -80 110 -50Q90 20 0 20Q-90 20 -110 -50Q-60 -80 0 0Z",
        kit.rnd() > 0.5 ? paper : cool,
      ) + cut(kit, ellipse(0, 4, 10, 30), accent),
      x,
      y,
      turn,
      s,
    );
  return (
    backdrop(kit, ink, { tone: cool, from: "bottom", density: 1.6, reach: 0.8 }) +
    fade(cut(kit, ellipse(900, 560, 560), cool), 0.5) +
    cut(kit, ellipse(900, 560, 440), mid, { tone: accent, from: "bottom", density: 1.8, reach: 0.9 }) +
    moved(half + `<g transform="scale(-1 1)">${half}</g>`, 900, 640, 0, 1.1) +
    cut(
      kit,
      smooth(knots([850, 480, 900, 440, 950, 480, 960, 640, 930, 900, 900, 980, 870, 900, 840, 640])),
      ink,
      { tone: accent, from: "left", density: 8, reach: 0.6 },
    ) +
    times(5, (i) => stroke(`M${858 + i * 5} ${700 + i * 44}h${84 - i * 10}`, mid, 9)) +
    cut(kit, ellipse(900, 462, 44, 40), accent) +
    stroke("M884 430Q840 300 740 270M916 430Q960 300 1060 270", paper, 10) +
    small(220, 260, 30, 0.9) +
    small(1570, 940, -40, 1.1) +
    small(320, 980, 160, 0.7) +
    small(1600, 240, -70, 0.6) +
    small(140, 640, 80, 0.5)
  );
}
