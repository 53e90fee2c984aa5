/** Records executed payloads and CSP violations, from the first script on. */
export const watch = () => {
  const seen: string[] = [];
  const report = (what: string) => void seen.push(what);
  Object.assign(window, { seen, pwn: () => report("ran") });
  for (const name of ["alert", "confirm", "prompt", "print", "open"])
    Object.assign(window, { [name]: () => report(name) });
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    report(`policy: ${violatedDirective} ${blockedURI}`),
  );
};

/** Finds elements that user text must never create. */
export const findBreakouts = () => {
  const never =
    "xss, [xss], iframe, object, embed, base, math, meta[http-equiv], form[action], [srcdoc], [formaction]";
  const ours = "head > script, head > style, script#state[type='application/json']";
  const isFound = (element: Element) => {
    const address = element.getAttribute("href") ?? element.getAttribute("src") ?? "/";
    const isLink = element.matches("a, area");
    // An address that cannot be parsed leads nowhere.
    const isBroken = isLink && !URL.canParse(address, location.href);
    const { protocol, host } = new URL(isBroken ? "/" : address, location.href);
    const isMail = isLink && protocol === "mailto:";
    const isPlaceholder = !isLink && /^(blob:|data:image\/webp;base64,)/.test(address);
    return [
      element.matches(never),
      element.matches("script, style") && !element.matches(ours),
      element.getAttributeNames().some((name) => name.startsWith("on")),
      !["http:", "https:"].includes(protocol) && !isPlaceholder && !isMail,
      !isLink && protocol.startsWith("http") && host !== location.host,
    ].some(Boolean);
  };
  const found = [...document.querySelectorAll("*")].filter(isFound);
  const { seen } = window as unknown as { seen: string[] };
  return [...found.map((element) => element.outerHTML.slice(0, 200)), ...seen];
};
