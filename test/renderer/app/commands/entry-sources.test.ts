import { describe, expect, it } from 'vitest';
import { savedQueryEntries } from '../../../../src/renderer/app/commands/entry-sources.ts';
import { savedQuery } from '../../../../src/shared/saved.ts';

const queries = ['Last day of Ridge A-101', 'Slow drilling'].map((name, at) =>
  savedQuery.parse({
    id: `00000000-0000-4000-8000-00000000000${at}`,
    name,
    provider: 'demo',
    dataset: 'wits',
    folder: '',
    question: {},
    changedAt: 0,
  }),
);
const names = (text: string) => savedQueryEntries(queries, text, () => undefined).map((entry) => entry.text);

describe('saved queries in the palette', () => {
  it('are only those whose name or dataset matches', () => {
    expect(names('ridge a-101')).toEqual(['Last day of Ridge A-101']);
    expect(names('demo/wits')).toHaveLength(2);
    expect(names('Ridge B-7')).toEqual([]);
  });
});
