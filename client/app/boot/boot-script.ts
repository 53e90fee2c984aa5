/**
 * The one inline script, the same on every page and allowed by its hash. Before the first paint it says
 * which theme was chosen and whether somebody is signed in, so that nothing flashes in the wrong state.
 *
 * It also fetches the page's code. A visitor who gets a page with a large picture can read it before it is
 * alive, and on a slow line scripts would take from the picture what it needs: they wait for the paint. Whoever
 * acts sooner gets them sooner, and the button that was pressed meanwhile is pressed again (early-click.ts).
 */
export const bootScript = minified(`(function () {
  var root = document.documentElement, theme, user, begun;
  try { theme = localStorage.getItem("theme"); user = localStorage.getItem("userInfo") } catch (e) {}
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  root.dataset.session = user && user !== "null" ? "user" : "visitor";
  window.early = {};
  function add(name, attributes) {
    document.head.append(Object.assign(document.createElement(name), attributes));
  }
  function begin() {
    var state = document.querySelector('body > script#state[type="application/json"]');
    if (begun || !state) return;
    begun = true;
    root.dataset.painted = "";
    var assets = JSON.parse(state.textContent).assets;
    assets.preloads.forEach(function (chunk) { add("link", { rel: "modulepreload", href: chunk }) });
    import(assets.script);
  }
  function on(act, react) { addEventListener(act, react, true) }
  on("DOMContentLoaded", function () {
    if (root.dataset.session === "user" || !document.querySelector("img[fetchpriority=high]")) begin();
  });
  on("load", function (event) {
    if (event.target === document) new PerformanceObserver(begin).observe({ type: "paint", buffered: true });
  });
  on("pointerdown", begin);
  on("keydown", begin);
  on("click", function (event) { if (window.early) window.early.button = event.target.closest("button") });
  setTimeout(begin, 4000);
})()`);

function minified(script: string): string {
  return script.replace(/\s*\n\s*/g, "");
}
