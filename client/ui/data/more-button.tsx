import { useState } from "react";
import { reportError } from "../../lib/forms/report-error.ts";
import { Button } from "../forms/button.tsx";

export function MoreButton({ label = "Show more", load }: { label?: string; load: () => Promise<unknown> }) {
  const [busy, setBusy] = useState(false);
  const more = async () => {
    setBusy(true);
    await load().catch(reportError);
    setBusy(false);
  };
  return (
    <p className="more-button">
      <Button type="button" variant="quiet" busy={busy} onClick={() => void more()}>
        {label}
      </Button>
    </p>
  );
}
