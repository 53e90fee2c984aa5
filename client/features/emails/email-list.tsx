import type { EmailItemFragment } from "../../generated/admin/graphql.ts";
import { TimeAgo } from "../../ui/data/time.tsx";
import "./email-list.css";

export const EmailList = ({ emails }: { emails: EmailItemFragment[] }) => (
  <div className="email-list">
    {emails.map(({ id, recipient, subject, text, createdAt }) => (
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
