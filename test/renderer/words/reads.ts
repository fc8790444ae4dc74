import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { isCatalogueName } from '../../support/catalogues.ts';

interface Node {
  readonly type: string;
  readonly [name: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
const child = (parent: Node, name: string): Node | null => {
  const value = parent[name];
  return isNode(value) ? value : null;
};
const childrenOf = (parent: Node): Node[] =>
  Object.values(parent).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );

/** A path in a catalogue, with its name first; `*` in a key matches any text. */
export type Path = readonly string[];

const isText = ({ type }: Node): boolean => type === 'TemplateElement';
const rawText = ({ value }: Node): string =>
  typeof value === 'object' && value !== null && 'raw' in value ? String(value.raw) : '';

const catalogueFile = /(?:^|\/)words\/[\w-]+\.ts$/;

/** The key of a member expression or a property; `*` if it is computed. */
function keyOf(parent: Node, name: 'property' | 'key'): string {
  const key = child(parent, name);
  if (key === null) return '*';
  if (key.type === 'Identifier' && parent['computed'] !== true) return String(key['name']);
  if (key.type === 'Literal') return String(key['value']);
  if (key.type === 'TemplateLiteral') return childrenOf(key).filter(isText).map(rawText).join('*');
  return '*';
}

/** The words that one file reads: variables that refer to a part of them are followed, wherever they are declared. */
class FileReads {
  readonly reads: Path[] = [];
  readonly #names = new Map<string, Path[]>();

  constructor(program: Node) {
    this.#import(program);
    // A variable may refer to a part of another variable's value.
    for (let size = -1; size !== this.#known;) {
      size = this.#known;
      this.#bind(program);
    }
    this.#visit(program);
  }

  get #known(): number {
    return [...this.#names.values()].reduce((sum, paths) => sum + paths.length, 0);
  }

  #name(name: string, path: Path): void {
    const paths = this.#names.get(name) ?? [];
    if (paths.some((before) => before.join('.') === path.join('.'))) return;
    this.#names.set(name, [...paths, path]);
  }

  #import(program: Node): void {
    for (const declaration of childrenOf(program)) {
      if (declaration.type !== 'ImportDeclaration') continue;
      if (!catalogueFile.test(String(child(declaration, 'source')?.['value']))) continue;
      for (const specifier of childrenOf(declaration)) {
        const [name, local] = [child(specifier, 'imported')?.['name'], child(specifier, 'local')?.['name']];
        if (isCatalogueName(String(name))) this.#name(String(local), [String(name)]);
      }
    }
  }

  /** The paths that an expression refers to; empty: it isn't part of the words. */
  #pathsOf(expression: Node | null): Path[] {
    if (expression === null) return [];
    if (expression.type === 'Identifier') return this.#names.get(String(expression['name'])) ?? [];
    if (expression.type === 'ChainExpression') return this.#pathsOf(child(expression, 'expression'));
    if (expression.type !== 'MemberExpression') return [];
    const key = keyOf(expression, 'property');
    return this.#pathsOf(child(expression, 'object')).map((path) => [...path, key]);
  }

  #bind(parent: Node): void {
    if (parent.type === 'VariableDeclarator')
      for (const path of this.#pathsOf(child(parent, 'init'))) this.#pattern(child(parent, 'id'), path);
    for (const each of childrenOf(parent)) this.#bind(each);
  }

  #pattern(pattern: Node | null, path: Path): void {
    if (pattern?.type === 'Identifier') this.#name(String(pattern['name']), path);
    if (pattern?.type === 'AssignmentPattern') this.#pattern(child(pattern, 'left'), path);
    if (pattern?.type !== 'ObjectPattern') return;
    for (const each of childrenOf(pattern))
      if (each.type === 'Property') this.#pattern(child(each, 'value'), [...path, keyOf(each, 'key')]);
  }

  #visit(parent: Node): void {
    if (parent.type === 'ImportDeclaration') return;
    if (parent.type.startsWith('TS') && !parent.type.endsWith('Expression')) return;
    if (parent.type === 'VariableDeclarator') {
      const [init, id] = [child(parent, 'init'), child(parent, 'id')];
      // A variable's value is read where the variable is.
      if (this.#pathsOf(init).length > 0 && id !== null) return;
    }
    const paths = this.#pathsOf(parent);
    if (paths.length > 0) {
      this.reads.push(...paths);
      this.#keys(parent);
      return;
    }
    // A literal key isn't a variable.
    const skipped = parent['computed'] === true ? null : (child(parent, 'property') ?? child(parent, 'key'));
    for (const each of childrenOf(parent)) if (each !== skipped) this.#visit(each);
  }

  /** Keys in brackets may be read from the words themselves. */
  #keys(member: Node): void {
    for (
      let at: Node | null = member;
      at !== null;
      at = child(at, at.type === 'ChainExpression' ? 'expression' : 'object')
    ) {
      const key = at['computed'] === true ? child(at, 'property') : null;
      if (key) this.#visit(key);
    }
  }
}

/** The words of the window that the files of a folder read, by their syntax. */
export function readsIn(folder: string): Path[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      if (!text.includes('/words/')) return [];
      const program: unknown = parseAst(text, { lang: name.endsWith('x') ? 'tsx' : 'ts' });
      return isNode(program) ? new FileReads(program).reads : [];
    });
}
