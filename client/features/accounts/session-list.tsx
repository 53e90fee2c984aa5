import { useMutation, useQuery } from "@apollo/client/react";
import { EndSessionDocument, LogoutEverywhereDocument, SessionsDocument } from "../../generated/graphql.ts";
import { messageOf } from "../../lib/forms/error-message.ts";
import { toast } from "../../lib/toast.ts";
import { Button } from "../../ui/forms/button.tsx";
import { TimeAgo } from "../../ui/data/time.tsx";
import { endSession } from "./session.ts";
import { browserName } from "./browser-name.ts";
import "./session-list.css";

export function SessionList() {
  const { data } = useQuery(SessionsDocument, { fetchPolicy: "network-only" });
  const [endOne] = useMutation(EndSessionDocument);
  const [logoutEverywhere, { loading }] = useMutation(LogoutEverywhereDocument);
  const endOther = async (id: string) => {
    try {
      await endOne({
        variables: { id },
        update: (cache) => void cache.evict({ id: cache.identify({ __typename: "Session", id }) }),
      });
    } catch (error) {
      toast.error(messageOf(error));
    }
  };
  const end = async () => {
    try {
      await logoutEverywhere();
      endSession();
    } catch (error) {
      toast.error(messageOf(error));
    }
  };
  return (
    <section className="session-list" aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
      <ul>
        {data?.viewer?.sessions.map(({ id, userAgent, lastSeenAt, isCurrent }) => (
          <li key={id}>
            <span>{browserName(userAgent)}</span>
            <span className="meta">
              {isCurrent ? (
                "this browser"
              ) : (
                <>
                  <TimeAgo iso={lastSeenAt} />{" "}
                  <Button
                    type="button"
                    look="quiet"
                    aria-label={`Sign out ${browserName(userAgent)}`}
                    onClick={() => void endOther(id)}
                  >
                    Sign out
                  </Button>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      <div>
        <Button type="button" look="quiet" busy={loading} onClick={() => void end()}>
          Sign out everywhere
        </Button>
      </div>
    </section>
  );
}
