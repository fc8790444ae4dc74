import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenText } from '../broken-texts.ts';
import { isObject, type JsonValue } from '../../../../src/shared/json.ts';
import { parseRelaxed } from '../../../../src/shared/language/relaxed.ts';
import { scalarOf } from '../../../../src/shared/language/calls.ts';
import { readTree, type TreeNode } from '../../../../src/shared/language/tree/tree.ts';
import { goodQueries } from '../good-queries.ts';
import { printed } from '../printing.ts';

/** A tree and a value have the same names, lists, and scalars. */
function same(text: string, node: TreeNode | null, value: JsonValue): void {
  if (node?.kind === 'object' && isObject(value)) {
    expect(node.members.map(({ key }) => key.name)).toEqual(Object.keys(value).toSorted(byPlace(node)));
    for (const { key, value: inside } of node.members) same(text, inside, value[key.name] ?? null);
  } else if (node?.kind === 'list' && Array.isArray(value)) {
    expect(node.items).toHaveLength(value.length);
    node.items.forEach((item, at) => same(text, item, value[at] ?? null));
  } else if (typeof value === 'string' && node?.kind === 'text') {
    expect(node && scalarOf(text, node)).toEqual({ kind: 'text', value });
  } else if (node?.kind === 'word') {
    const scalar = scalarOf(text, node);
    expect(scalar?.kind === 'number' ? scalar.value : scalar?.kind === 'word' && scalar.value).toEqual(
      typeof value === 'number' || typeof value === 'bigint' ? value : String(value),
    );
  } else expect(['call', 'regex', 'text']).toContain(node?.kind);
}

// Names that are numbers come first in an object, whatever their order in the text.
const byPlace =
  ({ members }: Extract<TreeNode, { kind: 'object' }>) =>
  (a: string, b: string) =>
    members.findIndex(({ key }) => key.name === a) - members.findIndex(({ key }) => key.name === b);

it('the tree equals what the parser reads, for the corpus', () => {
  for (const [typed] of goodQueries) {
    // A regular expression with $options is written separately.
    if (/\$regex|regex:/.test(typed)) continue;
    same(typed, readTree(typed).root, parseRelaxed(typed, 'query'));
  }
});

it('the tree equals what the parser reads, for any value in any notation', () => {
  fc.assert(
    fc.property(printed, (text) => {
      same(text, readTree(text).root, parseRelaxed(text, 'query'));
    }),
    { numRuns: 300 },
  );
});

describe('the tree of an incomplete text', () => {
  const outline = (node: TreeNode | null): unknown =>
    node === null
      ? null
      : node.kind === 'object'
        ? Object.fromEntries(node.members.map(({ key, value }) => [key.name, outline(value)]))
        : node.kind === 'list'
          ? node.items.map(outline)
          : node.kind;

  it.each([
    ['{', {}],
    ['{ a', { a: null }],
    ['{ a:', { a: null }],
    ['{ a: , b: 1 }', { a: null, b: 'word' }],
    ['{ a:\n b: 1 }', { a: null, b: 'word' }],
    ['{ a\n b: 1 }', { a: null, b: 'word' }],
    ['{ a: 1 b: 2 }', { a: 'word', b: 'word' }],
    ['{ a: { b: 1, c: [2, }', { a: { b: 'word', c: ['word'] } }],
    ['[{ a: 1 ]', [{ a: 'word' }]],
    ['{ a: 1 ] }', { a: 'word' }],
    ['{ a: "x', { a: 'text' }],
    ['{ a: ISODate("x', { a: 'call' }],
    ['{ {{now', { now: null }],
    [')', null],
  ])('%j is %j', (text, expected) => expect(outline(readTree(text).root)).toEqual(expected));

  it('never throws, and every node is within its parent', () => {
    const within = (node: TreeNode, start: number, end: number): void => {
      expect(node.start).toBeGreaterThanOrEqual(start);
      expect(node.end).toBeLessThanOrEqual(end);
      const inner =
        node.kind === 'object'
          ? node.members.flatMap(({ value }) => value ?? [])
          : node.kind === 'list'
            ? node.items
            : [];
      for (const each of inner) within(each, node.start, node.end);
    };
    fc.assert(
      fc.property(brokenText, (text) => {
        const { root } = readTree(text);
        if (root) within(root, 0, text.length);
      }),
      { numRuns: 500 },
    );
  });

  it('is read at any depth', () => {
    expect(readTree('['.repeat(100_000)).root).toMatchObject({ kind: 'list' });
  });
});
