import "./sparkline.css";

const WIDTH = 120;
const HEIGHT = 28;

/** A small line chart without axes, hidden from screen readers; the text next to it names the data. */
export function Sparkline({ values }: { values: number[] }) {
  const points = pointsOf(values);
  const [first, last] = [points.at(0), points.at(-1)];
  if (!first || !last) return null;
  const line = points.map(({ x, y }) => `${x},${y}`).join(" ");
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <polygon points={`${first.x},${HEIGHT} ${line} ${last.x},${HEIGHT}`} />
      <polyline points={line} />
    </svg>
  );
}

/** Scales values from 0 to the maximum, with padding of half a stroke's width. */
export function pointsOf(values: number[]): { x: number; y: number }[] {
  const highest = Math.max(...values, 1);
  const step = WIDTH / Math.max(values.length - 1, 1);
  const round = (number: number) => Math.round(number * 10) / 10;
  return values.map((value, index) => ({
    x: round(index * step),
    y: round(HEIGHT - 1 - (value / highest) * (HEIGHT - 2)),
  }));
}
