import { existsSync } from "node:fs";
import chromium from "@sparticuz/chromium";
import { chromium as driver, firefox, type Browser, type BrowserContext, type Page } from "playwright-core";

const SYSTEM_FIREFOX = ["/usr/bin/firefox-esr", "/usr/bin/firefox"];

/** Launches npm's Chromium, or the one that CHROMIUM names; in the project `firefox`, the system's Firefox. */
export async function openBrowser(): Promise<Browser> {
  return process.env["BROWSER"] === "firefox" ? openFirefox() : openChromium();
}

/** Controls an unmodified Firefox by WebDriver BiDi; Playwright 1.65 sends a command that Firefox 153 does not know. */
function openFirefox(): Promise<Browser> {
  const executablePath = SYSTEM_FIREFOX.find((path) => existsSync(path)) ?? "";
  return firefox.launch({ channel: "moz-firefox", executablePath, headless: true });
}

/** Unpacks npm's Chromium, whose headless shell needs half the CPU time of a desktop browser without a window. */
export const chromiumPath = async () => process.env["CHROMIUM"] ?? (await chromium.executablePath());

async function openChromium(): Promise<Browser> {
  const executablePath = await chromiumPath();
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
  ];
  return driver.launch({ executablePath, args, headless: true });
}

export type Visitor = {
  page: Page;
  context: BrowserContext;
  /** Console errors and warnings, exceptions and CSP violations. */
  complaints: string[];
};

type Options = Parameters<Browser["newContext"]>[0];

/**
 * Without service workers, which would send requests that most tests observe, unless the options allow them. Playwright
 * would block them with a warning.
 */
export async function openContext(browser: Browser, options: Options): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  if (options?.serviceWorkers !== "allow")
    await context.addInitScript(() => {
      delete (Navigator.prototype as Partial<Navigator> & { serviceWorker?: unknown }).serviceWorker;
    });
  return context;
}

export async function visit(browser: Browser, baseURL: string, options: Options = {}): Promise<Visitor> {
  const context = await openContext(browser, { baseURL, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // The browser logs every 404 page itself.
    const own404 = message.text().includes("404 (Not Found)") && message.location().url === page.url();
    if (["error", "warning"].includes(message.type()) && !own404) complaints.push(message.text());
  });
  return { page, context, complaints };
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.waitForURL("**/");
}
