declare module "turndown" {
  type Rule = {
    filter: string | string[];
    replacement: (content: string, node: HTMLElement) => string;
  };

  /** The package has no types of its own. */
  export default class TurndownService {
    constructor(options: Record<string, string>);
    addRule(name: string, rule: Rule): this;
    remove(filter: string[]): this;
    escape(text: string): string;
    turndown(node: HTMLElement): string;
  }
}
