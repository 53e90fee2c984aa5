/**
 * The only inline script. It is the same on every page, because the CSP allows it by its hash. It sets the theme
 * and the signed-in state before the first paint, so that neither flashes.
 * It also loads the page's code and the manifest. A visitor's page with posts or a large picture waits for the paint, which
 * they would delay on a slow network. A pointer or key press loads the code at once; click-replay.ts replays the
 * click. The page's style sheets are added disabled, so that lazy chunks do not load again what is inlined.
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
    var assets = JSON.parse(state.textContent).assets;
    add("link", { rel: "manifest", href: "/manifest.webmanifest" });
    assets.styles.forEach(function (style) { add("link", { rel: "stylesheet", href: style, disabled: true }) });
    assets.preloads.forEach(function (chunk) { add("link", { rel: "modulepreload", href: chunk }) });
    import(assets.script);
  }
  function painted(list) { if (list.getEntriesByName("first-contentful-paint")[0]) begin() }
  function on(act, react) { addEventListener(act, react, true) }
  on("DOMContentLoaded", function () {
    if (root.dataset.session === "user" || !document.querySelector("article, img[fetchpriority=high]")) begin();
  });
  on("load", function (event) {
    if (event.target === document) new PerformanceObserver(painted).observe({ type: "paint", buffered: true });
  });
  on("pointerdown", begin);
  on("keydown", begin);
  on("click", function (event) { if (window.early) window.early.button = event.target.closest("button") });
  setTimeout(begin, 4000);
})()`);

function minified(script: string): string {
  return script.replace(/\s*\n\s*/g, "");
}
