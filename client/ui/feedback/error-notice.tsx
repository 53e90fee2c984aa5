import { useEffect } from "react";
import { messageOf } from "../../lib/forms/error-message.ts";
import { Button } from "../forms/button.tsx";
import "./notice.css";

/** Shows an error and a retry button; retries by itself when the browser is online again. */
export function ErrorNotice({ error, retry }: { error: unknown; retry: () => void }) {
  useEffect(() => {
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  }, [retry]);
  return (
    <div className="notice" role="alert">
      <p>{messageOf(error)}</p>
      <Button variant="quiet" type="button" onClick={retry}>
        Try again
      </Button>
    </div>
  );
}
