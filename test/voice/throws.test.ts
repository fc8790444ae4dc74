import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = globSync('src/{shared,main/{services,jobs,http,upload,export}}/**/*.ts', { cwd: root });

type Node = Readonly<Record<string, unknown>> & {
  readonly type: string;
  readonly start: number;
  readonly end: number;
};
type FunctionNode = Node & { readonly type: `${string}Function${string}` };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
const nodeOf = (value: unknown): Node | undefined => (isNode(value) ? value : undefined);
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);
const nameOf = (value: unknown): string => {
  const node = nodeOf(value);
  return node?.type === 'Identifier' && typeof node.name === 'string' ? node.name : '';
};
const isFunction = (node: Node | undefined): node is FunctionNode => node?.type.includes('Function') ?? false;

/** The functions that a declaration declares, with their names. */
function functionsOf(declaration: Node): { name: string; fn: Node }[] {
  if (isFunction(declaration)) return [{ name: nameOf(declaration.id), fn: declaration }];
  if (declaration.type !== 'VariableDeclaration') return [];
  return childrenOf(declaration).flatMap(({ id, init }) => {
    const fn = nodeOf(init);
    return isFunction(fn) ? [{ name: nameOf(id), fn }] : [];
  });
}

/** Names of the functions of a file that return never, at any depth. */
function neverNames(node: Node): string[] {
  const here = functionsOf(node).flatMap(({ name, fn }) =>
    nodeOf(nodeOf(fn.returnType)?.typeAnnotation)?.type === 'TSNeverKeyword' && name !== '' ? [name] : [],
  );
  return [...here, ...childrenOf(node).flatMap(neverNames)];
}

/** Whether a body itself throws: not in a nested function, and not where it catches. */
function throws(node: Node, never: ReadonlySet<string>): boolean {
  if (node.type === 'ThrowStatement') return true;
  if (node.type === 'CallExpression' && never.has(nameOf(node.callee))) return true;
  const children =
    node.type === 'TryStatement' && node.handler ? [node.handler, node.finalizer] : childrenOf(node);
  return children.some((child) => isNode(child) && !isFunction(child) && throws(child, never));
}

/** Whether the text between a declaration and the previous one has @throws. */
const isDocumented = (text: string, end: number, start: number) => text.slice(end, start).includes('@throws');

/** The exported functions of a file, and public methods of its exported classes, that throw without @throws. */
function findings(text: string): string[] {
  const program = nodeOf(parseAst(text, { lang: 'ts' }));
  if (!program) return [];
  const never = new Set(neverNames(program));
  const undocumented = (functions: readonly { name: string; fn: Node }[]) =>
    functions.flatMap(({ name, fn }) => (nodeOf(fn.body) && throws(fn, never) ? [name] : []));
  let end = 0;
  return childrenOf(program).flatMap((statement) => {
    const start = end;
    end = statement.end;
    const declaration = nodeOf(statement.declaration);
    if (statement.type !== 'ExportNamedDeclaration' || !declaration) return [];
    if (declaration.type === 'ClassDeclaration') {
      let memberEnd = declaration.start;
      return childrenOf(nodeOf(declaration.body) ?? declaration).flatMap((member) => {
        const memberStart = memberEnd;
        memberEnd = member.end;
        const fn = nodeOf(member.value);
        if (!isFunction(fn) || nameOf(member.key) === '') return [];
        return isDocumented(text, memberStart, member.start)
          ? []
          : undocumented([{ name: nameOf(member.key), fn }]);
      });
    }
    return isDocumented(text, start, statement.start) ? [] : undocumented(functionsOf(declaration));
  });
}

describe('docstrings', () => {
  it('name what an exported function throws', () => {
    const gaps = sources.flatMap((file) =>
      findings(readFileSync(`${root}${file}`, 'utf8')).map((name) => `${file}: ${name} throws; add @throws`),
    );
    expect(gaps).toEqual([]);
  });

  it('are reported when @throws is missing', () => {
    const planted = `
      const refuse = (): never => { throw new Error(); };
      /** Reads. @throws Error */
      export function named() { throw new Error(); }
      /** Reads. */
      export function bare(is: boolean) { if (is) throw new Error(); }
      export const arrow = async () => refuse();
      export function catches() { try { refuse(); } catch { return 1; } }
      export function returns() { return () => { throw new Error(); }; }
      function own() { throw new Error(); }
      export class Reader { #hidden() { throw new Error(); } read() { throw new Error(); } }`;
    expect(findings(planted)).toEqual(['bare', 'arrow', 'read']);
  });
});
