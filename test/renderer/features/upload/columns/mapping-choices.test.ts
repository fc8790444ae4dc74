import { describe, expect, it } from 'vitest';
import {
  chooseColumn,
  chooseColumns,
  constantValue,
  fillField,
  mappingFrom,
  noChoices,
  type ColumnChoice,
  type MappingChoices,
} from '../../../../../src/renderer/features/upload/columns/mapping-choices.ts';
import type { TargetKind } from '../../../../../src/shared/upload/preview.ts';
import { mapping } from '../../../../../src/shared/upload/upload.ts';

const kinds: Record<string, TargetKind> = {
  asset_id: 'asset',
  version: 'integer',
  timestamp: 'timestamp',
  measured_depth: 'number',
  log_identifier: 'identifier',
};
const mappingOf = (choices: Parameters<typeof mappingFrom>[0]) => mappingFrom(choices, (path) => kinds[path]);

describe('the mapping from the user’s options', () => {
  it('puts every column under data by default', () => {
    expect(mappingOf(noChoices)).toEqual({ columns: {}, constants: {}, rest: 'data' });
  });

  it('names mapped columns, lists skipped ones, and is valid for the engine', () => {
    const placed = chooseColumn(noChoices, 'Time', { to: 'timestamp', format: 'iso', zone: 'UTC' });
    const choices = { ...chooseColumn(placed, 'EditFlag', { skip: true }), nulls: ['-999.25', 'NULL'] };
    const made = mappingOf(choices);
    expect(made).toEqual({
      columns: { Time: { to: 'timestamp', format: 'iso', zone: 'UTC' } },
      constants: {},
      nulls: ['-999.25', 'NULL'],
      skip: ['EditFlag'],
      rest: 'data',
    });
    expect(mapping.parse(made)).toEqual(made);
  });

  it('has constants as numbers for numeric fields, as text elsewhere, and no blank ones', () => {
    const constants = { asset_id: ' 5003 ', measured_depth: '12.5', log_identifier: '7', version: ' ' };
    expect(mappingOf({ ...noChoices, constants }).constants).toEqual({
      asset_id: 5003,
      measured_depth: 12.5,
      log_identifier: '7',
    });
  });

  it('leaves text in place of a number for the engine to reject', () => {
    expect(constantValue('five', 'asset')).toBe('five');
    expect(constantValue('1.5', 'integer')).toBe('1.5');
    expect(constantValue('99999999999999999999', 'integer')).toBe('99999999999999999999');
  });
});

describe('choices for many columns', () => {
  it('are those made one by one, in the same order', () => {
    const before = {
      ...noChoices,
      columns: { A: { to: 'data.a' }, B: { skip: true }, C: { to: 'data.c' } },
    } as const;
    const chosen = new Map<string, ColumnChoice | null>([
      ['A', { to: 'data.other' }],
      ['B', null],
      ['D', { skip: true }],
    ]);
    const after = chooseColumns(before, chosen);
    expect(Object.entries(after.columns)).toEqual([
      ['C', { to: 'data.c' }],
      ['A', { to: 'data.other' }],
      ['D', { skip: true }],
    ]);
    const oneByOne = [...chosen].reduce<MappingChoices>(
      (all, [column, choice]) => chooseColumn(all, column, choice),
      before,
    );
    expect(JSON.stringify(after)).toBe(JSON.stringify(oneByOne));
    expect(chooseColumns(before, new Map())).toBe(before);
  });
});

describe('filling a field', () => {
  it('uses one column, and releases the one that filled it before', () => {
    const first = fillField(noChoices, 'timestamp', [], { from: 'column', column: 'Time' });
    const second = fillField(first, 'timestamp', ['Time'], { from: 'column', column: 'Date' });
    expect(second.columns).toEqual({ Date: { to: 'timestamp' } });
  });

  it('skips a column that filled it by its name', () => {
    const choices = fillField(noChoices, 'asset_id', ['asset_id'], { from: 'constant', text: '5003' });
    expect(choices.columns).toEqual({ asset_id: { skip: true } });
    expect(choices.constants).toEqual({ asset_id: '5003' });
    const back = fillField(choices, 'asset_id', [], { from: 'column', column: 'asset_id' });
    expect(back).toEqual(noChoices);
  });

  it('by one value for all rows uses no column, and neither does an empty one', () => {
    const column = fillField(noChoices, 'version', [], { from: 'column', column: 'v' });
    const constant = fillField(column, 'version', ['v'], { from: 'constant', text: '2' });
    expect(constant).toEqual({ ...noChoices, constants: { version: '2' } });
    expect(fillField(constant, 'version', [], { from: 'nothing' })).toEqual(noChoices);
  });

  it('keeps the format of the column when it is selected again', () => {
    const choices = chooseColumn(noChoices, 'Time', { to: 'timestamp', format: 'unix_s' });
    expect(fillField(choices, 'timestamp', ['Time'], { from: 'column', column: 'Time' })).toEqual(choices);
  });
});

describe('a column that fills another field', () => {
  const columns = {
    When: { to: 'data.when', format: 'dd/MM/yyyy HH:mm', zone: 'America/Chicago' },
    Depth: { to: 'data.depth', type: 'number', unit: 'm', fieldUnit: 'm', convert: false },
    measured_depth: { to: 'data.other', unit: 'm' },
  } as const;
  const filled = (path: string, column: string, kind?: TargetKind) =>
    fillField({ ...noChoices, columns }, path, [], { from: 'column', column }, kind).columns[column];

  it('keeps its type, time format, time zone, and unit, but not the unit of the other field', () => {
    expect(filled('timestamp', 'When', 'timestamp')).toEqual({ ...columns.When, to: 'timestamp' });
    expect(filled('measured_depth', 'Depth', 'number')).toEqual({
      to: 'measured_depth',
      type: 'number',
      unit: 'm',
    });
    expect(filled('measured_depth', 'measured_depth', 'number')).toEqual({ to: 'measured_depth', unit: 'm' });
  });

  it('loses what the field can’t have', () => {
    expect(filled('asset_id', 'When')).toEqual({ to: 'asset_id' });
    expect(filled('measured_depth', 'When', 'number')).toEqual({ to: 'measured_depth' });
  });
});
