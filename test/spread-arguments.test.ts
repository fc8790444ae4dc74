import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst, type ESTree } from 'vite';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
/** Functions whose arguments can be the items of a list of any length. */
const manyArguments = new Set(
  'push unshift splice concat of max min hypot fromCharCode fromCodePoint apply'.split(' '),
);

const isNode = (value: unknown): value is ESTree.Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** Whether a spread has as many items as the code shows: a list written out, without a spread of its own. */
const isWrittenOut = (node: ESTree.Node): boolean =>
  node.type === 'ConditionalExpression'
    ? isWrittenOut(node.consequent) && isWrittenOut(node.alternate)
    : node.type === 'ArrayExpression' && node.elements.every((item) => item?.type !== 'SpreadElement');

/** Lines of calls that pass the items of a list as arguments: about 120,000 of them overflow the stack. */
function spreadCalls(code: string, lang: 'ts' | 'tsx'): number[] {
  const found: number[] = [];
  function visit(node: ESTree.Node): void {
    if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
      const { property } = node.callee;
      const name = property.type === 'Identifier' ? property.name : '';
      const isSpread = node.arguments.some(
        (argument) => argument.type === 'SpreadElement' && !isWrittenOut(argument.argument),
      );
      if (isSpread && manyArguments.has(name)) found.push(code.slice(0, node.start).split('\n').length);
    }
    for (const value of Object.values(node)) {
      if (isNode(value)) visit(value);
      else if (Array.isArray(value)) for (const item of value) if (isNode(item)) visit(item);
    }
  }
  visit(parseAst(code, { lang }));
  return found;
}

describe('no call passes the items of a list as arguments', () => {
  it('in the sources', () => {
    const files = globSync('src/**/*.{ts,tsx}', { cwd: root });
    expect(files.length).toBeGreaterThan(700);
    const places = files.flatMap((file) =>
      spreadCalls(readFileSync(join(root, file), 'utf8'), file.endsWith('x') ? 'tsx' : 'ts').map(
        (line) => `${file}:${line}`,
      ),
    );
    // Use `append`, `minOf`, or `maxOf` of shared/lists.ts.
    expect(places).toEqual([]);
  });

  it.each([
    ['list.push(...items);', 1],
    ['Math.max(0, ...items.map(f));', 1],
    ['String.fromCharCode(...bytes);', 1],
    ['list.splice(1, 0, ...items);', 1],
    ['list.push(...[a, ...b]);', 1],
    ['f(() => list.unshift(...items));', 1],
    ['list.push(...[a, b]);', 0],
    ['list.push(...(a ? [a] : []));', 0],
    ['list.push(...(a ? b : []));', 1],
    ['list.push({ ...item });', 0],
    ['list.push(item);', 0],
    ['f(...items);', 0],
  ])('which this finds: %s', (code, count) => {
    expect(spreadCalls(code, 'ts')).toHaveLength(count);
  });
});
