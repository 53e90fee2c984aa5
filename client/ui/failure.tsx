import { messageOf } from "../lib/error-message.ts";
import { Button } from "./button.tsx";
import "./notice.css";

/** An error where it happened, with a way to go on. */
export const Failure = ({ error, retry }: { error: unknown; retry: () => void }) => (
  <div className="notice" role="alert">
    <p>{messageOf(error)}</p>
    <Button look="quiet" type="button" onClick={retry}>
      Try again
    </Button>
  </div>
);
