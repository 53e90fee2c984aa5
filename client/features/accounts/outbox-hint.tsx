import { messages } from "../../config/messages.ts";
import { useSite } from "../../lib/site.ts";

/** Says where an email is that the user waits for, on a blog without a mail server. */
export const OutboxHint = () =>
  useSite().hasMailServer ? null : (
    <p>
      This blog has no mail server yet: an admin finds the email at <strong>{messages.menuAdmin}</strong>,{" "}
      <strong>Letters</strong>.
    </p>
  );
