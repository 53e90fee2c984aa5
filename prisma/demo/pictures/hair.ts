import { cut, ellipse, rounded, smooth, stroke, times, knots } from "./kit.ts";
import type { Kit } from "./kit.ts";

export const PAPER = "#f6ecdb";

export const NAVY = "#1e2a45";

export const OCHRE = "#e3a440";

export const TEAL = "#357a79";

export const ROSE = "#e3b3a0";

export const VERMILION = "#d5492d";

export const SAGE = "#8aa583";

export const none = (): string => "";

const hairCut = (kit: Kit, d: string, hair: string): string =>
  cut(kit, d, hair, { tone: PAPER, from: "left", density: 1.6, reach: 0.5 });

/** A swimmer's knitted cap and a braid over the shoulder. */
export const braid = (kit: Kit, hair: string): string =>
  hairCut(
    kit,
    "M268 360Q250 190 400 180Q560 186 536 360Q520 280 470 262Q390 300 300 270Q276 300 268 360Z",
    hair,
  ) +
  times(5, (i) =>
    cut(kit, ellipse(548 - i * 4, 420 + i * 52, 38 - i * 3, 36), hair, {
      tone: PAPER,
      from: "left",
      density: 5,
    }),
  ) +
  cut(kit, rounded(506, 646, 48, 18, 8), VERMILION);

export const nape = (kit: Kit, hair: string): string =>
  hairCut(
    kit,
    smooth(knots([262, 480, 240, 330, 300, 190, 400, 160, 500, 190, 580, 330, 590, 500, 520, 560, 420, 500])),
    hair,
  );

export const crown = (kit: Kit, hair: string): string =>
  hairCut(
    kit,
    smooth(
      knots([
        230, 340, 190, 230, 250, 120, 400, 70, 550, 120, 610, 230, 570, 340, 600, 440, 520, 480, 280, 480,
        200, 440,
      ]),
    ),
    hair,
  );

const hairband = (kit: Kit): string =>
  cut(kit, "M266 300Q400 210 534 300Q534 262 520 240Q400 160 280 240Q266 262 266 300Z", OCHRE);

export const crownFront = (kit: Kit, hair: string): string =>
  hairCut(kit, "M272 310Q290 216 400 208Q510 216 528 310Q470 262 400 262Q330 262 272 310Z", hair) +
  cut(kit, ellipse(400, 214, 126, 60), hair) +
  hairband(kit);

const bakersCap = (kit: Kit): string =>
  cut(kit, smooth(knots([256, 270, 230, 170, 330, 110, 480, 110, 570, 170, 544, 270, 400, 250])), PAPER, {
    tone: OCHRE,
    from: "bottom",
    density: 3,
  }) +
  cut(kit, rounded(262, 240, 276, 46, 16), PAPER) +
  stroke("M272 286H528", OCHRE, 6);

export const beard = (kit: Kit, hair: string): string =>
  bakersCap(kit) +
  hairCut(
    kit,
    "M272 390Q282 560 400 572Q518 560 528 390Q500 450 440 442Q400 430 360 442Q300 450 272 390Z",
    hair,
  ) +
  stroke("M374 484Q400 500 426 484", ROSE, 9);

export const bob = (kit: Kit, hair: string): string =>
  hairCut(
    kit,
    smooth(knots([250, 560, 212, 420, 232, 230, 330, 150, 470, 150, 568, 230, 588, 420, 550, 560, 400, 520])),
    hair,
  );

export const fringe = (kit: Kit, hair: string): string =>
  hairCut(kit, "M262 350Q250 190 400 180Q550 190 538 350L520 318Q400 330 280 318Z", hair);

export const driver = (kit: Kit, hair: string): string =>
  hairCut(
    kit,
    "M266 400Q252 300 280 270L520 270Q548 300 534 400Q516 330 500 300L300 300Q284 330 266 400Z",
    hair,
  ) +
  cut(kit, smooth(knots([250, 262, 240, 170, 330, 130, 470, 130, 560, 170, 550, 262, 400, 240])), NAVY, {
    tone: TEAL,
    from: "left",
    density: 3,
  }) +
  cut(kit, "M250 262Q400 220 550 262Q590 296 572 306Q400 262 246 300Z", NAVY) +
  cut(kit, ellipse(400, 198, 20), OCHRE) +
  hairCut(kit, "M340 438Q370 416 400 430Q430 416 460 438Q430 458 400 446Q370 458 340 438Z", hair);

export const bun = (kit: Kit, hair: string): string => hairCut(kit, ellipse(430, 116, 82, 74), hair);

export const swept = (kit: Kit, hair: string): string =>
  hairCut(
    kit,
    "M258 400Q236 180 400 172Q566 180 542 400Q530 300 440 250Q340 270 300 320Q270 350 258 400Z",
    hair,
  ) +
  cut(kit, ellipse(270, 448, 13), OCHRE) +
  cut(kit, ellipse(530, 448, 13), OCHRE);

const curls = (kit: Kit, hair: string): string =>
  times(11, (i) =>
    cut(
      kit,
      ellipse(400 + Math.cos(Math.PI * (1 + i / 10)) * 134, 300 + Math.sin(Math.PI * (1 + i / 10)) * 116, 54),
      hair,
      { tone: PAPER, from: "left", density: 3, reach: 0.5 },
    ),
  ) + cut(kit, ellipse(400, 226, 110, 50), hair);

export const glasses = (kit: Kit, hair: string): string =>
  curls(kit, hair) +
  stroke(`${ellipse(342, 366, 42)}${ellipse(458, 366, 42)}M384 362Q400 352 416 362`, NAVY, 9);

export const long = (kit: Kit, hair: string): string =>
  hairCut(
    kit,
    smooth(knots([230, 720, 200, 520, 226, 250, 320, 150, 480, 150, 574, 250, 600, 520, 580, 720, 400, 640])),
    hair,
  );

export const parted = (kit: Kit, hair: string): string =>
  hairCut(kit, "M258 420Q240 190 400 180Q560 190 542 420Q536 310 350 232Q290 310 258 420Z", hair);
