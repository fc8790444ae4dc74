import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DateTime } from 'luxon';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { connectionEnv, runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { lawRuns } from '../../../support/sample.ts';

// A real file of 100,000 rows with a unit row and ISO times, stored next to the checkout: its last rows, and all in a long run.
const rows = Math.min(lawRuns(34_000), 100_000);
const wholeFile = join(
  import.meta.dirname,
  '../../../../../shared/data/time/volve_15_9-F-4_GenTime2_2016.csv',
);

const mapping = {
  columns: { Time: { to: 'timestamp', format: 'iso' } },
  constants: { asset_id: 5003, version: 1 },
  rest: 'data',
};

/** The rows of a CSV file as objects by column name. */
const rowsOf = (text: string, newline: '\n' | '\r\n'): Record<string, string>[] =>
  Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true, newline }).data;

describe.skipIf(!existsSync(wholeFile))('rows of a real well, from file to dataset and back', () => {
  let demo: Demo;
  const folder = useFolders();
  beforeAll(async () => {
    demo = await startDemo({ records: 100 });
  });
  afterAll(() => demo.close());

  it('are each present once, in order, with equal values', async () => {
    const home = await folder();
    const run = (...args: string[]) =>
      runInProcess([...args, '--data-dir', home, '--json'], connectionEnv(demo));
    const [header = '', units = '', ...all] = (await readFile(wholeFile, 'utf8')).trimEnd().split('\n');
    const file = join(home, basename(wholeFile));
    await writeFile(file, [header, units, ...all.slice(-rows), ''].join('\n'));
    const mappingFile = join(home, 'mapping.json');
    await writeFile(mappingFile, JSON.stringify(mapping));

    const uploaded = await run('upload', 'demo/uploads.time', file, '--mapping', mappingFile);
    expect(uploaded.code).toBe(0);
    expect(uploaded.summary()).toMatchObject({
      rows,
      accepted: rows,
      rejected: 0,
      unknown: 0,
      pending: 0,
    });

    const query = '{ asset_id: 5003, timestamp: { $gte: ISODate("2016-10-05T00:00:00Z") } }';
    const counted = await run('count', 'demo/uploads.time', '--query', query);
    const originals = rowsOf(await readFile(file, 'utf8'), '\n').slice(1);
    const since = originals.filter((row) => (row['Time'] ?? '') >= '2016-10-05');
    expect(counted.summary()).toEqual({ count: since.length });

    const out = join(home, 'back.csv');
    const exported = await run('export', 'demo/uploads.time', '--query', '{}', '--out', out);
    expect(exported.summary()).toMatchObject({ rows, file: out });
    const back = rowsOf(await readFile(out, 'utf8'), '\r\n');
    expect(back).toHaveLength(originals.length);

    // Records of one instant may be in any order in the dataset, so both sides are sorted the same way.
    const channels = Object.keys(originals[0] ?? {}).filter((name) => name !== 'Time');
    const line = (time: number, value: (name: string) => string | undefined): string =>
      [time, ...channels.map((name) => Number(value(name)))].join(',');
    const sent = originals.map((row) =>
      line(DateTime.fromISO(row['Time'] ?? '').toMillis(), (name) => row[name]),
    );
    const readBack = back.map((row) => line(Number(row['timestamp']), (name) => row[`data.${name}`]));
    expect(readBack.toSorted()).toEqual(sent.toSorted());
    expect(back.every((row) => row['asset_id'] === '5003')).toBe(true);
    expect(new Set(back.map((row) => row['_id'])).size).toBe(rows);
    const times = back.map((row) => Number(row['timestamp']));
    expect(times.every((time, index) => index === 0 || time >= (times[index - 1] ?? 0))).toBe(true);
  });
});
