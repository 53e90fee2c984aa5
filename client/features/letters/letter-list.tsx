import type { LetterItemFragment } from "../../generated/admin/graphql.ts";
import { TimeAgo } from "../../ui/data/time.tsx";
import "./letter-list.css";

export const LetterList = ({ letters }: { letters: LetterItemFragment[] }) => (
  <div className="letter-list">
    {letters.map(({ id, recipient, subject, text, createdAt }) => (
      <details key={id}>
        <summary>
          <span>{subject}</span>
          <span className="meta">
            {recipient} · <TimeAgo iso={createdAt} />
          </span>
        </summary>
        <p>
          <Linked text={text} />
        </p>
      </details>
    ))}
  </div>
);

const Linked = ({ text }: { text: string }) =>
  text.split(/(https?:\/\/\S+)/).map((part, index) =>
    part.startsWith("http") ? (
      <a key={index} href={part}>
        {part}
      </a>
    ) : (
      part
    ),
  );
