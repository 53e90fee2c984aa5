import "./text-tools.css";

/** Adds tools to a rendered text, where they are missing: links to its headings, copying of code, large pictures. */
export function addTextTools(prose: HTMLElement): void {
  prose.querySelectorAll<HTMLElement>("h2[id], h3[id]").forEach(addAnchor);
  prose.querySelectorAll("pre").forEach(addCopyButton);
  prose.querySelectorAll("img").forEach(makeLarge);
}

function button(className: string, text = ""): HTMLButtonElement {
  return Object.assign(document.createElement("button"), { type: "button", className, textContent: text });
}

function addAnchor(heading: HTMLElement): void {
  if (heading.querySelector(".anchor")) return;
  const anchor = Object.assign(document.createElement("a"), { className: "anchor", textContent: "#" });
  anchor.href = `#${heading.id}`;
  anchor.ariaLabel = `Link to “${heading.textContent}”`;
  heading.append(anchor);
}

function addCopyButton(pre: HTMLElement): void {
  if (pre.parentElement?.className === "code") return;
  const box = Object.assign(document.createElement("div"), { className: "code" });
  const copy = button("copy", "Copy");
  copy.addEventListener("click", () => {
    void navigator.clipboard.writeText(pre.textContent).then(() => {
      copy.textContent = "Copied";
      setTimeout(() => (copy.textContent = "Copy"), 2_000);
    });
  });
  pre.replaceWith(box);
  box.append(pre, copy);
}

function makeLarge(picture: HTMLImageElement): void {
  if (picture.closest("a, button")) return;
  const opener = button("enlarge");
  opener.ariaLabel = picture.alt ? `Enlarge: ${picture.alt}` : "Enlarge picture";
  opener.addEventListener("click", () => showLarge(picture));
  const element = picture.closest("picture") ?? picture;
  element.replaceWith(opener);
  opener.append(element);
}

function showLarge({ alt, currentSrc, src, srcset }: HTMLImageElement): void {
  const dialog = Object.assign(document.createElement("dialog"), { className: "large-picture" });
  const image = Object.assign(document.createElement("img"), { alt, src: src || currentSrc });
  if (srcset) Object.assign(image, { srcset, sizes: "100vw" });
  dialog.ariaLabel = alt || "Picture";
  const close = button("close", "Close");
  dialog.append(close, image);
  dialog.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
