import { useEffect, useState, type FormEvent } from "react";
import { plainMessageOf } from "../../config/plain-messages.ts";
import type { Draft } from "../drafts/use-draft.ts";
import { dismissProblems, prepareToasts, toast } from "../toast.ts";
import { fieldErrorsOf } from "./error-message.ts";
import { missingFields } from "./missing-fields.ts";
import { reportError } from "./report-error.ts";

type Errors = Record<string, string>;

type Options = {
  /** Saves the input until it has been sent. */
  draft?: Draft;
  /** The field that a conflict with existing data concerns. */
  unique?: string;
};

/**
 * Validates and submits a form. Errors show in a toast, in the server's words, and in plain words below their field
 * until the field changes. The toasts go with the next attempt and with the form. Input is never cleared.
 * @param required the error message by required field, in the order of the form
 */
export function useSubmit(
  required: Errors,
  send: (values: FormData) => Promise<unknown>,
  { draft, unique }: Options = {},
) {
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  useEffect(openToasts, []);

  function showErrors(form: HTMLFormElement, found: Errors): void {
    setErrors(Object.fromEntries(Object.entries(found).map(([name, text]) => [name, plainMessageOf(text)])));
    const [first] = Object.keys(found);
    if (first) form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  }

  async function submit(form: HTMLFormElement): Promise<void> {
    const values = new FormData(form);
    dismissProblems();
    const found = refusalsOf(form, values, required);
    const [first] = Object.values(found);
    if (first !== undefined) {
      toast.error(first);
      return showErrors(form, found);
    }
    setErrors({});
    setBusy(true);
    setReadOnly(form, true);
    draft?.flush();
    try {
      await send(values);
      draft?.drop();
    } catch (error) {
      if (isCancelled(error)) return toast.info("The upload was cancelled");
      reportError(error);
      showErrors(form, fieldErrorsOf(error, unique));
    } finally {
      setReadOnly(form, false);
      setBusy(false);
    }
  }

  return {
    busy,
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
        draft?.store(event.currentTarget);
      },
      onBlur: draft?.flush,
    },
  };
}

function openToasts(): () => void {
  prepareToasts();
  return dismissProblems;
}

/** While it is sent: what one typed meanwhile would be lost with the form, or stay unsent. */
function setReadOnly(form: HTMLFormElement, readOnly: boolean): void {
  for (const field of form.elements) Object.assign(field, { readOnly });
}

/** The messages for blank fields, and for those that refuse their input themselves (`useLimit`). */
function refusalsOf(form: HTMLFormElement, values: FormData, required: Errors): Errors {
  const missing = missingFields(values, required).map((name) => [name, required[name] ?? ""]);
  const refused = [...form.elements]
    .filter((element) => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
    .filter(({ validity }) => validity.customError)
    .map(({ name, validationMessage }) => [name, validationMessage]);
  return Object.fromEntries([...missing, ...refused]) as Errors;
}

const isCancelled = (error: unknown) => error instanceof DOMException && error.name === "AbortError";

export const textOf = (values: FormData, name: string): string => String(values.get(name) ?? "").trim();
