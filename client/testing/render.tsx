import { ApolloLink } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { MemoryRouter, useLocation } from "react-router-dom";
import { from } from "rxjs";
import { afterEach } from "vitest";
import { createCache, createClient } from "../app/apollo/client.ts";
import { FlashNotice } from "../ui/feedback/flash-notice.tsx";
import { Toasts } from "../ui/feedback/toasts.tsx";

type Response = ApolloLink.Result<Record<string, unknown>>;
type FakeResponse = Response | ((variables: any) => Response | Promise<Response>);
type Refusal = { message: string; code: string; fields?: Record<string, string> };

/** Renders components with a fake server, which answers by the name of the operation. */
export function renderWith(ui: ReactNode, responses: Record<string, FakeResponse> = {}, path = "/") {
  const sent: { name: string; variables: any; headers?: Record<string, string> }[] = [];
  const link = new ApolloLink(({ operationName: name = "", operationType, variables, getContext }) => {
    sent.push({ name, variables, headers: getContext().headers });
    const response = responses[name];
    if (!response) throw new Error(`no answer for ${name}`);
    const __typename = operationType === "mutation" ? "Mutation" : "Query";
    const answer = async () => {
      const { data: fields, ...rest } = await (typeof response === "function"
        ? response(variables)
        : response);
      return { ...rest, data: fields && { __typename, ...fields } };
    };
    return from(answer());
  });
  const client = createClient(link, createCache(), false);
  const inApp = (content: ReactNode) => (
    <ApolloProvider client={client}>
      <MemoryRouter initialEntries={[path]}>
        {content}
        <FlashNotice />
        <Toasts />
        <Address />
      </MemoryRouter>
    </ApolloProvider>
  );
  const { rerender } = render(inApp(ui));
  return { sent, client, user: userEvent.setup(), show: (next: ReactNode) => rerender(inApp(next)) };
}

const Address = () => <output aria-label="Address">{useLocation().pathname}</output>;

export const address = () => screen.getByLabelText("Address").textContent;

export const data = (fields: Record<string, unknown>): Response => ({ data: fields });

export const refusal = ({ message, code, fields }: Refusal): Response => ({
  errors: [{ message, extensions: { code, fields } }],
});

/** The texts of the toasts on screen; jsdom runs no animations, so those that are leaving stay in the document. */
export const toasts = () =>
  screen
    .queryAllByRole("alert")
    .filter((each) => each.closest("[data-in=true]"))
    .map((each) => each.textContent);

// jsdom has no modal dialogs.
HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
  this.querySelector<HTMLElement>("input, textarea, button")?.focus();
};

afterEach(() => {
  cleanup();
  localStorage.clear();
});
