import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import {
  columnsBefore,
  type FolderTarget,
  readTable,
} from '../../../../../src/main/core/write/folder/table-state.ts';
import { updateTable } from '../../../../../src/main/core/write/folder/update-table.ts';
import { ExportWriter } from '../../../../../src/main/core/write/export-worker.ts';
import type { JsonObject } from '../../../../../src/shared/json.ts';
import { seededRandom } from '../../../../support/clock.ts';
import { useFolders } from '../../../../support/folders.ts';
import {
  folderPlanFor,
  partBytes,
  readCheckpoint,
  recordsIn,
  tableIn,
} from '../../../features/export/support/folders.ts';
import { runExport, startTables } from '../../../features/export/support/jobs.ts';
import { plainSpec } from '../../../features/export/support/spec.ts';
import { idAt, Rows } from '../../../features/export/support/rows.ts';
import { start, useRowServices } from './support.ts';
import { lawRuns } from '../../../../support/sample.ts';

const folder = useFolders();
const service = useRowServices();

const hour = 3_600_000;
const overlapMs = 6 * hour;

/** A service whose records arrive hour by hour, some of them late. */
function arrivals(seed: number) {
  const random = seededRandom(seed);
  const rows = new Rows([]);
  let count = 0;
  let now = start;
  const add = (ms: number): void => {
    count += 1;
    const extra = count > 600 && random() < 0.02 ? `,"note":"n${count}"` : '';
    const rop = count > 800 && random() < 0.01 ? '"none"' : (random() * 100).toFixed(2).replace(/0+$/, '1');
    rows.add(
      `{"_id":"${idAt(count)}","asset_id":${5001 + Math.floor(random() * 3)},"timestamp":${ms},"data":{"rop":${rop},"n":${count}${extra}}}`,
    );
  };
  return {
    rows,
    random,
    /** Records of some hours, and records up to one overlap late. */
    pass(hours: number): void {
      for (let n = 0; n < hours * 10; n += 1) add(now + Math.floor(random() * hours * hour));
      for (let n = 0; n < 8; n += 1) add(Math.max(start, now - Math.floor(random() * (overlapMs - 1))));
      now += hours * hour;
    },
  };
}

const byId = (records: Awaited<ReturnType<typeof recordsIn>>) =>
  Object.fromEntries(
    Object.entries(records).map(([partition, found]) => [
      partition,
      found.toSorted((a, b) => String(a['_id']).localeCompare(String(b['_id']))),
    ]),
  );

/** Runs an update with immediate responses. @param stopAfter stops before the commit, after this many statements */
async function update(path: string, rows: Rows, stopAfter: number | null = null): Promise<number> {
  const { folder: planned, query } = await folderPlanFor(path, rows, { mirror: { overlapMs } });
  if (!planned) throw new Error('the plan has no folder');
  const place = await folder();
  const table: FolderTarget['table'] = await readTable(path, readCheckpoint);
  const target = { ...planned, path, table, job: `job-${planned.generation}`, replaced: null };
  const about = { ...plainSpec.about, dataUrl: 'http://127.0.0.1' };
  const partial = join(place, 'manifest.json');
  const { partition, maxTimeMs, cutMs } = planned;
  const places = { partition, maxTimeMs, cutMs, replaced: null, columns: columnsBefore(target) };
  const writer = new ExportWriter(
    { ...plainSpec, about, folder: place, partial, name: 'mirror', format: 'parquet', places },
    null,
  );
  const page = rows.find({
    query: JSON.parse(query) as JsonObject,
    sort: { timestamp: 1, _id: 1 },
    limit: 100_000,
  });
  const content = new Uint8Array(Buffer.from(page));
  writer.read({ at: { at: 'whole' }, content, origin: { overlaps: false, endsBelow: 0 } });
  const { table: spooled } = writer.write().marks;
  writer.close();
  if (!spooled) throw new Error('nothing was spooled');
  const engine = startTables(undefined);
  let statements = 0;
  const stopped = new Error('stopped');
  try {
    await updateTable(
      {
        ...engine,
        async run(sql) {
          if (statements === stopAfter) throw stopped;
          statements += 1;
          return engine.run(sql);
        },
      },
      {
        rows: { folder: place, name: 'mirror', table: spooled, slices: [] },
        target,
        fields: [],
        names: 'dotted',
        about,
        rowBytes: 100,
      },
    );
  } catch (error) {
    if (error !== stopped) throw error;
    return statements;
  } finally {
    await engine.close();
  }
  return Number.POSITIVE_INFINITY;
}

/** More than from one checkpoint to the next. */
const updates = lawRuns(12);

describe(`a mirror that is updated ${updates} times`, () => {
  it('equals a fresh export, with stopped runs and late records', async () => {
    const { rows, random, pass } = arrivals(1);
    const path = join(await folder(), 'mirror');
    pass(30);
    for (let n = 0; n < updates; n += 1) {
      for (let stops = Math.floor(random() * 3); stops > 0; stops -= 1) {
        const before = await partBytes(path);
        if (Number.isFinite(await update(path, rows, 1 + Math.floor(random() * 6))))
          expect(await partBytes(path)).toEqual(before);
      }
      await update(path, rows);
      expect((await tableIn(path)).parts.reduce((sum, part) => sum + part.rows, 0)).toBe(rows.records.length);
      pass(4);
    }
    await update(path, rows);
    const fresh = join(await folder(), 'fresh');
    await update(fresh, rows);
    expect(byId(await recordsIn(path))).toEqual(byId(await recordsIn(fresh)));
  });
});

describe('DuckDB', () => {
  it('reads a folder with its wells and days, instants, units, and the sums of the service', async () => {
    const { rows, pass } = arrivals(3);
    const path = join(await folder(), 'wits');
    pass(48);
    const plan = await folderPlanFor(path, rows, { mirror: { overlapMs } });
    await runExport(await service(rows), await folder(), {
      ...plan,
      columns: { 'data.rop': { unit: 'ft/h' } },
    });
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
    const files = `'${path}/**/*.parquet'`;
    const table = `read_parquet(${files}, hive_partitioning = true)`;
    const found = await read(
      `select asset_id, day::varchar as day, count(*)::int as records, round(sum("data.rop"), 3) as rop from ${table} group by all order by all`,
    );
    const expected = new Map<string, { records: number; rop: number }>();
    for (const record of rows.records) {
      const { asset_id, timestamp, data } = record as {
        asset_id: number;
        timestamp: number;
        data: { rop: number };
      };
      const key = `${asset_id} ${new Date(timestamp).toISOString().slice(0, 10)}`;
      const { records, rop } = expected.get(key) ?? { records: 0, rop: 0 };
      expected.set(key, { records: records + 1, rop: rop + data.rop });
    }
    expect(found).toHaveLength(expected.size);
    for (const { asset_id, day, records, rop } of found) {
      const sums = expected.get(`${String(asset_id)} ${String(day)}`);
      expect(records).toBe(sums?.records);
      expect(Number(rop)).toBeCloseTo(sums?.rop ?? Number.NaN, 2);
    }
    expect(await read(`select distinct typeof(timestamp) as type from ${table}`)).toEqual([
      { type: 'TIMESTAMP WITH TIME ZONE' },
    ]);
    const [units] = await read(
      `select decode(value) as value from parquet_kv_metadata(${files}) where decode(key) = 'wellbench.columns' limit 1`,
    );
    expect(JSON.parse(String(units?.['value']))).toContainEqual({
      name: 'data.rop',
      path: 'data.rop',
      unit: 'ft/h',
    });
    connection.closeSync();
  });
});
