import type { EmailData } from "../domain/ports.ts";

export type Site = { title: string; url: string };
export type ComposedEmail = { subject: string; text: string; html: string };

/** The content of an email, rendered as text and as HTML. */
type Draft = {
  subject: string;
  username: string;
  paragraphs: string[];
  action?: { label: string; path: string };
  /** Advice for a recipient who did not request the email. */
  footnote: string;
};

type Drafts = { [Kind in keyof EmailData]: (data: EmailData[Kind], site: Site) => Draft };

const drafts: Drafts = {
  verify: ({ username, link, at, browser }, { title }) => ({
    subject: `Verify your email address for ${title}`,
    username,
    paragraphs: [
      `Thank you for joining ${title}. One step is left: please confirm that this address is yours.`,
      `The account was asked for as “${unlinked(username)}” ${whenAndWhere(at, browser)}.`,
    ],
    action: { label: "Verify email address", path: link },
    footnote:
      "The link is good for 24 hours. If that was not you, do not follow it: somebody else chose the password, and the account will be removed in a week.",
  }),
  newSignIn: ({ username, at, browser }, { title }) => ({
    subject: `A new sign-in to ${title}`,
    username,
    paragraphs: [`Somebody, probably you, signed in to your account ${whenAndWhere(at, browser)}.`],
    action: { label: "Log in", path: "/login" },
    footnote:
      "If it was not you, choose “Forgot Password” on the login page at once: that ends every session.",
  }),
  reset: ({ username, link }, { title }) => ({
    subject: `Reset your password for ${title}`,
    username,
    paragraphs: ["You asked to choose a new password. Follow the link to do so."],
    action: { label: "Choose a new password", path: link },
    footnote:
      "The link is good for one hour and can be used once. If it was not you, ignore this email: your password stays.",
  }),
  accountExists: ({ username }, { title }) => ({
    subject: `You already have an account at ${title}`,
    username,
    paragraphs: [
      `Somebody, probably you, tried to register at ${title} with this address. It has an account already.`,
      "If you forgot your password, choose “Forgot Password” on the login page and a new one is a minute away.",
    ],
    action: { label: "Log in", path: "/login" },
    footnote: "If it was not you, there is nothing to do: nobody else learnt that this account exists.",
  }),
  passwordChanged: ({ username }, { title }) => ({
    subject: `Your password at ${title} was changed`,
    username,
    paragraphs: ["Your password was changed just now, and other browsers were signed out."],
    action: { label: "Log in", path: "/login" },
    footnote:
      "If it was not you, choose “Forgot Password” on the login page at once: that ends every session.",
  }),
  accountDeleted: ({ username }, { title }) => ({
    subject: `Your account at ${title} was deleted`,
    username,
    paragraphs: [
      "Your account is gone, and with it your posts, pictures, comments and likes.",
      "Thank you for writing.",
    ],
    footnote: "This is the last email you get from us.",
  }),
};

const whenAndWhere = (at: Date, browser: string | null) =>
  `on ${at.toISOString().slice(0, 16).replace("T", " ")} UTC${browser ? ` with ${browser}` : ""}`;

/** Keeps mail programs from turning text of other users into a link. */
const unlinked = (words: string) => words.replace(/[.:/@。．｡․](?=\S)/g, "$& ");

/** Renders an email as text and HTML. Links are absolute, below `site.url`. */
export function composeEmail<Kind extends keyof EmailData>(
  kind: Kind,
  data: EmailData[Kind],
  site: Site,
): ComposedEmail {
  const draft = drafts[kind](data, site);
  return { subject: oneLine(draft.subject), text: asText(draft, site), html: asHtml(draft, site) };
}

/** A subject is a header: line breaks could inject others. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\s]+/gu, " ").trim();

function asText({ username, paragraphs, action, footnote }: Draft, site: Site): string {
  const link = action ? [`${action.label}:\n${site.url}${action.path}`] : [];
  return (
    [`Hello ${unlinked(username)},`, ...paragraphs, ...link, footnote, `${site.title}\n${site.url}`].join(
      "\n\n",
    ) + "\n"
  );
}

const font = "font-family:Georgia,'Times New Roman',serif";

function asHtml({ subject, username, paragraphs, action, footnote }: Draft, site: Site): string {
  const p = (text: string, style = "") => `<p style="margin:0 0 18px;${style}">${escapeHtml(text)}</p>`;
  const button = action
    ? `<p style="margin:26px 0"><a href="${escapeHtml(site.url + action.path)}" style="display:inline-block;padding:12px 22px;background:#a8321c;color:#fffaf4;font:600 16px Arial,sans-serif;text-decoration:none;border-radius:3px">${escapeHtml(action.label)}</a></p>`
    : "";
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;background:#f7f3ec;color:#241c15">
<div style="max-width:34em;margin:0 auto;padding:36px 24px;font-size:18px;line-height:1.55;${font}">
<p style="margin:0 0 28px;font-weight:bold;letter-spacing:1px">${escapeHtml(site.title)}</p>
${p(`Hello ${unlinked(username)},`)}
${paragraphs.map((text) => p(text)).join("\n")}
${button}
${p(footnote, "color:#6b5f52;font-size:15px")}
<p style="margin:28px 0 0;padding-top:14px;border-top:1px solid #ddd3c4;font-size:14px"><a href="${escapeHtml(site.url)}" style="color:#6b5f52">${escapeHtml(site.url)}</a></p>
</div>
</body>
</html>
`;
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
