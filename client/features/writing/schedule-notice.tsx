import { useState } from "react";
import { plainMessageOf } from "../../config/plain-messages.ts";
import { flash } from "../../lib/flash.ts";
import { reportError } from "../../lib/forms/report-error.ts";
import { DateAndTime } from "../../ui/data/date-and-time.tsx";
import { Button } from "../../ui/forms/button.tsx";
import type { Autosave } from "./autosave.ts";
import { useSchedule } from "./use-schedule.ts";

export type Schedule = { publishAt: string | null; publishError: string | null };

export const ScheduleText = ({ publishAt, publishError }: Schedule) =>
  publishAt ? (
    <>
      Will be published <DateAndTime iso={publishAt} />
    </>
  ) : publishError ? (
    <span className="problem">Could not be published at its time: {plainMessageOf(publishError)}</span>
  ) : null;

type Props = Schedule & {
  id: string;
  autosave: Autosave;
  onChange: () => void;
  onUnscheduled: () => void;
};

export function ScheduleNotice({ id, autosave, onChange, onUnscheduled, ...schedule }: Props) {
  const setTime = useSchedule(id);
  const [busy, setBusy] = useState(false);
  const { publishAt, publishError } = schedule;
  if (!publishAt && !publishError) return null;
  const unschedule = async () => {
    setBusy(true);
    try {
      autosave.adopt(await setTime(await autosave.flush(), null));
      flash("This draft has no time any more");
      onUnscheduled();
    } catch (error) {
      reportError(error);
      setBusy(false);
    }
  };
  return (
    <section className="schedule-notice" aria-label="Schedule">
      <p>
        <ScheduleText {...schedule} />
        {publishAt && ". What is written until then is published with it."}
      </p>
      <div>
        <Button type="button" variant="quiet" onClick={onChange}>
          {publishAt ? "Change the time" : "Choose another time"}
        </Button>
        {publishAt && (
          <Button type="button" variant="quiet" busy={busy} onClick={() => void unschedule()}>
            Unschedule
          </Button>
        )}
      </div>
    </section>
  );
}
