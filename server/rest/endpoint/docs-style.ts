/** Added to the site's own sheet, whose layers Swagger UI's rules would override: hence the id in every selector. */
export const DOCS_STYLE = `
html.dark-mode { background: var(--paper); }
.docs-header, .docs-guide, #docs {
  inline-size: min(100% - 2 * var(--gutter), 60rem);
  margin-inline: auto;
}
.docs-header {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0 var(--space-5);
  padding-block: var(--space-2);
  border-block-end: 1px solid var(--line);
  & a {
    display: inline-flex;
    align-items: center;
    min-block-size: 2.75rem;
    font: 500 0.9375rem/1 var(--sans);
    text-decoration: none;
  }
  & .wordmark {
    font: 600 1.35rem/1 var(--serif);
    letter-spacing: 0.06em;
  }
  & nav {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--space-4);
  }
}
.docs-guide {
  padding-block: var(--space-7) var(--space-4);
  font: 1.0625rem/1.6 var(--serif);
  & h2 { margin-block: var(--space-7) var(--space-3); font-size: var(--size-3); }
  & h3 { margin-block: var(--space-5) var(--space-2); font: 600 var(--size-small)/1.3 var(--sans); letter-spacing: 0; }
  & p { max-inline-size: 38rem; margin-block: var(--space-3); }
  & pre {
    overflow-x: auto;
    padding: var(--space-4);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--raised);
    font: 0.8125rem/1.55 ui-monospace, "Cascadia Mono", Menlo, monospace;
  }
  & code { font: 0.875em ui-monospace, "Cascadia Mono", Menlo, monospace; }
  & table { border-collapse: collapse; font: 0.9375rem/1.45 var(--sans); }
  & :is(th, td) {
    padding: var(--space-2) var(--space-5) var(--space-2) 0;
    border-block-end: 1px solid var(--line);
    font-weight: 400;
    text-align: start;
    vertical-align: top;
  }
}
html #docs .swagger-ui {
  background: none;
  font-family: var(--sans);
  color: var(--ink);
  & :is(.wrapper, .scheme-container) { max-inline-size: none; margin: 0; padding: 0; background: none; box-shadow: none; }
  & :is(.information-container, .servers-title, .servers) { display: none; }
  & .schemes { padding-block-end: var(--space-4); }
  & .auth-wrapper { justify-content: start; }
  & :is(h4, h5, label, p, td, th, .opblock-summary-path, .opblock-summary-path a, .tab li, .model, .model-title),
  & :is(.opblock-summary-description, .parameter__name, .parameter__type, .response-col_status, .response-col_links) {
    color: var(--ink);
    font-family: var(--sans);
  }
  & .opblock-tag { padding-inline: 0; color: var(--ink); border-color: var(--line); font: 500 var(--size-3)/1.3 var(--serif); }
  & .opblock-tag :is(a, span) { font: inherit; }
  & .opblock { margin: 0; border: 0; border-block-end: 1px solid var(--line); border-radius: 0; background: none; box-shadow: none; }
  & .opblock .opblock-summary { padding-inline: 0; border: 0; }
  & .opblock .opblock-summary-method {
    min-inline-size: 4.75rem;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
    background: none;
    color: var(--ink);
    font: 600 0.75rem/1.2 var(--sans);
    text-shadow: none;
  }
  & .opblock-delete .opblock-summary-method { border-color: var(--danger); color: var(--danger); }
  & .opblock .opblock-section-header { background: var(--wash); box-shadow: none; }
  & .opblock-body pre.microlight { background: var(--wash) !important; color: var(--ink); }
  & :is(input, textarea, select) {
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
    background: var(--raised);
    box-shadow: none;
    color: var(--ink);
  }
  & .btn { border: 1px solid var(--line-strong); border-radius: var(--radius); background: none; box-shadow: none; color: var(--ink); }
  & .btn.execute { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
  & .btn.authorize svg { fill: var(--ink); }
  & .dialog-ux .modal-ux { border-color: var(--line-strong); border-radius: var(--radius); background: var(--raised); box-shadow: none; }
  & :is(.json-schema-2020-12, .json-schema-2020-12 button, .model-box) { background: none; color: var(--ink); }
  & .json-schema-2020-12__constraint { background: var(--wash); color: var(--ink); }
  & section.models { border-color: var(--line); border-radius: var(--radius); }
  @media (width < 46rem) {
    & .opblock-summary { flex-wrap: wrap; }
    & .opblock-summary-path { max-inline-size: none; }
  }
}
`;
