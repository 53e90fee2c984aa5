export type Finding = { verdict: "ok" | "warning" | "problem"; message: string };

export const ok = (message: string): Finding => ({ verdict: "ok", message });
export const warning = (message: string): Finding => ({ verdict: "warning", message });
export const problem = (message: string): Finding => ({ verdict: "problem", message });
