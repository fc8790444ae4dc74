import { expect, it } from 'vitest';
import { checkRecords } from '../../../../src/renderer/features/records/check-records.ts';
import { createMemory, createPages } from '../../../../src/renderer/features/records/pages.ts';
import { noSynonyms } from '../../../../src/shared/channels/channels.ts';
import type { JsonValue } from '../../../../src/shared/json.ts';
import { inComputerZone } from '../../../support/computer-zone.ts';

function check(field: string, kind: 'time' | 'depth', records: readonly JsonValue[]) {
  const pages = createPages({ memory: createMemory(1e9) });
  pages.add(0, records, 1);
  return checkRecords(pages, {
    index: { field, kind, unit: null },
    wellFields: ['metadata.asset_id', 'asset_id'],
    logField: null,
    units: new Map(),
    checks: { spikeThreshold: 5, minFlatRecords: 20 },
    synonyms: noSynonyms,
  });
}

it('a depth that is a null value has no place', () => {
  const depths = [100, 101, -999.25, 103].map((measured_depth) => ({ measured_depth }));
  expect(check('measured_depth', 'depth', depths)).toMatchObject({
    index: { first: 100, last: 103 },
    unplaced: 1,
    missing: 1,
    disorder: 0,
  });
});

it('the longest null value counts as one, also as a text', () => {
  const records = [{ measured_depth: 1, x: '-99999.25' }];
  expect(check('measured_depth', 'depth', records).fields).toMatchObject([{ name: 'x', tokens: 1 }]);
});

it('records have their well in the first column that can name it', () => {
  const times = ['00', '01'].map((hour) => `2026-03-08T${hour}:00:00Z`);
  const records = times.flatMap((datetime) => [5001, 5002].map((asset_id) => ({ datetime, asset_id })));
  const report = check('datetime', 'time', records);
  expect(report.wells.map(({ well, rows }) => [well, rows])).toEqual([
    ['5001', 2],
    ['5002', 2],
  ]);
});

it('times without a zone are UTC: a change of the computer’s clocks is no gap', () => {
  const times = Array.from({ length: 4 }, (_, hour) => ({ datetime: `2026-03-08T0${hour}:30:00` }));
  const report = inComputerZone('America/Chicago', () => check('datetime', 'time', times));
  expect(report).toMatchObject({ index: { first: Date.UTC(2026, 2, 8, 0, 30) }, missing: 0, duplicates: 0 });
});
