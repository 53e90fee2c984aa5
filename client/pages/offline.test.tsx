// @vitest-environment jsdom
import { act, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderWith } from "../testing/render.tsx";
import { OfflineBar } from "../ui/feedback/offline-bar.tsx";
import { OfflinePage } from "./offline.tsx";

afterEach(() => {
  vi.restoreAllMocks();
  history.replaceState(null, "", "/");
});

test("the page of its own address says what it is for, and reloads nothing", () => {
  history.replaceState(null, "", "/offline");
  renderWith(<OfflinePage />);
  expect(screen.getByRole("heading", { name: "Read offline" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

test("in place of another page it says why that cannot be shown", () => {
  history.replaceState(null, "", "/posts/details/1");
  renderWith(<OfflinePage />);
  expect(screen.getByRole("heading", { name: "You are offline" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
});

test("without a service worker the bar promises no page", () => {
  renderWith(<OfflineBar />);
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  act(() => void dispatchEvent(new Event("offline")));
  expect(screen.getByText("You are offline. Other pages open when you are back.")).toBeTruthy();
});
