// @vitest-environment jsdom
import { act, screen, waitFor } from "@testing-library/react";
import { Navigate, Route, Routes } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { address, data, refusal, renderWith, toasts } from "../../testing/render.tsx";
import { ignoreReports, SiteContext } from "../../lib/site.ts";
import { LoginForm } from "./login-form.tsx";
import { ForgotPasswordForm } from "./password-reset-forms.tsx";
import { RegisterForm } from "./register-form.tsx";
import { endSession, readSession, startSession } from "./session.ts";
import { SessionList } from "./session-list.tsx";
import { VisitorsOnly } from "./visitors-only.tsx";

const wrong = refusal({ message: "invalid email or password", code: "BAD_USER_INPUT" });
const viewer = {
  __typename: "Viewer",
  id: "maya",
  username: "Maya",
  email: "maya@example.org",
  isAdmin: false,
  profilePhoto: { __typename: "Image", url: "/maya.jpg" },
};
const signedIn = data({ login: { __typename: "Session", token: "t", viewer } });

const field = (name: string) => screen.getByLabelText(name);
const press = (name: string) => screen.getByRole("button", { name });

beforeEach(endSession);

test("the toast says what the specification says, and plain words stand beside the field", async () => {
  const { user, sent } = renderWith(<LoginForm />);
  await user.click(press("Login"));
  await waitFor(() => expect(toasts()).toEqual(["Email is required"]));
  expect(screen.getByText("Please enter your email address.")).toBeTruthy();
  expect(field("Email").getAttribute("aria-invalid")).toBe("true");
  expect(document.activeElement).toBe(field("Email"));
  expect(sent).toEqual([]);
});

test.each([
  ["/posts", "/posts"],
  ["//posts.example", "/"],
])("a login that came from %s leads to %s", async (from, expected) => {
  renderWith(
    <Routes>
      <Route path="/start" element={<Navigate to="/login" state={{ from }} />} />
      <Route path="/login" element={<VisitorsOnly>Login</VisitorsOnly>} />
      <Route path="*" element={null} />
    </Routes>,
    {},
    "/start",
  );
  await screen.findByText("Login");
  act(() => startSession({ token: "t", viewer } as Parameters<typeof startSession>[0]));
  expect(address()).toBe(expected);
});

test("an error toast goes with the next attempt, and shows again for the same error", async () => {
  const responses = [wrong, wrong, signedIn];
  const { user } = renderWith(<LoginForm />, { Login: () => responses.shift() ?? wrong });
  await user.type(field("Email"), "maya@example.org");
  await user.click(press("Login"));
  await waitFor(() => expect(toasts()).toEqual(["Password is required"]));
  await user.type(field("Password"), "seven blue herons");
  for (const attempt of [1, 2]) {
    await user.click(press("Login"));
    await waitFor(() => expect(toasts(), `attempt ${attempt}`).toEqual(["invalid email or password"]));
  }
  await user.click(press("Login"));
  await waitFor(() => expect(readSession()?.username).toBe("Maya"));
  expect(toasts()).toEqual([]);
});

test("an error toast goes with its form", async () => {
  const { user, show } = renderWith(<LoginForm />);
  await user.click(press("Login"));
  await waitFor(() => expect(toasts()).toHaveLength(1));
  show(<p>Another page</p>);
  await waitFor(() => expect(toasts()).toEqual([]));
});

test("a password can be shown", async () => {
  const { user } = renderWith(<LoginForm />);
  expect(field("Password").getAttribute("type")).toBe("password");
  await user.click(press("Show"));
  expect(field("Password").getAttribute("type")).toBe("text");
  expect(press("Show").getAttribute("aria-pressed")).toBe("true");
});

test("Login and Register lead to each other", () => {
  renderWith(<LoginForm />);
  expect(screen.getByText(/^New here\?/).textContent).toBe("New here? Register");
  expect(screen.getByRole("link", { name: "Register" }).getAttribute("href")).toBe("/register");
  renderWith(<RegisterForm onRegistered={() => {}} />);
  expect(screen.getByText(/^Have an account\?/).textContent).toBe("Have an account? Login");
  expect(screen.getByRole("link", { name: "Login" }).getAttribute("href")).toBe("/login");
});

test("a taken name is refused at its field", async () => {
  const taken = refusal({ message: "username already exist", code: "CONFLICT" });
  const { user } = renderWith(<RegisterForm onRegistered={() => {}} />, { Register: taken });
  await user.type(field("Username"), "Maya");
  await user.type(field("Email"), "maya@example.org");
  await user.type(field("Password"), "seven blue herons");
  await user.click(press("Register"));
  await waitFor(() => expect(toasts()).toEqual(["username already exist"]));
  expect(screen.getByText("This name is taken, please choose another.")).toBeTruthy();
  expect(field("Username").getAttribute("aria-invalid")).toBe("true");
});

test("a pasted password that is too long is refused, not cut", async () => {
  const { user, sent } = renderWith(<RegisterForm onRegistered={() => {}} />);
  await user.type(field("Username"), "Maya");
  await user.type(field("Email"), "maya@example.org");
  await user.click(field("Password"));
  await user.paste("x".repeat(130));
  await user.click(press("Register"));
  expect((field("Password") as HTMLInputElement).value).toHaveLength(130);
  expect(screen.getByText("2 characters too long", { selector: ".error" })).toBeTruthy();
  expect(sent).toEqual([]);
});

test("the request of a reset link ends in what to do next", async () => {
  const message = "Password reset link sent to your email, Please check your inbox";
  const sentLink = data({ requestPasswordReset: { __typename: "Message", message } });
  const { user } = renderWith(<ForgotPasswordForm />, { RequestPasswordReset: sentLink });
  await user.type(field("Email"), "maya@example.org");
  await user.click(press("Submit"));
  await waitFor(() => expect(toasts()).toEqual([message]));
  expect(screen.queryByLabelText("Email")).toBeNull();
  expect(screen.getByText("maya@example.org")).toBeTruthy();
  await user.click(press("Use another address"));
  expect(field("Email")).toBeTruthy();
});

test("without a mail server, a requested link says where its email is", async () => {
  const sentLink = data({ requestPasswordReset: { __typename: "Message", message: "sent" } });
  const texts = { title: "Blog", url: "http://localhost" };
  const facts = {
    outage: false,
    isPartial: false,
    offline: false,
    offlineReading: false,
    hasMailServer: false,
  };
  const { user } = renderWith(
    <SiteContext value={{ ...texts, ...facts, ...ignoreReports }}>
      <ForgotPasswordForm />
    </SiteContext>,
    { RequestPasswordReset: sentLink },
  );
  await user.type(field("Email"), "maya@example.org");
  await user.click(press("Submit"));
  expect((await screen.findByText(/no mail server/)).textContent).toMatch(/Admin Dachboard, Letters/);
});

const session = (id: string, browser: string | null, isCurrent = false) => {
  const at = "2026-11-20T10:00:00.000Z";
  return {
    __typename: "Session",
    id,
    browser,
    userAgent: "curl/8.5.0",
    createdAt: at,
    lastSeenAt: at,
    isCurrent,
  };
};
const browsers = [
  session("1", "Firefox on Linux", true),
  session("2", "Chrome on Linux"),
  session("3", null),
];
const ended = ({ id }: { id: string }) =>
  data({ endSession: { __typename: "Deleted", id, message: "session has been ended" } });

test("one other session can be ended, and all others at once", async () => {
  const Sessions = data({ viewer: { __typename: "Viewer", id: "maya", sessions: browsers } });
  const { user, sent } = renderWith(<SessionList />, { Sessions, EndSession: ended });
  await screen.findByText(/Chrome on Linux/);
  expect(screen.getByText(/curl\/8/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Sign out all others" }));
  await waitFor(() => expect(screen.getAllByRole("listitem")).toHaveLength(1));
  expect(screen.getByRole("listitem").textContent).toContain("this browser");
  const named = sent.filter(({ name }) => name === "EndSession");
  expect(named.map(({ variables }) => variables.id)).toEqual(["2", "3"]);
  expect(screen.queryByRole("button", { name: "Sign out all others" })).toBeNull();
  expect(screen.getByRole("button", { name: "Sign out everywhere" })).toBeTruthy();
});
