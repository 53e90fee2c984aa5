import { useState, type FormEvent } from "react";
import { messageOf } from "./error-message.ts";
import { firstMissing } from "./first-missing.ts";
import { toast } from "./toast.ts";

/**
 * A form whose fields are checked for blanks before it is sent. What is missing is said in a toast and
 * beside the field; what the server refuses, in its own words. Nothing typed is touched.
 * @param required the message per field that must not be blank, in the order of the form
 * @param send does the work with what was typed
 */
export function useSubmit<Name extends string>(
  required: Record<Name, string>,
  send: (values: FormData) => Promise<void>,
) {
  const [error, setError] = useState<{ name: Name; message: string } | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(form: HTMLFormElement): Promise<void> {
    const values = new FormData(form);
    const missing = firstMissing(values, required);
    setError(missing && { name: missing, message: required[missing] });
    if (missing) {
      form.querySelector<HTMLElement>(`[name="${missing}"]`)?.focus();
      return toast.error(required[missing]);
    }
    setBusy(true);
    try {
      await send(values);
    } catch (thrown) {
      toast.error(messageOf(thrown));
    } finally {
      setBusy(false);
    }
  }

  return {
    busy,
    errorOf: (name: Name) => (error?.name === name ? error.message : undefined),
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      if (!busy) void submit(event.currentTarget);
    },
  };
}

/** What was typed in a field, without the blanks around it. */
export const textOf = (values: FormData, name: string): string => String(values.get(name) ?? "").trim();
