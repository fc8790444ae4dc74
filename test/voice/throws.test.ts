import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Folders whose exported functions are checked. */
const folders = ['src/shared', 'src/main'];
const sourcesOf = (folder: string): string[] =>
  globSync(`${folder}/**/*.ts`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.d.ts'));

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

/** The parts of a node whose errors leave it: not what a `try` or a `.catch(…)` catches. */
function uncaughtParts(node: Node): Node[] {
  const parts =
    node.type === 'TryStatement' && node.handler
      ? [node.handler, node.finalizer]
      : node.type === 'CallExpression' && nameOf(nodeOf(node.callee)?.property) === 'catch'
        ? [node.arguments]
        : Object.values(node);
  return parts.flat().filter(isNode);
}

/** Whether a body itself throws: not in a nested function, and not where it catches. @param rethrows also throws of a caught error */
function throws(node: Node, never: ReadonlySet<string>, rethrows: boolean): boolean {
  if (node.type === 'ThrowStatement') return rethrows || nameOf(node.argument) === '';
  if (node.type === 'CallExpression' && never.has(nameOf(node.callee))) return true;
  return uncaughtParts(node).some((child) => !isFunction(child) && throws(child, never, rethrows));
}

/** Names of the functions that a body calls: not in a nested function, and not where it catches. */
function callsIn(node: Node): string[] {
  return [
    ...(node.type === 'CallExpression' ? [nameOf(node.callee)] : []),
    ...uncaughtParts(node).flatMap((child) => (isFunction(child) ? [] : callsIn(child))),
  ];
}

interface Declared {
  /** File and name: `src/a.ts#read`. */
  readonly id: string;
  readonly isExported: boolean;
  readonly isMethod: boolean;
  /** The text between the statement before and this one. */
  readonly docs: string;
  readonly throws: boolean;
  /** Ids of the functions that it calls. */
  readonly calls: readonly string[];
}

/** The ids of imported functions by their local names. */
function importsOf(file: string, program: Node): Map<string, string> {
  const imports = childrenOf(program).flatMap((statement) => {
    const source = nodeOf(statement.source)?.value;
    if (statement.type !== 'ImportDeclaration' || typeof source !== 'string') return [];
    return childrenOf(statement).map(({ local, imported }): [string, string] => [
      nameOf(local),
      `${posix.join(posix.dirname(file), source)}#${nameOf(imported)}`,
    ]);
  });
  return new Map(imports);
}

/** The functions and public methods that a file declares. */
function declaredIn(file: string, text: string): Declared[] {
  const program = nodeOf(parseAst(text, { lang: 'ts' }));
  if (!program) return [];
  const never = new Set(neverNames(program));
  const imports = importsOf(file, program);
  const declared = (
    isExported: boolean,
    docs: string,
    name: string,
    fn: Node,
    isMethod = false,
  ): Declared[] =>
    !nodeOf(fn.body) || name === ''
      ? []
      : [
          {
            id: `${file}#${name}`,
            isExported,
            docs,
            throws: throws(fn, never, isExported),
            isMethod,
            calls: callsIn(fn).map((called) => imports.get(called) ?? `${file}#${called}`),
          },
        ];
  let end = 0;
  return childrenOf(program).flatMap((statement) => {
    const docs = text.slice(end, statement.start);
    end = statement.end;
    const isExported = statement.type === 'ExportNamedDeclaration';
    const declaration = isExported ? nodeOf(statement.declaration) : statement;
    if (!declaration) return [];
    if (declaration.type !== 'ClassDeclaration')
      return functionsOf(declaration).flatMap(({ name, fn }) => declared(isExported, docs, name, fn));
    let memberEnd = declaration.start;
    return childrenOf(nodeOf(declaration.body) ?? declaration).flatMap((member) => {
      const memberDocs = text.slice(memberEnd, member.start);
      memberEnd = member.end;
      const fn = nodeOf(member.value);
      return isFunction(fn) ? declared(isExported, memberDocs, nameOf(member.key), fn, true) : [];
    });
  });
}

/** Exported functions and methods that throw, themselves or in a function that they call, without @throws. */
function undocumentedThrows(functions: readonly Declared[]): string[] {
  const byId = new Map(functions.map((one) => [one.id, one]));
  const isDocumented = ({ docs }: Declared) => docs.includes('@throws');
  const throwing = new Set(functions.filter((one) => one.throws || isDocumented(one)).map(({ id }) => id));
  for (let size = -1; size < throwing.size;) {
    size = throwing.size;
    for (const { id, calls } of byId.values()) if (calls.some((call) => throwing.has(call))) throwing.add(id);
  }
  return functions.flatMap((one) =>
    one.isExported && throwing.has(one.id) && !isDocumented(one) ? [`${one.id} throws; add @throws`] : [],
  );
}

describe('docstrings', () => {
  const functions = folders
    .flatMap(sourcesOf)
    .flatMap((file) => declaredIn(file, readFileSync(`${root}${file}`, 'utf8')));

  it.each(folders)('are checked in %s', (folder) => {
    expect(functions.filter(({ id }) => id.startsWith(`${folder}/`))).not.toEqual([]);
  });

  it('name what an exported function throws', () => {
    expect(undocumentedThrows(functions)).toEqual([]);
  });

  it('exist for each exported function', () => {
    const hasNone = ({ isExported, isMethod, docs }: Declared) =>
      isExported && !isMethod && !docs.includes('/**');
    expect(functions.filter(hasNone).map(({ id }) => id)).toEqual([]);
  });

  it('are reported when @throws is missing', () => {
    const planted = `
      import { named as imported } from './b.ts';
      const refuse = (): never => { throw new Error(); };
      /** Reads. @throws Error */
      export function named() { throw new Error(); }
      /** Reads. */
      export function bare(is: boolean) { if (is) throw new Error(); }
      export const arrow = async () => refuse();
      export function catches() { try { refuse(); } catch { return 1; } }
      export const catchesLater = () => imported().catch(() => 1);
      export function returns() { return () => { throw new Error(); }; }
      function own() { throw new Error(); }
      export const calls = () => own();
      export const callsImported = () => imported();
      export const failsLater = () => imported().catch(refuse());
      export class Reader { #hidden() { throw new Error(); } read() { throw new Error(); } }`;
    const imported = '/** Reads. @throws Error */ export const named = () => { throw new Error(); };';
    expect(
      undocumentedThrows([...declaredIn('src/a.ts', planted), ...declaredIn('src/b.ts', imported)]),
    ).toEqual(
      ['bare', 'arrow', 'calls', 'callsImported', 'failsLater', 'read'].map(
        (name) => `src/a.ts#${name} throws; add @throws`,
      ),
    );
  });
});
