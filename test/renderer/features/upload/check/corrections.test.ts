import { describe, expect, it } from 'vitest';
import { groupByColumn, correctionsFor } from '../../../../../src/renderer/features/upload/check/findings.ts';
import {
  noChoices,
  withNullText,
} from '../../../../../src/renderer/features/upload/columns/mapping-choices.ts';
import { matchedColumn, matchedField } from '../../../../../src/shared/upload/preview.ts';
import { uploadProblem } from '../../../../../src/shared/upload/result.ts';

const match = {
  columns: [
    ['Time', 'timestamp', 'timestamp'],
    ['ROP', 'data.rop', 'auto'],
    ['Well', 'asset_id', 'asset'],
    ['Note', null, null],
  ].map(([column, to, kind]) =>
    matchedColumn.parse({
      column,
      to,
      joinedTo: null,
      kind,
      unit: null,
      reading: null,
      examples: [],
      choices: [],
      problem: null,
      problemOf: null,
    }),
  ),
  fields: ['timestamp', 'asset_id'].map((path) =>
    matchedField.parse({
      path,
      kind: 'integer',
      required: true,
      columns: [],
      constant: false,
      assumed: null,
      likely: [],
      certain: null,
      joins: [],
    }),
  ),
};
const problem = (column: string | null, code: string, cell?: string, count = 1) =>
  uploadProblem.parse({
    column,
    code,
    message: 'm',
    count,
    lines: [2],
    ...(cell === undefined ? {} : { cell }),
  });
const offered = (...given: Parameters<typeof problem>) =>
  correctionsFor(problem(...given), match).map(({ kind }) => kind);

it('a text that a person had kept as text becomes null again', () => {
  const choices = { ...noChoices, keepAsText: ['NULL', 'NA'] };
  expect(withNullText(choices, 'NULL')).toEqual({
    ...noChoices,
    keepAsText: ['NA'],
  });
});

describe('possible corrections', () => {
  it.each([
    ['ROP', 'not_a_number', 'stuck', ['null', 'text', 'skip']],
    ['ROP', 'not_a_number', 'a, b', ['null', 'text', 'skip']],
    ['ROP', 'not_a_number', 'A 264', ['text', 'skip']],
    ['ROP', 'not_a_number', '-9999', ['null', 'text', 'skip']],
    ['Time', 'not_a_time', '31.02.', ['reading']],
    ['Time', 'not_a_time', 'n/a', ['null', 'reading']],
    ['Time', 'time_in_gap', '02:30', ['reading']],
    ['Well', 'asset_unknown', 'Nobody', ['wells']],
    ['Well', 'asset_unknown', 'none', ['null', 'wells']],
    ['Time', 'missing_value', undefined, ['constant']],
    ['Note', 'not_a_number', 'x', []],
    ['Well', 'not_an_asset_id', 'A-1', ['wells']],
    ['ROP', 'columns_disagree', undefined, ['column', 'skip']],
    [null, 'too_few_cells', undefined, ['option']],
    [null, 'too_many_cells', undefined, ['option']],
    [null, 'bad_bytes', undefined, ['option']],
    [null, 'bad_quotes', undefined, []],
  ])('of %s, %s: %s', (column, code, cell, kinds) => {
    expect(offered(column, code, cell)).toEqual(kinds);
  });
});

it('problems are listed by column, the one with the most first', () => {
  const groups = groupByColumn([
    problem('ROP', 'not_a_number', 'a', 2),
    problem(null, 'too_few_cells', undefined, 4),
    problem('ROP', 'excel_damage', 'b', 3),
  ]);
  expect(
    groups.map(({ column, count, problems }) => [column, count, problems.map(({ code }) => code)]),
  ).toEqual([
    ['ROP', 5, ['excel_damage', 'not_a_number']],
    [null, 4, ['too_few_cells']],
  ]);
});
