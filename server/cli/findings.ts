export type Finding = { verdict: "ok" | "warning" | "problem"; says: string };

export const ok = (says: string): Finding => ({ verdict: "ok", says });
export const warning = (says: string): Finding => ({ verdict: "warning", says });
export const problem = (says: string): Finding => ({ verdict: "problem", says });
