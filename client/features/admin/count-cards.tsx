/** How much there is of everything. */
export const CountCards = ({ counts }: { counts: [label: string, count: number][] }) => (
  <dl className="count-cards">
    {counts.map(([label, count]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{count.toLocaleString("en")}</dd>
      </div>
    ))}
  </dl>
);
