import "./text-tools.css";

/** Adds tools to a rendered text, where they are missing: links to its headings, copying of code, large pictures. */
export function addTextTools(prose: HTMLElement): void {
  prose.querySelectorAll<HTMLElement>("h2[id], h3[id]").forEach(addAnchor);
  prose.querySelectorAll("pre").forEach(addCopyButton);
  prose.querySelectorAll("img").forEach((picture) => makeLarge(picture, prose));
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
  // Browsers offer the clipboard to pages of HTTPS alone.
  if (pre.parentElement?.className === "code" || !("clipboard" in navigator)) return;
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

function makeLarge(picture: HTMLImageElement, prose: HTMLElement): void {
  if (picture.closest("a, button")) return;
  const opener = button("enlarge");
  opener.ariaLabel = picture.alt ? `Enlarge: ${picture.alt}` : "Enlarge picture";
  opener.addEventListener("click", () => {
    const pictures = [...prose.querySelectorAll<HTMLImageElement>(".enlarge img")];
    showLarge(pictures, pictures.indexOf(picture));
  });
  const element = picture.closest("picture") ?? picture;
  element.replaceWith(opener);
  opener.append(element);
}

/** Shows a picture over the page; buttons, arrow keys and swipes lead to the others of the text. */
function showLarge(pictures: HTMLImageElement[], first: number): void {
  const dialog = Object.assign(document.createElement("dialog"), { className: "large-picture" });
  const image = document.createElement("img");
  let shown = first;
  const show = (step: number) => {
    shown = (shown + step + pictures.length) % pictures.length;
    const picture = pictures[shown];
    if (!picture) return;
    const { alt, src, currentSrc, srcset } = picture;
    Object.assign(image, { alt, sizes: "100vw", srcset, src: src || currentSrc });
    dialog.ariaLabel = alt || "Picture";
  };
  const stepButton = (className: string, label: string, step: number) => {
    const stepper = Object.assign(button(className, step < 0 ? "‹" : "›"), { ariaLabel: label });
    stepper.addEventListener("click", (event) => {
      event.stopPropagation();
      show(step);
    });
    return stepper;
  };
  show(0);
  dialog.append(button("close", "Close"), image);
  if (pictures.length > 1) {
    dialog.append(stepButton("previous", "Previous picture", -1), stepButton("next", "Next picture", 1));
    onSteps(dialog, show);
  }
  dialog.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Pixels. */
const SHORTEST_SWIPE = 50;

function onSteps(dialog: HTMLElement, show: (step: number) => void): void {
  let from: number | null = null;
  dialog.addEventListener("keydown", ({ key }) => {
    if (key === "ArrowLeft") show(-1);
    if (key === "ArrowRight") show(1);
  });
  // Two fingers zoom.
  dialog.addEventListener("touchstart", ({ touches }) => {
    from = touches.length === 1 ? (touches[0]?.clientX ?? null) : null;
  });
  dialog.addEventListener("touchend", ({ changedTouches }) => {
    const way = from === null ? 0 : (changedTouches[0]?.clientX ?? from) - from;
    if (Math.abs(way) >= SHORTEST_SWIPE) show(way > 0 ? -1 : 1);
    from = null;
  });
}
