import {
  WIDTH,
  backdrop,
  below,
  between,
  box,
  cut,
  ellipse,
  moved,
  poly,
  ridge,
  rounded,
  smooth,
  snip,
  stroke,
  times,
  knots,
} from "./kit.ts";
import type { Kit } from "./kit.ts";

export function brickViaduct(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const opening = (x: number): string =>
    `M${x} 1240L${x} 560Q${x} 330 ${x + 190} 330Q${x + 380} 330 ${x + 380} 560L${x + 380} 1240Z`;
  const wall = `M-20 170L1820 170L1820 1240L-20 1240Z${[-230, 230, 690, 1150, 1610].map(opening).join("")}`;
  const bricks = stroke(
    times(
      120,
      () => `M${Math.round(between(kit, 0, WIDTH))} ${Math.round(between(kit, 210, 1180) / 30) * 30}h36`,
    ),
    ink,
    5,
    'opacity="0.32"',
  );
  const id = kit.nextId();
  const ring = (x: number): string =>
    stroke(
      `M${x - 4} 560Q${x - 4} 326 ${x + 190} 326Q${x + 384} 326 ${x + 384} 560`,
      mid,
      20,
      'stroke-dasharray="14 30"',
    );
  return (
    backdrop(kit, paper, { tone: pale, from: "top", density: 2 }) +
    cut(kit, ellipse(880, 620, 130), accent, { tone: mid, from: "bottom" }) +
    cut(kit, below(ridge(kit, 760, 60, 1.6)), pale, { tone: cool, from: "top", reach: 0.4 }) +
    cut(kit, below(ridge(kit, 880, 30, 2)), cool, { tone: ink, from: "top", reach: 0.4 }) +
    cut(kit, smooth(knots([640, 940, 900, 960, 1010, 1040, 1300, 1300, 300, 1300, 700, 1060])), paper, {
      tone: cool,
      from: "bottom",
    }) +
    cut(kit, box(1330, 880, 130, 110), accent) +
    cut(kit, poly(knots([1310, 884, 1395, 800, 1480, 884])), ink) +
    `<clipPath id="${id}"><path d="${wall}" clip-rule="evenodd"/></clipPath><g clip-path="url(#${id})">${backdrop(kit, accent, { tone: ink, from: "bottom", density: 1.8, reach: 1 })}${bricks}</g>` +
    [-230, 230, 690, 1150, 1610].map(ring).join("") +
    cut(kit, snip(kit, -20, 150, 1840, 46, 3), ink) +
    [-80, 380, 840, 1300]
      .map(
        (x) =>
          cut(kit, box(x + 220, 556, 100, 24), mid) +
          cut(kit, ellipse(x + 270, 700, 26), ink) +
          cut(kit, ellipse(x + 270, 700, 17), paper),
      )
      .join("") +
    cut(kit, rounded(520, 62, 260, 92, 12) + rounded(800, 62, 260, 92, 12), cool) +
    times(8, (i) => cut(kit, box(542 + i * 62 + (i > 3 ? 32 : 0), 82, 40, 34), paper)) +
    cut(kit, rounded(1080, 50, 230, 104, 30), ink) +
    cut(kit, box(1230, 70, 44, 36), mid)
  );
}

function inspectors(kit: Kit, x: number, y: number): string {
  const { mid, accent, ink, paper } = kit.pal;
  const person = (dx: number, coat: string, helmet: string, tall: number): string =>
    cut(kit, box(dx - 17, y - 60, 15, 62) + box(dx + 3, y - 60, 15, 62), ink) +
    cut(
      kit,
      smooth([
        [dx - 34, y - 44],
        [dx - 34, y - tall + 20],
        [dx, y - tall],
        [dx + 34, y - tall + 20],
        [dx + 34, y - 44],
        [dx, y - 36],
      ]),
      coat,
      { tone: ink, from: "right", density: 12 },
    ) +
    cut(kit, ellipse(dx, y - tall - 20, 20, 22), paper) +
    cut(kit, `M${dx - 30} ${y - tall - 22}Q${dx} ${y - tall - 76} ${dx + 30} ${y - tall - 22}Z`, helmet);
  return (
    person(x, accent, mid, 140) +
    person(x + 96, mid, accent, 124) +
    stroke(`M${x - 24} ${y - 110}L${x - 66} ${y - 170}`, accent, 15) +
    stroke(`M${x - 60} ${y - 150}L${x - 84} ${y - 214}`, paper, 9) +
    stroke(`M${x - 104} ${y - 206}L${x - 64} ${y - 222}`, ink, 17)
  );
}

function ironwork(kit: Kit): string {
  const { accent, ink } = kit.pal;
  const arc = (x: number): number => 480 + Math.pow((x - 900) / 640, 2) * 400;
  const posts = stroke(
    times(27, (i) => `M${276 + i * 48} 432V${Math.round(arc(276 + i * 48))}`),
    ink,
    9,
  );
  const rib = (drop: number, width: number, color: string): string =>
    stroke(`M250 ${890 + drop}Q900 ${76 + drop * 1.2} 1550 ${890 + drop}`, color, width);
  const braces = stroke(
    times(
      26,
      (i) =>
        `M${276 + i * 48} ${Math.round(arc(276 + i * 48))}L${300 + i * 48} ${Math.round(arc(300 + i * 48)) + 56}L${324 + i * 48} ${Math.round(arc(324 + i * 48))}`,
    ),
    ink,
    6,
  );
  const railing =
    stroke(
      times(46, (i) => `M${i * 40} 340V400`),
      ink,
      5,
    ) + stroke("M-20 340H1820", ink, 9);
  return (
    posts +
    braces +
    rib(0, 22, ink) +
    rib(56, 15, ink) +
    rib(-3, 7, accent) +
    cut(kit, snip(kit, -20, 396, 1840, 40, 3), ink) +
    stroke("M-20 416H1820", accent, 7) +
    railing
  );
}

export function ironArch(kit: Kit): string {
  const { paper, pale, mid, accent, cool, ink } = kit.pal;
  const cliff = (d: string): string => cut(kit, d, ink, { tone: cool, from: "top", density: 2, reach: 0.8 });
  const rain = times(90, () => {
    const x = between(kit, -60, 1840);
    const y = between(kit, -40, 1200);
    const l = between(kit, 40, 110);
    return `M${Math.round(x)} ${Math.round(y)}l${Math.round(-l * 0.26)} ${Math.round(l)}`;
  });
  return (
    backdrop(kit, pale, { tone: paper, from: "bottom", density: 2, reach: 0.9 }) +
    cut(kit, ellipse(900, 640, 330), accent, { tone: mid, from: "bottom", density: 2.4, reach: 0.8 }) +
    cut(kit, below(ridge(kit, 700, 60, 1.5)), cool, { tone: pale, from: "top", density: 2, reach: 0.5 }) +
    cut(kit, below(ridge(kit, 860, 34, 1.8)), mid, { tone: accent, from: "top", reach: 0.4 }) +
    cut(kit, poly(knots([-20, 980, 1820, 980, 1820, 1220, -20, 1220])), cool, {
      tone: ink,
      from: "bottom",
      density: 2,
      reach: 1,
    }) +
    times(10, (i) =>
      cut(
        kit,
        rounded(900 - (300 - i * 16) / 2 + between(kit, -60, 60), 1000 + i * 20, 300 - i * 16, 9, 4),
        i % 3 ? accent : paper,
      ),
    ) +
    ironwork(kit) +
    cliff(
      poly(
        knots([-20, 430, 190, 430, 250, 560, 230, 760, 330, 860, 344, 1000, 640, 1012, 690, 1220, -20, 1220]),
      ),
    ) +
    cliff(
      poly(
        knots([
          1820, 430, 1620, 430, 1560, 600, 1590, 760, 1480, 850, 1460, 980, 1340, 1050, 1270, 1220, 1820,
          1220,
        ]),
      ),
    ) +
    moved(inspectors(kit, 0, 0), 440, 1010, 0, 1.4) +
    stroke(rain, paper, 4, 'opacity="0.7"')
  );
}
