import {
  NAVY,
  OCHRE,
  PAPER,
  ROSE,
  SAGE,
  TEAL,
  VERMILION,
  beard,
  bob,
  braid,
  bun,
  crown,
  crownFront,
  driver,
  fringe,
  glasses,
  long,
  nape,
  none,
  parted,
  swept,
} from "./hair.ts";
import { cut, ellipse, fade, makeKit, rounded, smooth, stroke, knots } from "./kit.ts";
import type { Kit } from "./kit.ts";

export const PORTRAIT = 800;

interface Sitter {
  readonly ground: string;
  readonly disc: string;
  readonly skin: string;
  readonly blush: string;
  readonly hair: string;
  readonly coat: string;
  readonly collar: string;
  readonly back: (kit: Kit, hair: string) => string;
  readonly front: (kit: Kit, hair: string) => string;
}

const SITTERS: readonly Sitter[] = [
  {
    ground: TEAL,
    disc: ROSE,
    skin: "#f0c9a8",
    blush: "#e39c80",
    hair: "#d9a24a",
    coat: NAVY,
    collar: PAPER,
    back: nape,
    front: braid,
  },
  {
    ground: OCHRE,
    disc: VERMILION,
    skin: "#6f4430",
    blush: "#8d5238",
    hair: "#231a1e",
    coat: TEAL,
    collar: PAPER,
    back: crown,
    front: crownFront,
  },
  {
    ground: ROSE,
    disc: TEAL,
    skin: "#efc6a4",
    blush: "#de8f74",
    hair: "#8a5a38",
    coat: "#53708c",
    collar: PAPER,
    back: none,
    front: beard,
  },
  {
    ground: SAGE,
    disc: PAPER,
    skin: "#eac39b",
    blush: "#dd957a",
    hair: NAVY,
    coat: VERMILION,
    collar: OCHRE,
    back: bob,
    front: fringe,
  },
  {
    ground: PAPER,
    disc: OCHRE,
    skin: "#c98f63",
    blush: "#b56a48",
    hair: "#3a2a26",
    coat: VERMILION,
    collar: NAVY,
    back: none,
    front: driver,
  },
  {
    ground: "#53708c",
    disc: OCHRE,
    skin: "#f2cfb4",
    blush: "#e59a86",
    hair: "#b9bcb8",
    coat: "#6b7f52",
    collar: PAPER,
    back: bun,
    front: swept,
  },
  {
    ground: VERMILION,
    disc: ROSE,
    skin: "#b67d53",
    blush: "#a15c3d",
    hair: "#2a2028",
    coat: PAPER,
    collar: TEAL,
    back: none,
    front: glasses,
  },
  {
    ground: NAVY,
    disc: SAGE,
    skin: "#d9a37a",
    blush: "#c67a5a",
    hair: "#5b2f23",
    coat: OCHRE,
    collar: PAPER,
    back: long,
    front: parted,
  },
];

function face(kit: Kit, sitter: Sitter): string {
  const line = sitter.skin === "#6f4430" ? "#2a1a18" : NAVY;
  const eyes = stroke("M322 372Q342 388 362 372M438 372Q458 388 478 372", line, 8);
  return (
    cut(kit, ellipse(272, 392, 26, 36) + ellipse(528, 392, 26, 36), sitter.skin) +
    cut(
      kit,
      smooth(
        knots([
          276, 300, 300, 210, 400, 180, 500, 210, 524, 300, 528, 430, 470, 530, 400, 552, 330, 530, 272, 430,
        ]),
      ),
      sitter.skin,
      { tone: sitter.blush, from: "right", density: 3, reach: 0.5 },
    ) +
    fade(cut(kit, ellipse(318, 428, 32, 24) + ellipse(482, 428, 32, 24), sitter.blush), 0.7) +
    eyes +
    stroke("M400 372Q386 420 404 424", line, 7) +
    stroke("M368 476Q400 498 432 476", line, 8)
  );
}

function shoulders(kit: Kit, sitter: Sitter): string {
  const coat = smooth(
    knots([70, 960, 100, 720, 210, 640, 400, 610, 590, 640, 700, 720, 730, 960, 400, 1000]),
  );
  return (
    cut(kit, rounded(338, 480, 124, 200, 40), sitter.skin, { tone: sitter.blush, from: "top", density: 8 }) +
    cut(kit, coat, sitter.coat, { tone: sitter.collar, from: "right", density: 1.2, reach: 0.5 }) +
    cut(kit, "M310 622Q400 720 490 622L520 650Q400 790 280 650Z", sitter.collar)
  );
}

export function drawPortrait(index: number): string {
  const sitter = SITTERS[index % SITTERS.length];
  if (sitter === undefined) return "";
  const kit = makeKit(900 + index, {
    paper: PAPER,
    pale: ROSE,
    mid: OCHRE,
    accent: VERMILION,
    cool: TEAL,
    ink: NAVY,
  });
  return (
    cut(kit, "M0 0L800 0L800 800L0 800Z", sitter.ground, {
      tone: sitter.disc,
      from: "bottom",
      density: 1.2,
    }) +
    cut(kit, ellipse(400, 380, 310), sitter.disc, { tone: sitter.ground, from: "bottom", density: 1.8 }) +
    sitter.back(kit, sitter.hair) +
    shoulders(kit, sitter) +
    face(kit, sitter) +
    sitter.front(kit, sitter.hair)
  );
}
