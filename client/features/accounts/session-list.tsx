import { useMutation, useQuery } from "@apollo/client/react";
import { useState } from "react";
import {
  EndSessionDocument,
  LogoutEverywhereDocument,
  SessionsDocument,
  type SessionsQuery,
} from "../../generated/forms/graphql.ts";
import { reportError } from "../../lib/forms/report-error.ts";
import { Button } from "../../ui/forms/button.tsx";
import { TimeAgo } from "../../ui/data/time.tsx";
import { endSession } from "./session.ts";
import "./session-list.css";

type Session = NonNullable<SessionsQuery["viewer"]>["sessions"][number];

export function SessionList() {
  const { data } = useQuery(SessionsDocument, { fetchPolicy: "network-only" });
  const { ending, end } = useEndSessions();
  const [logoutEverywhere, { loading }] = useMutation(LogoutEverywhereDocument);
  const sessions = data?.viewer?.sessions ?? [];
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  const endAll = async () => {
    try {
      await logoutEverywhere();
      endSession();
    } catch (error) {
      reportError(error);
    }
  };
  return (
    <section className="session-list" aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
      <ul>
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isEnding={ending.includes(session.id)}
            onEnd={() => void end([session])}
          />
        ))}
      </ul>
      <div className="actions">
        {others.length > 1 && (
          <Button type="button" variant="quiet" busy={ending.length > 1} onClick={() => void end(others)}>
            Sign out all others
          </Button>
        )}
        <Button type="button" variant="quiet" busy={loading} onClick={() => void endAll()}>
          Sign out everywhere
        </Button>
      </div>
    </section>
  );
}

type RowProps = { session: Session; isEnding: boolean; onEnd: () => void };

const nameOf = ({ browser, userAgent }: Session) => browser ?? userAgent?.slice(0, 60) ?? "Unknown browser";

const SessionRow = ({ session, isEnding, onEnd }: RowProps) => (
  <li>
    <span>
      {nameOf(session)}{" "}
      <span className="meta">
        {session.isCurrent ? "this browser" : <TimeAgo iso={session.lastSeenAt} />}
      </span>
    </span>
    {!session.isCurrent && (
      <Button
        type="button"
        variant="quiet"
        busy={isEnding}
        aria-label={`Sign out ${nameOf(session)}`}
        onClick={onEnd}
      >
        Sign out
      </Button>
    )}
  </li>
);

function useEndSessions() {
  const [endOne] = useMutation(EndSessionDocument);
  const [ending, setEnding] = useState<string[]>([]);
  async function end(sessions: Session[]): Promise<void> {
    setEnding(sessions.map(({ id }) => id));
    try {
      for (const { id } of sessions)
        await endOne({
          variables: { id },
          update: (cache) => void cache.evict({ id: cache.identify({ __typename: "Session", id }) }),
        });
    } catch (error) {
      reportError(error);
    }
    setEnding([]);
  }
  return { ending, end };
}
