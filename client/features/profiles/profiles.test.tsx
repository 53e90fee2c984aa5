// @vitest-environment jsdom
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { data, refusal, renderWith, toasts } from "../../testing/render.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { PhotoForm } from "./photo-form.tsx";
import { UpdateProfile } from "./update-profile.tsx";

const image = {
  __typename: "Image",
  url: "/a.jpg",
  srcset: "",
  width: 1,
  height: 1,
  avifSrcset: "",
  placeholder: "",
  alt: "",
};
const profile = {
  __typename: "Profile",
  id: "maya",
  username: "Maya Lindqvist",
  bio: null,
  createdAt: "2026-11-20T10:00:00.000Z",
  profilePhoto: image,
};

test("the confirmation names the account, and asks for the password when it must", async () => {
  const again = refusal({ message: "please confirm your password", code: "REAUTHENTICATION_REQUIRED" });
  const wrong = '"currentPassword" is not your password';
  const refused = refusal({ message: wrong, code: "BAD_USER_INPUT", fields: { currentPassword: wrong } });
  const done = data({
    deleteProfile: { __typename: "Deleted", id: "maya", message: "your profile has been deleted" },
  });
  const responses = [again, refused, done];
  const onDeleted = vi.fn();
  const { user } = renderWith(<DeleteAccount profile={profile as never} onDeleted={onDeleted} />, {
    DeleteProfile: () => responses.shift() ?? done,
  });
  await user.click(screen.getByRole("button", { name: "Delete Your Account" }));
  const question = screen.getByRole("dialog", { name: "Are you sure?" });
  expect(within(question).getByText("Maya Lindqvist")).toBeTruthy();
  await user.click(within(question).getByRole("button", { name: "OK" }));
  await user.type(await within(question).findByLabelText("Current password"), "wrong");
  await user.click(within(question).getByRole("button", { name: "OK" }));
  await within(question).findByText("This is not your password.");
  await user.click(within(question).getByRole("button", { name: "OK" }));
  await waitFor(() => expect(onDeleted).toHaveBeenCalledWith("your profile has been deleted"));
});

test("a taken name is refused at its field in the dialog, and a saved profile says Saved", async () => {
  const taken = refusal({ message: "username already exist", code: "CONFLICT" });
  const responses = [taken, data({ updateProfile: { ...profile, username: "Maya L." } })];
  const onRenamed = vi.fn();
  const { user } = renderWith(<UpdateProfile profile={profile as never} onRenamed={onRenamed} />, {
    UpdateProfile: () => responses.shift() ?? taken,
  });
  await user.click(screen.getByRole("button", { name: "Update Profile" }));
  const dialog = screen.getByRole("dialog", { name: "Update Your Profile" });
  await user.click(within(dialog).getByRole("button", { name: "Update Profile" }));
  await within(dialog).findByText("This name is taken, please choose another.");
  // Inside the dialog, above its backdrop.
  await within(dialog).findByText("username already exist");
  await user.click(within(dialog).getByRole("button", { name: "Update Profile" }));
  await waitFor(() => expect(onRenamed).toHaveBeenCalledWith("Maya L."));
  expect(screen.getByText("Saved")).toBeTruthy();
});

test("what one typed is there again after closing, except for passwords", async () => {
  const { user } = renderWith(<UpdateProfile profile={profile as never} onRenamed={() => {}} />);
  const open = () => user.click(screen.getByRole("button", { name: "Update Profile" }));
  const field = (label: string) => within(screen.getByRole("dialog")).getByLabelText<HTMLInputElement>(label);
  await open();
  await user.type(field("Bio"), "Walks a lot");
  await user.type(field("Password"), "correct horse");
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(localStorage.getItem("drafts")).toContain("Walks a lot");
  expect(localStorage.getItem("drafts")).not.toContain("horse");
  await open();
  expect(field("Bio").value).toBe("Walks a lot");
  expect(field("Password").value).toBe("");
  await user.click(screen.getByRole("button", { name: "Discard" }));
  expect(field("Bio").value).toBe("");
});

test("upload without a photo warns", async () => {
  const { user, sent } = renderWith(<PhotoForm profileId="maya" onUploaded={() => {}} />);
  await user.click(screen.getByRole("button", { name: "upload" }));
  await waitFor(() => expect(toasts()).toEqual(["ther is no file!"]));
  expect(sent).toEqual([]);
});
