import { useEffect, useState, type FormEvent } from "react";
import { fieldErrorsOf, messageOf } from "./error-message.ts";
import { missingFields } from "./missing-fields.ts";
import { prepareToasts, toast } from "../toast.ts";
import type { Draft } from "../drafts/use-draft.ts";

type Errors = Record<string, string>;

/**
 * Validates that fields are not blank and submits a form. Errors, the server's included, show in a toast and below
 * their field until the field changes. Input is never cleared.
 * @param required the error message by required field, in the order of the form
 * @param draft saves the input until it has been sent
 */
export function useSubmit(required: Errors, send: (values: FormData) => Promise<unknown>, draft?: Draft) {
  const [errors, setErrors] = useState<Errors>({});
  /** The error that concerns no field, for dialogs, which cover toasts. */
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(prepareToasts, []);

  function showErrors(form: HTMLFormElement, found: Errors, message: string): void {
    setErrors(found);
    toast.error(message);
    const [first] = Object.keys(found);
    if (first) form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  }

  async function submit(form: HTMLFormElement): Promise<void> {
    const values = new FormData(form);
    setFailure(null);
    const missing = missingFields(values, required);
    const found = Object.fromEntries(missing.map((name) => [name, required[name] ?? ""]));
    const [first] = Object.values(found);
    if (first !== undefined) return showErrors(form, found, first);
    setErrors({});
    setBusy(true);
    draft?.flush();
    try {
      await send(values);
      draft?.drop();
    } catch (error) {
      if (isCancelled(error)) return toast.info("The upload was cancelled");
      const refused = fieldErrorsOf(error);
      showErrors(form, refused, messageOf(error));
      if (Object.keys(refused).length === 0) setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  return {
    busy,
    failure,
    errorOf: (name: string): string | undefined => errors[name],
    form: {
      noValidate: true,
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        if (!busy) void submit(event.currentTarget);
      },
      onInput: (event: FormEvent<HTMLFormElement>) => {
        const { name } = event.target as HTMLInputElement;
        if (errors[name] !== undefined) setErrors(({ [name]: _, ...others }) => others);
        draft?.keep(event.currentTarget);
      },
      onBlur: draft?.flush,
    },
  };
}

const isCancelled = (error: unknown) => error instanceof DOMException && error.name === "AbortError";

export const textOf = (values: FormData, name: string): string => String(values.get(name) ?? "").trim();
