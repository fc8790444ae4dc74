import { describe, expect, it } from 'vitest';
import { csvStyle } from '../../../../src/shared/export/csv-style.ts';
import {
  firstChoice,
  optionsOf,
  partitionOf,
  zonesFor,
} from '../../../../src/renderer/features/export/export-button.tsx';

const context = {
  zone: 'America/Chicago',
  units: new Map([['data.rop', 'ft/h']]),
  userStyle: csvStyle.parse({}),
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

describe('the options of a preset', () => {
  it('are unchanged values in NDJSON to upload again', () => {
    expect(optionsOf({ ...choice, use: 'reimport' }, context)).toEqual({ format: 'ndjson' });
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
    expect(optionsOf({ ...metric, use: 'reimport' }, context)).toEqual({ format: 'ndjson' });
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
