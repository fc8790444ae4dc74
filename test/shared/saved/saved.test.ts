import { describe, expect, it } from 'vitest';
import { questionText } from '../../../src/shared/query/question.ts';
import {
  compareSaved,
  resolveConflicts,
  folderPath,
  movedPath,
  sharedQuery,
  type SavedQuery,
  type SharedQuery,
} from '../../../src/shared/saved/saved.ts';
import { resultsLook } from '../../../src/shared/tabs/plot.ts';

describe('folders', () => {
  it.each(['', 'a', 'a/b c/d'])('may be %j', (path) => {
    expect(folderPath.safeParse(path).success).toBe(true);
  });
  it.each(['/', 'a/', '/a', 'a//b', ' a', 'a/ b', 'x'.repeat(101), 'a/b/c/d/e/f/g/h/i'])(
    'can’t be %j',
    (path) => {
      expect(folderPath.safeParse(path).success).toBe(false);
    },
  );
  it('have queries with names', () => {
    expect(sharedQuery.shape.name.safeParse('  ').success).toBe(false);
  });
});

it('folders move with everything in them, and nothing else', () => {
  expect(['a', 'a/b', 'ab', 'c'].map((path) => movedPath(path, 'a', 'z/y'))).toEqual([
    'z/y',
    'z/y/b',
    'ab',
    'c',
  ]);
});

const query = (name: string, text = '{}'): SharedQuery => ({
  name,
  folder: 'drilling/rop',
  provider: 'demo',
  dataset: 'wits',
  question: questionText.parse({ find: { query: text } }),
});
const saved = (id: string, one: SharedQuery): SavedQuery => ({ ...one, id, changedAt: 1 });

describe('an import', () => {
  const ours = [saved('1', query('a', '{ x: 1 }')), saved('2', query('b', '{ y: 1 }'))];
  const theirs = [query('a', '{ x: 1 }'), query('b', '{ y: 2 }'), query('c')];
  const stamp = { newId: () => 'new', now: 99 };

  it('adds new queries, skips known ones, and prompts for the rest', () => {
    const compared = compareSaved(theirs, ours);
    expect(compared.added.map(({ name }) => name)).toEqual(['c']);
    expect(compared.known.map(({ name }) => name)).toEqual(['a']);
    expect(compared.conflicts).toMatchObject([{ theirs: { name: 'b' }, ours: { id: '2' } }]);
  });

  it('prompts for a query that is shown otherwise, such as with another calculated column', () => {
    const calculated = (expression: string) => ({
      look: resultsLook.parse({ calculated: [{ name: 'mse', expression }] }),
    });
    const looks = [saved('1', { ...query('a'), ...calculated('wob') }), saved('2', query('b'))];
    const changed = { ...query('a'), ...calculated('wob * rpm') };
    const table = { ...query('b'), look: resultsLook.parse({}) };
    const compared = compareSaved([changed, table], looks);
    expect(compared.conflicts).toEqual([{ theirs: changed, ours: looks[0] }]);
    expect(compared.known).toEqual([table]);
  });

  it('keeps both under two names, or replaces ours with theirs', () => {
    const compared = compareSaved(theirs, ours);
    expect(resolveConflicts(compared, 'both', ours, stamp)).toMatchObject([
      { id: 'new', name: 'c', changedAt: 99 },
      { id: 'new', name: 'b (2)', question: { find: { query: '{ y: 2 }' } } },
    ]);
    expect(resolveConflicts(compared, 'replace', ours, stamp)[1]).toMatchObject({
      id: '2',
      name: 'b',
      question: { find: { query: '{ y: 2 }' } },
    });
  });
});
