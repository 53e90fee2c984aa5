import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";

const isGenerated = (file) => /\/(generated|built)\//.test(file);
const isTest = (file) => /\.test\.tsx?$|\/testing\//.test(file);

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((file) => /\.tsx?$/.test(file) && !isGenerated(file))
    .sort();

const parse = (file) => {
  const text = readFileSync(file, "utf8");
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return { file, text, tree: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind) };
};

/** @returns metrics of the non-test files of `server` and `client`, and the offending places */
export function measureCode() {
  const all = [...filesIn("server"), ...filesIn("client")];
  const sources = all.filter((file) => !isTest(file)).map(parse);
  const server = sources.filter(({ file }) => file.startsWith("server/"));
  const functions = sources.flatMap(functionsOf);
  const folders = folderSizes(sources);
  return {
    sqlFiles: server
      .filter(({ file, text }) => !/^server\/(data|cli)\//.test(file) && usesSql(text))
      .map(({ file }) => file),
    circles: circlesOf(server),
    folders: folders.filter(([, count]) => count > 20).map(([folder, count]) => `${folder}: ${count}`),
    largestFolder: Math.max(...folders.map(([, count]) => count)),
    longFunctions: functions
      .filter(({ lines, isComponent }) => lines > (isComponent ? 80 : 60))
      .map(({ location, lines }) => `${location}: ${lines}`),
    manyParameters: functions
      .filter(({ parameters, isResolver }) => parameters > (isResolver ? 6 : 4))
      .map(({ location, parameters }) => `${location}: ${parameters}`),
    commentsPerMille: commentsPerMille(sources),
    likeCountFiles: server.filter(({ text }) => /\blikeCount\b/.test(text)).map(({ file }) => file),
    doubleNames: doubleNames(server.filter(({ file }) => /^server\/(domain|data|cache|http)\//.test(file))),
  };
}

const usesSql = (text) =>
  /\$(query|execute)Raw|Prisma\.(sql|join|raw|empty)\b|from "pg"/.test(
    text.replace(/import type .* from "pg"/g, ""),
  );

function* walk(node) {
  yield node;
  for (const child of node.getChildren()) yield* walk(child);
}

function functionsOf({ file, tree }) {
  const found = [];
  for (const node of walk(tree)) {
    if (!ts.isFunctionLike(node) || !node.body) continue;
    const lineOf = (position) => tree.getLineAndCharacterOfPosition(position).line + 1;
    const name = node.name?.getText() ?? (node.parent.name?.getText() || "anonymous");
    found.push({
      location: `${file}:${lineOf(node.getStart())} ${name}`,
      lines: lineOf(node.end) - lineOf(node.getStart()) + 1,
      parameters: node.parameters.length,
      isComponent: file.endsWith("x") && /^[A-Z]/.test(name),
      isResolver: ts.isMethodDeclaration(node) && /\.resolver\.ts$/.test(file),
    });
  }
  return found;
}

function folderSizes(sources) {
  const sizes = new Map();
  for (const { file } of sources) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  return [...sizes].sort(([, a], [, b]) => b - a);
}

function commentsPerMille(sources) {
  let lines = 0;
  let comments = 0;
  for (const { text } of sources)
    for (const line of text.split("\n")) {
      if (!line.trim()) continue;
      lines++;
      if (/^\s*(\/\/|\/\*|\*)/.test(line)) comments++;
    }
  return Math.round((comments / lines) * 1_000);
}

const folderOf = (file) => /^server\/([^/]+)\//.exec(file)?.[1] ?? null;

/** Folders with circular imports, direct or indirect; type-only imports do not count. */
function circlesOf(sources) {
  const edges = new Map();
  for (const { file, tree } of sources)
    for (const node of tree.statements) {
      const isLoaded = ts.isImportDeclaration(node) && !node.importClause?.isTypeOnly;
      if (!isLoaded || !node.moduleSpecifier.text.startsWith(".")) continue;
      const target = relative(".", join(dirname(file), node.moduleSpecifier.text));
      const [from, to] = [folderOf(file), folderOf(target)];
      if (from && to && from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  const reaches = (from, to, seen = new Set()) =>
    [...(edges.get(from) ?? [])].some(
      (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
    );
  return [...edges.keys()].filter((folder) => reaches(folder, folder));
}

function doubleNames(sources) {
  const files = new Map();
  for (const { file, tree } of sources)
    for (const node of tree.statements) {
      if (
        !ts.canHaveModifiers(node) ||
        !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
      )
        continue;
      const names = ts.isVariableStatement(node)
        ? node.declarationList.declarations.map((each) => each.name.getText())
        : [node.name?.getText()];
      for (const name of names) files.set(name, (files.get(name) ?? new Set()).add(file));
    }
  return [...files].filter(([, in_]) => in_.size > 1).map(([name, in_]) => `${name}: ${[...in_].join(", ")}`);
}
