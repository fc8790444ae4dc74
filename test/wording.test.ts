import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst, type ESTree } from 'vite';
import { describe, expect, it } from 'vitest';
import { words } from '../src/renderer/words/words.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Files that are about the wording itself. */
const exceptions = new Set([
  'test/renderer/words/words.test.ts',
  'test/shared/errors.test.ts',
  // All of it that advises, with the test that tries it.
  'test/voice/advice.test.ts',
  'test/wording.test.ts',
]);

/**
 * Names of connections, fields, types, and keys that the catalogues mention too, and fixes of queries, which are
 * in none.
 */
const data = new Set(
  'Write $gte|Write 1700000000000|North Ridge|timestamp|now-24h|data|data.rop|depth|rop|ROP|number|list|provider|Ctrl+K|GET'.split(
    '|',
  ),
);

/** Calls whose argument is text of the window, and options with such text. */
const textCalls = new Set(
  'button getByText getByLabel getByPlaceholder getByTitle getByAltText findByText findByLabelText queryByText toHaveText toContainText toHaveTextContent toHaveAccessibleName toHaveAccessibleDescription'.split(
    ' ',
  ),
);
const callsWithOptions = new Set('getByRole findByRole queryByRole getAllByRole filter locator'.split(' '));
/** Tests of the window; other tests check messages of the core. */
const seesWindow = /^test\/(e2e|electron|renderer|components|bench|support)\//;
const textOptions = new Set(['name', 'hasText', 'hasNotText', 'description']);
/** Calls whose first argument names a test. */
const titled = new Set(['test', 'it', 'describe', 'step', 'each', 'skip']);

interface Literal {
  readonly line: number;
  readonly isWindowText: boolean;
  /** The fixed part: a whole string, or the pieces of a template or a regular expression. */
  readonly pieces: readonly string[];
}

type Visit = (node: ESTree.Node, isWindowText: boolean) => void;
const isNode = (value: unknown): value is ESTree.Node =>
  typeof value === 'object' && value !== null && 'type' in value;
const isType = ({ type }: ESTree.Node): boolean =>
  /^TS(?!AsExpression|SatisfiesExpression|NonNullExpression|EnumDeclaration)/.test(type) ||
  type === 'ImportDeclaration';
const nameOf = (node: ESTree.Node): string | undefined =>
  node.type === 'Identifier'
    ? node.name
    : node.type === 'MemberExpression' && node.property.type === 'Identifier'
      ? node.property.name
      : node.type === 'CallExpression'
        ? nameOf(node.callee)
        : undefined;

/** The literals of a program, without those of types, imports, and the titles of tests. */
function literalsOf(code: string, lang: 'ts' | 'tsx'): Literal[] {
  const found: Literal[] = [];
  const add = (node: ESTree.Node, isWindowText: boolean, pieces: string[]): void =>
    void found.push({ line: code.slice(0, node.start).split('\n').length, isWindowText, pieces });

  function visitCall(
    { callee, arguments: given }: ESTree.CallExpression | ESTree.NewExpression,
    isWindowText: boolean,
  ): void {
    visit(callee, false);
    const name = nameOf(callee) ?? '';
    for (const [index, argument] of given.entries()) {
      if (index === 0 && titled.has(name) && argument.type.endsWith('Literal')) continue;
      if (callsWithOptions.has(name) && argument.type === 'ObjectExpression') {
        for (const option of argument.properties)
          visit(
            option,
            option.type === 'Property' &&
              option.key.type === 'Identifier' &&
              textOptions.has(option.key.name),
          );
      } else visit(argument, index === 0 && (textCalls.has(name) || (name === 'RegExp' && isWindowText)));
    }
  }

  const visit: Visit = (node, isWindowText) => {
    if (isType(node)) return;
    if (node.type === 'Literal') {
      if ('regex' in node) add(node, isWindowText, piecesOf(node.regex.pattern));
      else if (typeof node.value === 'string') add(node, isWindowText, [node.value]);
    } else if (node.type === 'TemplateLiteral') {
      add(
        node,
        isWindowText,
        node.quasis.map(({ value }) => value.cooked ?? ''),
      );
      for (const expression of node.expressions) visit(expression, false);
    } else if (node.type === 'CallExpression' || node.type === 'NewExpression') visitCall(node, isWindowText);
    else if (node.type === 'Property') visit(node.value, isWindowText);
    else {
      const isTransparent = /^(Array|Conditional|Logical|Binary|TSAs|TSSatisfies)/.test(node.type);
      for (const child of Object.values(node).flat())
        if (isNode(child)) visit(child, isTransparent && isWindowText);
    }
  };
  visit(parseAst(code, { lang }), false);
  return found;
}

/** The texts in a regular expression. */
const piecesOf = (pattern: string): string[] =>
  pattern.replaceAll(/\\([^\w\s])/g, '$1').split(/\\\w|\[[^\]]*\]|[()|*+?^$\\{}]+|\.(?=[*+])/u);

const read = (file: string): Literal[] =>
  literalsOf(readFileSync(`${root}${file}`, 'utf8'), file.endsWith('x') ? 'tsx' : 'ts');
/** The number of words of prose in a text, excluding names of fields, addresses, and numbers. */
const wordsIn = (text: string): number =>
  text.split(/\s+/).filter((part) => /^\P{L}*\p{L}[\p{L}’'-]+\P{L}*$/u.test(part) && !/[_/:]\S/.test(part))
    .length;

type IsWording = (text: string, isWindowText: boolean) => boolean;

/**
 * Whether a text equals one of a catalogue, is a part of one, or starts or ends like one with a name in it.
 * @param minWords of a whole text where it isn't known to be text of the window: shorter ones may be data
 */
function wordingOf(catalogue: readonly Literal[], minWords: number): IsWording {
  const texts = new Set(catalogue.flatMap(({ pieces }) => pieces));
  const templates = catalogue.flatMap(({ pieces }) => (pieces.length > 1 ? [pieces] : []));
  const edges = (piece: string | undefined): string[] =>
    piece !== undefined && /\p{L}{4}/u.test(piece) ? [piece.toLowerCase()] : [];
  const beginnings = templates.flatMap((pieces) => edges(pieces[0]));
  const endings = templates.flatMap((pieces) => edges(pieces.at(-1)));
  const whole = new Set([...texts].filter((text) => wordsIn(text) >= minWords));
  const all = [...texts].join('\n').toLowerCase();
  const has = (text: string): boolean => {
    for (let at = all.indexOf(text); at >= 0; at = all.indexOf(text, at + 1))
      if (!/[\p{L}\p{N}]/u.test(`${all[at - 1] ?? ''}${all[at + text.length] ?? ''}`)) return true;
    return false;
  };
  return (given, isWindowText) => {
    const text = given.trim().toLowerCase();
    if (data.has(given.trim())) return false;
    if (isWindowText) {
      if (beginnings.some((piece) => text.startsWith(piece)) || endings.some((piece) => text.endsWith(piece)))
        return true;
      return /\p{L}{3}/u.test(text) && has(text);
    }
    return whole.has(given) || (wordsIn(text) > 2 && has(text));
  };
}

describe('tests', () => {
  const literalsIn = (pattern: string): Literal[] =>
    globSync(pattern, { cwd: root }).flatMap((file) => read(file));
  const sentences = literalsIn('src/shared/errors/sentences.ts');
  const isSentence = wordingOf(sentences, 3);
  const isWording = wordingOf([...sentences, ...literalsIn('src/renderer/words/*.ts')], 2);
  const pinnedIn = (literals: readonly Literal[], isPinned: IsWording): Literal[] =>
    literals.filter(({ pieces, isWindowText }) => pieces.some((piece) => isPinned(piece, isWindowText)));
  const files = globSync('test/**/*.{ts,tsx}', { cwd: root }).filter((file) => !exceptions.has(file));

  it('are checked against existing catalogues', () => expect(sentences.length).toBeGreaterThan(50));

  it('take the wording of the window and of errors from the catalogues, so that none fails when it changes', () => {
    const pinned = files.flatMap((file) =>
      pinnedIn(read(file), seesWindow.test(file) ? isWording : isSentence).map(
        ({ line, pieces }) => `${file}:${line} ${pieces.join('…')}`,
      ),
    );
    expect(pinned).toEqual([]);
  });

  it('with literal wording are found by this check', () => {
    const isPinned = (code: string) => pinnedIn(literalsOf(code, 'ts'), isWording).length > 0;
    const { query, jobs, tabs, results } = words;
    expect(isPinned(`page.getByRole('button', { name: '${query.run}' })`)).toBe(true);
    expect(isPinned(`page.getByText('${tabs.close('North Ridge')}')`)).toBe(true);
    expect(isPinned(`page.getByText(/^${jobs.toggle}/)`)).toBe(true);
    expect(isPinned(`page.getByText(\`${tabs.close('${name}')}\`)`)).toBe(true);
    expect(isPinned(`expect(text).toContain('${results.idle.slice(0, 20)}')`)).toBe(true);
    expect(isPinned(`test('${results.idle}', () => expect(job.state).toBe('done'))`)).toBe(false);
    expect(isPinned("page.getByRole('row', { name: 'Cottonwood A-105H' })")).toBe(false);
  });
});
