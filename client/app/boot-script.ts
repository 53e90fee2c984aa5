/**
 * The one inline script, the same on every page and allowed by its hash. Before the first paint it says
 * which theme was chosen and whether somebody is signed in, so that nothing flashes in the wrong state.
 *
 * It also fetches the page's code, once the page is painted with its picture: a page can be read before it is
 * alive, and on a slow line scripts would take from the picture what it needs. Whoever acts sooner gets it sooner.
 */
export const bootScript = minified(`(function () {
  var root = document.documentElement, theme, user, begun;
  try { theme = localStorage.getItem("theme"); user = localStorage.getItem("userInfo") } catch (e) {}
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  root.dataset.session = user && user !== "null" ? "user" : "visitor";
  function begin() {
    var state = document.getElementById("state");
    if (begun || !state) return;
    begun = true;
    root.dataset.painted = "";
    var assets = JSON.parse(state.textContent).assets;
    assets.preloads.forEach(function (chunk) {
      var link = document.createElement("link");
      link.rel = "modulepreload";
      link.href = chunk;
      document.head.append(link);
    });
    import(assets.script);
  }
  addEventListener("load", function () {
    new PerformanceObserver(begin).observe({ type: "paint", buffered: true });
  });
  ["pointerdown", "keydown"].forEach(function (act) { addEventListener(act, begin, { capture: true }) });
  setTimeout(begin, 4000);
})()`);

function minified(script: string): string {
  return script.replace(/\s*\n\s*/g, "");
}
