import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { statementNames } from '../../../../src/shared/channels/plain-names.ts';
import { BarTable, barsOf } from '../../../../src/renderer/features/plot/bars.tsx';
import { categoryFields } from '../../../../src/renderer/features/plot/first-choice.ts';
import { createGrouping } from '../../../../src/renderer/features/records/figures.ts';

/** Records with the categories before their value. */
const sourceOf = (records: readonly (readonly [...string[], number])[]) => ({
  numbers: async () => [Float64Array.from(records, (record) => Number(record.at(-1)))],
  groups: async () => {
    const grouping = createGrouping(records.length);
    records.forEach((record, row) => grouping.add(row, record.slice(0, -1)));
    return grouping.groups();
  },
});
const bars = (...records: readonly (readonly [...string[], number])[]) =>
  barsOf(sourceOf(records), ['well', 'state'], 'hours');

it('has a bar for each category, in the order of the records', async () => {
  expect(await bars(['1', 'Drilling', 4], ['1', 'Idle', -2], ['2', 'Drilling', 0])).toEqual({
    rows: [
      { names: ['1', 'Drilling'], value: 4 },
      { names: ['1', 'Idle'], value: -2 },
      { names: ['2', 'Drilling'], value: 0 },
    ],
    all: 3,
    areMeans: false,
  });
  expect((await bars(['1', 'Drilling', 4])).rows).toHaveLength(1);
});

it('has the mean of several records of a category, without those that have no value', async () => {
  const { rows, areMeans } = await bars(
    ['1', 'Drilling', 4],
    ['1', 'Drilling', 2],
    ['1', 'Drilling', Number.NaN],
    ['1', 'Drilling', -999.25],
    ['2', 'Drilling', Number.NaN],
    ['2', 'Drilling', -9999],
  );
  expect([rows, areMeans]).toEqual([[{ names: ['1', 'Drilling'], value: 3 }], true]);
});

it('has 300 bars at most, and the number of all', async () => {
  const many = Array.from({ length: 400 }, (_, at) => [String(at), '', at] as const);
  const { rows, all } = await bars(...many);
  expect([rows.length, all]).toEqual([300, 400]);
});

it('has no bar for the categories beyond 1,000, whose number is unknown', async () => {
  const many = Array.from({ length: 1000 }, (_, at) => [String(at), '', at < 10 ? at : Number.NaN] as const);
  const others = await bars(...many, ['others', '', 7], ['more', '', 8]);
  expect([others.rows.length, others.all]).toEqual([10, 1001]);
  const table = {
    bars: others,
    field: 'records',
    categories: ['state'],
    names: { field: statementNames, unitOf: () => undefined, wellName: () => undefined },
    changes: {},
  };
  const html = renderToStaticMarkup(createElement(BarTable, table));
  expect(html).toContain('The first 10 of over 1,000 categories');
});

it('takes the well and texts as categories, without those that are the same in every record', () => {
  const fields = [
    { id: 'asset_id', kind: 'integer' },
    { id: 'provider', kind: 'text' },
    { id: 'collection', kind: 'text' },
    { id: 'state', kind: 'text' },
    { id: 'hours', kind: 'number' },
  ] as const;
  expect(categoryFields('time', fields)).toEqual(['asset_id', 'state']);
  // SQL selects its columns.
  expect(categoryFields(null, fields.slice(1))).toEqual(['provider', 'collection', 'state']);
  expect(categoryFields(null, fields.slice(-1))).toEqual([]);
});

it('a count has all its digits', () => {
  const row = { names: ['1'], value: 43_217 };
  const table = {
    bars: { rows: [row, { ...row, names: ['2'], value: 12.345_678_9 }], all: 2, areMeans: false },
    field: 'records',
    categories: ['state'],
    names: { field: statementNames, unitOf: () => undefined, wellName: () => undefined },
    changes: {},
  };
  const html = renderToStaticMarkup(createElement(BarTable, table));
  expect(html).toContain('43,217');
  expect(html).toContain('12.34568');
});
