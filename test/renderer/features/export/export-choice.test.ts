import { describe, expect, it } from 'vitest';
import { csvStyle } from '../../../../src/shared/csv.ts';
import {
  firstChoice,
  optionsOf,
  partitionOf,
  rangeText,
  zonesFor,
} from '../../../../src/renderer/features/export/export-button.tsx';

const context = {
  zone: 'America/Chicago',
  units: new Map([['data.rop', 'ft/h']]),
  userStyle: csvStyle.parse({}),
  last: null,
  canBeLas: true,
};
const choice = firstChoice(context);

describe('the default preset', () => {
  it('is for Excel, with times in the tab’s time zone', () => {
    expect(choice).toMatchObject({ use: 'excel', times: 'America/Chicago', isReadable: true });
    expect(optionsOf(choice, context)).toEqual({
      format: 'xlsx',
      csv: { bom: true, escapeFormulas: true },
      layout: { timeAndWellFirst: true, units: { 'data.rop': 'ft/h' }, times: 'spreadsheet' },
      timeZone: 'America/Chicago',
    });
  });

  it('has on request a row with the plain names, of which the user may have given some', () => {
    const renamed = { 'data.rop': 'Drilling speed' };
    const namesIn = (given: typeof renamed | undefined, format: Partial<typeof choice> = {}) =>
      optionsOf({ ...choice, hasPlainNames: true, ...format }, { ...context, renamed: given }).layout?.names;
    expect([namesIn(renamed), namesIn(undefined)]).toEqual([renamed, {}]);
    expect(namesIn(renamed, { use: 'csv' })).toBeUndefined();
  });

  it('has decimal commas if the settings have them', () => {
    const userStyle = csvStyle.parse({ delimiter: ';', decimal: ',', bom: true, escapeFormulas: true });
    const first = firstChoice({ ...context, userStyle });
    expect(optionsOf(first, { ...context, userStyle })).toMatchObject({
      csv: { delimiter: ';', decimal: ',' },
    });
  });

  it('is the format of the settings if it matches no preset', () => {
    const userStyle = csvStyle.parse({ delimiter: '|' });
    expect(firstChoice({ ...context, userStyle })).toMatchObject({ use: 'custom', csv: 'own' });
  });
});

describe('the last preset', () => {
  it('is the default, unless the dataset can’t have it', () => {
    const useOf = (last: string, canBeLas: boolean) => firstChoice({ ...context, last, canBeLas }).use;
    expect([useOf('csv', false), useOf('las', true), useOf('las', false), useOf('gone', true)]).toEqual([
      'csv',
      'las',
      'excel',
      'excel',
    ]);
  });
});

describe('the range in the name of a file', () => {
  const day = (text: string) => Date.parse(`2026-11-${text}Z`);
  it('has days or depths', () => {
    const times = (from: string, to: string) =>
      rangeText(`{ timestamp: { $gte: ${day(from)}, $lt: ${day(to)} } }`, 'time', undefined);
    expect(times('19T06:00', '20T06:00')).toBe('2026-11-19 to 2026-11-20');
    expect(times('19T06:00', '19T18:00')).toBe('2026-11-19');
    expect(times('19T00:00', '20T00:00')).toBe('2026-11-19');
    const depths = '{ measured_depth: { $gte: 5331, $lte: 12400.5 } }';
    expect(rangeText(depths, 'depth', 'ft')).toBe('5331 to 12400.5 ft');
    expect(rangeText('{ measured_depth: { $gte: 5331 } }', 'depth', undefined)).toBe('from 5331');
  });

  it('is absent without one, and for records without times and depths', () => {
    expect(rangeText('{}', 'time', undefined)).toBeNull();
    expect(rangeText('{ timestamp: 1 }', 'reference', undefined)).toBeNull();
    expect(rangeText('{ timestamp', 'time', undefined)).toBeNull();
  });
});

describe('the options of a preset', () => {
  it('are unchanged values in NDJSON to upload again', () => {
    expect(optionsOf({ ...choice, use: 'reimport' }, context)).toEqual({
      format: 'ndjson',
      nullValues: 'keep',
    });
  });

  it('are the style of the settings for CSV, with time and well first, and the format alone for LAS', () => {
    expect(optionsOf({ ...choice, use: 'csv' }, context)).toEqual({
      format: 'csv',
      csv: context.userStyle,
      layout: { timeAndWellFirst: true, units: { 'data.rop': 'ft/h' } },
      timeZone: 'America/Chicago',
    });
    expect(optionsOf({ ...choice, use: 'las' }, context)).toEqual({ format: 'las' });
  });

  it('are UTC for pandas, whatever the tab shows', () => {
    expect(optionsOf({ ...choice, use: 'pandas' }, context)).toMatchObject({ timeZone: 'UTC' });
  });

  it('are the selected ones', () => {
    const custom = { ...choice, use: 'custom', times: 'raw', isReadable: false } as const;
    expect(optionsOf(custom, context)).toEqual({ format: 'csv', csv: context.userStyle });
    expect(optionsOf({ ...custom, format: 'parquet', times: 'UTC' }, context)).toEqual({
      format: 'parquet',
      timeZone: 'UTC',
    });
  });

  it('have units of a system, except for a file to upload again', () => {
    const metric = { ...choice, units: 'metric' } as const;
    expect(optionsOf(metric, context)).toMatchObject({ format: 'xlsx', units: 'metric' });
    expect(optionsOf({ ...metric, use: 'reimport' }, context)).toEqual({
      format: 'ndjson',
      nullValues: 'keep',
    });
  });

  it('partition only Parquet into a folder, with the selected names', () => {
    const folder = { ...choice, use: 'custom', format: 'parquet', partition: 'month' } as const;
    expect(partitionOf(folder)).toEqual(['asset_id', 'month']);
    expect(partitionOf({ ...folder, partition: 'asset_id' })).toEqual(['asset_id']);
    for (const other of [{ format: 'csv' }, { use: 'excel' }, { partition: 'none' }] as const)
      expect(partitionOf({ ...folder, ...other })).toBeUndefined();
    const named = optionsOf({ ...folder, columnNames: 'underscore' }, context);
    expect(named).toMatchObject({ format: 'parquet', columnNames: 'underscore' });
  });

  it('have UTC for a readable file when the tab shows raw times', () => {
    const zone = null;
    expect(firstChoice({ ...context, zone }).times).toBe('raw');
    expect(optionsOf(choice, { ...context, zone })).toMatchObject({ timeZone: 'UTC' });
  });
});

it('the tab’s time zone comes first, each once', () => {
  expect(zonesFor('Asia/Tokyo').slice(0, 2)).toEqual(['Asia/Tokyo', 'UTC']);
  expect(new Set(zonesFor('UTC')).size).toBe(zonesFor('UTC').length);
});
