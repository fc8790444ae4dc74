import { describe, expect, it } from 'vitest';
import type { SqlTable } from '../../../../../src/shared/sql/sql.ts';
import { completeSql } from '../../../../../src/renderer/features/query/sql/sql-form.tsx';

const tables: SqlTable[] = [
  {
    name: 'survey',
    origin: 'file',
    label: 'survey.csv',
    columns: [
      { name: 'Depth(ft)', type: 'DOUBLE', unit: 'ft' },
      { name: 'inc', type: 'DOUBLE', unit: null },
    ],
    rows: 2,
    total: null,
    keepsNulls: false,
    notes: [],
  },
];

/** The statement, whose caret is at `|`, with the caret's completion by a name. */
function completed(statement: string, label: string): string | undefined {
  const [text, offset] = [statement.replace('|', ''), statement.indexOf('|')];
  const offer = completeSql(text, offset, tables).find((each) => each.label === label);
  return offer && text.slice(0, offer.replace.start) + offer.insert + text.slice(offer.replace.end);
}

const isOffered = (before: string): boolean => completeSql(before, before.length, []).length > 0;

describe('completion of SQL', () => {
  it.each([
    'SELECT ',
    "SELECT 'it''s' ",
    "-- don't complete here\nSELECT ",
    "/* it's */ SELECT ",
    'SELECT "a\'b" ',
  ])('is offered after %j', (before) => {
    expect(isOffered(before)).toBe(true);
  });

  it.each(["SELECT 'a", "SELECT 'it''", '-- SELECT ', '/* SELECT ', "SELECT 'a -- b "])(
    'is not offered in the text or comment %j',
    (before) => {
      expect(isOffered(before)).toBe(false);
    },
  );

  it.each([
    ['SELECT |', 'SELECT "Depth(ft)"'],
    ['SELECT "|"', 'SELECT "Depth(ft)"'],
    ['SELECT "De|"', 'SELECT "Depth(ft)"'],
    ['SELECT "De|, inc', 'SELECT "Depth(ft)", inc'],
    ['SELECT "Depth(|" FROM survey', 'SELECT "Depth(ft)" FROM survey'],
    ['SELECT survey."|"', 'SELECT survey."Depth(ft)"'],
  ])('replaces the quoted name that is typed: %j', (statement, result) => {
    expect(completed(statement, 'Depth(ft)')).toBe(result);
  });

  it('offers only columns and tables in a quoted name, which match what is typed with its quote', () => {
    const offers = (before: string) => completeSql(before, before.length, tables);
    expect(offers('SELECT "in').map(({ matches }) => matches)).toEqual(['"Depth(ft)"', '"inc"', '"survey"']);
    expect(offers('SELECT survey."').map(({ label }) => label)).toEqual(['Depth(ft)', 'inc']);
    expect(offers('SELECT 1 FROM "').map(({ label }) => label)).toEqual(['survey']);
    expect(completed('SELECT 1 FROM "|"', 'survey')).toBe('SELECT 1 FROM "survey"');
    expect(offers('SELECT "a\n')).toEqual([]);
  });
});
