import {
  appendFileSync,
  copyFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitName, logName, readLastRun } from '../../../../../src/main/core/write/delta/snapshot.ts';
import { recordsById, tableIn } from '../../../features/export/support/folders.ts';
import {
  hour,
  hourly,
  hourlySeries,
  instant,
  localInstant,
  nowMs,
  record,
  series,
  start,
  timed,
  useMirrors,
  wells,
} from '../../../features/export/support/mirrors.ts';
import { idAt, Rows } from '../../../features/export/support/rows.ts';
import { sampleOf } from '../../../../support/sample.ts';

const { folder, updated, expectFresh } = useMirrors();
const noTime = 'day=__HIVE_DEFAULT_PARTITION__';

type Change = readonly [string, (rows: Rows, id: number) => void];
/** What happens to a dataset; the ids of new records start with `id`. */
const changes: readonly Change[] = [
  ['a record of the year 2099', (rows, id) => rows.add(timed(id, 5001, Date.UTC(2099, 0, 1)))],
  ['a record in microseconds', (rows, id) => rows.add(timed(id, 5002, (start + hour) * 1000))],
  ['a record before 1950', (rows, id) => rows.add(timed(id, 5001, Date.UTC(1901, 5, 1)))],
  [
    'a well that comes late',
    (rows, id) => rows.add(...Array.from({ length: 60 }, (_, n) => timed(id + n, 5003, start + n * hour))),
  ],
  [
    'a well that catches up',
    (rows, id) =>
      rows.add(...Array.from({ length: 30 }, (_, n) => timed(id + n, 5002, start + n * hour + 60_000))),
  ],
  ['deleted records', (rows) => rows.remove(idAt(3), idAt(50), idAt(51))],
  [
    'records without a time',
    (rows, id) =>
      rows.add(record(id, 5001, ''), record(id + 1, 5002, ',"timestamp":null'), record(id + 2, 5002, '')),
  ],
  ['a time as text', (rows, id) => rows.add(record(id, 5001, ',"timestamp":"2026-01-30T00:00:00Z"'))],
  ['a record without a well', (rows, id) => rows.add(`{"_id":"${idAt(id)}","timestamp":${start}}`)],
  [
    'a well as text',
    (rows, id) => rows.add(`{"_id":"${idAt(id)}","asset_id":"5001","timestamp":${start + 5}}`),
  ],
];
/** These would hide others on the same day, or be hidden. */
const emptied: Change = [
  'a deleted well, and a deleted day of the other one',
  (rows) =>
    rows.remove(...Array.from({ length: 96 }, (_, n) => [idAt(2 * n), idAt(2 * (n % 24) + 1)]).flat()),
];
const balanced: Change = [
  'as many deleted records as late ones on one day',
  (rows, id) => {
    rows.remove(idAt(4));
    rows.add(timed(id, 5001, start + 60_000));
  },
];
// Neither changes how many records a day has, nor the highest id.
const corrected: Change = [
  'a time that was corrected in place',
  (rows) => {
    rows.remove(idAt(4));
    rows.add(timed(4, 5001, start + 2 * hour + 60_000));
  },
];
const moved: Change = [
  'a deleted record and a late one of the same day with a lower id than others',
  (rows) => {
    rows.remove(idAt(4));
    rows.add(`{"_id":"${idAt(4)}0","asset_id":5001,"timestamp":${start + 60_000},"data":{"rop":1}}`);
  },
];
const atOnce: Change = [
  changes.map(([name]) => name).join(', '),
  (rows) => {
    for (const [at, [, change]] of changes.entries()) change(rows, 1000 * (at + 1));
  },
];
/** `npm test` has all of them too: most in one update. */
const cases = [atOnce, ...changes.slice(0, 5), emptied, ...changes.slice(5), balanced];

describe('an update', () => {
  it.each(sampleOf(cases, 3))(
    'after %s has the records of the service, and those that follow',
    async (_, change) => {
      const path = join(await folder(), 'wits');
      const rows = new Rows(hourly());
      expect((await updated(path, rows)).result.folder).toMatchObject({
        added: 192,
        verified: true,
        reread: 0,
      });
      change(rows, 900);
      const { result } = await updated(path, rows);
      expect(result.folder).toMatchObject({ verified: true });
      expect(result.folder?.reread).toBeGreaterThan(0);
      expect(result.rows).toBe(rows.records.length);
      // The next update reads nothing of it again.
      rows.add(timed(990, 5001, start + 97 * hour), timed(991, 5002, start + 97 * hour));
      expect((await updated(path, rows)).result.folder).toMatchObject({
        added: 2,
        removed: 0,
        verified: true,
        reread: 0,
      });
      await expectFresh(path, rows);
    },
  );

  it.each(sampleOf(cases, 2))('after %s has them where only counts are possible', async (_, change) => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(hourly());
    await updated(path, rows, { refused: { pipeline: 403 } });
    change(rows, 900);
    const { result } = await updated(path, rows, { refused: { pipeline: 403 } });
    expect(result.folder).toMatchObject({ verified: true });
    // Counts can't show that a record replaced another one.
    if (result.folder?.reread !== 0) await expectFresh(path, rows);
    else expect(result.rows).toBe(rows.records.length);
  });
});

/** Replaces the file of a partition by a copy with a name of its own, as a program does that compacts tables. */
async function compact(path: string, partition: string): Promise<void> {
  const { parts, snapshot } = await tableIn(path);
  const old = parts.find((each) => dirname(each.path) === partition)?.path ?? '';
  const name = `${partition}/part-00000-compacted.snappy.parquet`;
  copyFileSync(join(path, old), join(path, name));
  const { tags: _, ...add } = snapshot.files.get(old) ?? {};
  await commitOfOther(path, [{ remove: { path: old, dataChange: false } }, { add: { ...add, path: name } }]);
}

/** Removes the records of partitions, as other programs do. */
async function drop(path: string, partitions: readonly string[]): Promise<void> {
  const { parts } = await tableIn(path);
  const dropped = parts.filter((part) => partitions.includes(dirname(part.path)));
  await commitOfOther(
    path,
    dropped.map((part) => ({ remove: { path: part.path, dataChange: true } })),
  );
}

/** A commit of another program. */
async function commitOfOther(path: string, actions: readonly object[]): Promise<void> {
  const { snapshot } = await tableIn(path);
  writeFileSync(
    join(path, logName, commitName(snapshot.version + 1)),
    actions.map((action) => `${JSON.stringify(action)}\n`).join(''),
  );
}

describe('a mirror', () => {
  it('has records without a plausible time in a partition of their own, and counts them in a warning', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows([...hourly(), timed(900, 5001, Date.UTC(2099, 0, 1)), record(901, 5002, '')]);
    const { result } = await updated(path, rows);
    expect(result.warnings).toEqual([expect.stringMatching(/^2 records have no time/)]);
    const found = await recordsById(path);
    expect(Object.keys(found)).toContain(`asset_id=5001/${noTime}`);
    expect(found[`asset_id=5002/${noTime}`]).toHaveLength(1);
    expect((await readLastRun(path))?.run).toMatchObject({ last: start + 95 * hour, verified: true });
  });

  it('is not verified, and says so, where the service allows neither an aggregation nor counts', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(hourly());
    const refused = { refused: { pipeline: 422, count: 403 } };
    await updated(path, rows, refused);
    rows.add(timed(900, 5003, start), timed(901, 5002, start + 1));
    const { result } = await updated(path, rows, refused);
    expect(result.folder).toMatchObject({ verified: false, reread: 0 });
    expect(result.warnings.join(' ')).toContain('could not be compared');
    expect((await readLastRun(path))?.run).toMatchObject({ verified: false });
  });

  it('moves a record to its day when the clock reaches it', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows([...hourly(), timed(900, 5001, nowMs + 20 * hour)]);
    await updated(path, rows);
    expect(Object.keys(await recordsById(path))).toContain(`asset_id=5001/${noTime}`);
    const run = { nowMs: nowMs + 24 * hour };
    expect((await updated(path, rows, {}, run)).result.folder).toMatchObject({ verified: true });
    await expectFresh(path, rows, run);
  });

  it.each(['day', 'month'] as const)(
    'by %s takes no record that came after its plan for one without a time, though it ends hours later',
    async (period) => {
      const path = join(await folder(), 'wits');
      const rows = new Rows(hourly());
      const run = { partition: ['asset_id' as const, period] };
      await updated(path, rows, {}, run);
      rows.add(
        timed(900, 5001, start + 50 * hour + 1),
        record(901, 5001, ''),
        timed(902, 5001, nowMs + 2 * hour),
      );
      const clockMs = nowMs + 3 * hour;
      const { result } = await updated(path, rows, { clockMs }, run);
      expect(result).toMatchObject({
        warnings: [expect.stringMatching(/^1 record has/)],
        folder: { verified: true },
      });
      const later = { ...run, nowMs: clockMs };
      expect((await updated(path, rows, {}, later)).result.rows).toBe(rows.records.length);
      await expectFresh(path, rows, later);
    },
  );

  it('reads a partition again that was removed from the folder, and says so', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(hourly());
    await updated(path, rows);
    rmSync(join(path, 'asset_id=5001/day=2026-01-31'), { recursive: true });
    rmSync(join(path, 'asset_id=5002/day=2026-02-02'), { recursive: true });
    const { result } = await updated(path, rows);
    expect(result).toMatchObject({ rows: 192, folder: { verified: true } });
    expect(result.warnings).toEqual([expect.stringMatching(/^2 files of the folder were missing/)]);
    await expectFresh(path, rows);
  });

  it('reads them too where the service allows no comparison, also after an update that was stopped', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(hourly());
    const refused = { refused: { pipeline: 422, count: 403 } };
    await updated(path, rows, refused);
    rmSync(join(path, 'asset_id=5001/day=2026-01-31'), { recursive: true });
    for (const name of readdirSync(join(path, 'asset_id=5002/day=2026-02-02')))
      appendFileSync(join(path, 'asset_id=5002/day=2026-02-02', name), 'more');
    await expect(
      updated(path, rows, { ...refused, fail: (nth) => (nth > 3 ? 401 : null) }),
    ).rejects.toMatchObject({ code: 'not_authenticated' });
    const { result, plan } = await updated(path, rows, refused);
    expect(plan.folder?.cutMs).not.toBeNull();
    expect(result).toMatchObject({ rows: 192, folder: { added: 0, removed: 0, reread: 2, verified: false } });
    expect(result.warnings.join(' ')).toContain('2 files of the folder were missing');
    await expectFresh(path, rows);
  });

  it.skipIf(process.platform === 'win32')(
    'takes no file for lost that the drive doesn’t find for another reason',
    async () => {
      const path = join(await folder(), 'wits');
      const rows = new Rows(hourly(4));
      await updated(path, rows);
      const partition = join(path, 'asset_id=5001/day=2026-01-30');
      renameSync(partition, `${partition}-away`);
      // A link to itself: the system can't open it.
      symlinkSync(partition, partition);
      await expect(updated(path, rows)).rejects.toMatchObject({ code: 'file_unreadable' });
      rmSync(partition);
      renameSync(`${partition}-away`, partition);
      expect((await updated(path, rows)).result).toMatchObject({ warnings: [], folder: { reread: 0 } });
    },
  );

  it.each([{}, { pipeline: 422, count: 403 }])(
    'replaces the files that another program wrote, where the service refuses %j',
    async (refused) => {
      const path = join(await folder(), 'wits');
      const rows = new Rows(hourly());
      await updated(path, rows, { refused });
      await compact(path, 'asset_id=5001/day=2026-01-31');
      const { result } = await updated(path, rows, { refused });
      expect(result).toMatchObject({ rows: 192 });
      await expectFresh(path, rows);
      expect((await tableIn(path)).snapshot.files.size).toBe((await tableIn(path)).parts.length);
    },
  );

  it.each([{}, { pipeline: 422, count: 403 }])(
    'reads the records again that another program removed, where the service refuses %j',
    async (refused) => {
      const path = join(await folder(), 'wits');
      const rows = new Rows(hourly());
      await updated(path, rows, { refused });
      await drop(path, ['asset_id=5001/day=2026-01-31', 'asset_id=5002/day=2026-02-01']);
      const { result } = await updated(path, rows, { refused });
      expect(result).toMatchObject({ rows: 192 });
      await expectFresh(path, rows);
      // What was read is known again: the next update reads only what is new.
      expect((await updated(path, rows, { refused })).plan.folder?.cutMs).not.toBeNull();
    },
  );

  it('is verified while the dataset grows', async () => {
    const path = join(await folder(), 'wits');
    let next = 1000;
    let ms = nowMs - hour;
    const rows = new Rows(hourly(), {
      before: () => {
        for (const asset of wells) rows.add(timed((next += 1), asset, (ms += 1000)));
      },
    });
    for (let n = 0; n < 3; n += 1) {
      const { result } = await updated(path, rows);
      expect(result.folder).toMatchObject({ verified: true, reread: 0 });
      expect(result.warnings).toEqual([]);
      expect(result.expected).toBe(result.rows);
    }
  });

  it('finds a record that was changed in place within the overlap, though the update before read the same', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(hourly());
    for (let n = 0; n < 2; n += 1) await updated(path, rows);
    rows.remove(idAt(190));
    rows.add(`{"_id":"${idAt(190)}","asset_id":5001,"timestamp":${start + 95 * hour},"data":{"rop":77.5}}`);
    expect((await updated(path, rows)).result.folder).toMatchObject({ rewritten: 1, verified: true });
    await expectFresh(path, rows);
  });

  it.each([corrected, moved])('finds %s', async (_, change) => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(hourly());
    await updated(path, rows);
    change(rows, 900);
    expect((await updated(path, rows)).result.folder).toMatchObject({ reread: 1, verified: true });
    await expectFresh(path, rows);
    expect((await updated(path, rows)).result.folder).toMatchObject({ reread: 0, verified: true });
  });

  it('needs three requests for records when nothing changed', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(hourly());
    await updated(path, rows);
    const { requests, result } = await updated(path, rows, { hasTotal: true });
    expect(result.folder).toMatchObject({ added: 0, rewritten: 0 });
    expect(requests).toHaveLength(3);
  });

  const partitions = [
    { partition: ['asset_id', 'month'] },
    { partition: ['asset_id'] },
    { partition: ['day'] },
  ] as const;
  it.each(sampleOf(partitions, 2))('of $partition finds late and deleted records', async ({ partition }) => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(hourly());
    const run = { partition: [...partition] };
    await updated(path, rows, {}, run);
    rows.remove(idAt(7));
    rows.add(timed(900, 5002, start + 90_000), timed(901, 5003, start), record(902, 5001, ''));
    expect((await updated(path, rows, {}, run)).result.folder).toMatchObject({ verified: true });
    await expectFresh(path, rows, run);
    rows.remove(idAt(9));
    rows.add(timed(903, 5001, start + 90_000), timed(904, 5003, start + 10), record(905, 5001, ''));
    const refused = { refused: { pipeline: 404 } };
    expect((await updated(path, rows, refused, run)).result.folder).toMatchObject({ verified: true });
  });

  it('of a query with its own limits of time compares and reads only those', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(hourly());
    const run = { query: { timestamp: { $gte: start + 30 * hour, $lt: start + 90 * hour } } };
    await updated(path, rows, {}, run);
    rows.remove(idAt(70));
    rows.add(
      timed(900, 5001, start + 40 * hour + 1),
      timed(901, 5001, start + 29 * hour),
      record(902, 5001, ''),
    );
    const { result } = await updated(path, rows, {}, run);
    expect(result).toMatchObject({ rows: 120, folder: { verified: true } });
    await expectFresh(path, rows, run);
  });
});

describe('a mirror of a timeseries dataset', () => {
  it.each([{}, { pipeline: 403 }])(
    'finds late, deleted, and future records, refusing %j',
    async (refused) => {
      const path = join(await folder(), 'series');
      const rows = new Rows(hourlySeries());
      const run = { type: 'timeseries' } as const;
      await updated(path, rows, { refused }, run);
      rows.remove(idAt(7), idAt(8));
      rows.add(
        series(900, 5001, instant(Date.UTC(2099, 0, 1))),
        series(901, 5003, instant(start)),
        series(903, 5002, '"2026-01-30T23:30:00"'),
        series(904, 5001, '5'),
        series(905, 5002, 'null'),
        series(906, 5001, '"soon"'),
      );
      // Text is compared by characters, so counts of ranges can't include a time with an offset.
      if (!('pipeline' in refused)) rows.add(series(907, 5002, '"2026-01-30T23:30:00-06:00"'));
      const { result } = await updated(path, rows, { refused }, run);
      expect(result).toMatchObject({ rows: rows.records.length, folder: { verified: true } });
      await expectFresh(path, rows, run);
    },
  );

  it.each([{}, { pipeline: 403 }])(
    'of a query with a lower limit of time has the records of the far future, refusing %j',
    async (refused) => {
      const path = join(await folder(), 'series');
      const future = (n: number): string => series(n, 5001, instant(Date.UTC(2099, 0, n - 899)));
      const rows = new Rows([...hourlySeries(), future(900)]);
      const query = { datetime: { $gte: new Date(start).toISOString() } };
      const run = { type: 'timeseries', query } as const;
      await updated(path, rows, { refused }, run);
      rows.add(future(901));
      const { result } = await updated(path, rows, { refused }, run);
      expect(result).toMatchObject({ rows: rows.records.length, folder: { verified: true } });
      await expectFresh(path, rows, run);
    },
  );

  /** The records of the hours up to one, without it, whose times have an offset from UTC. */
  const hours = (from: number, to: number, offset: number): string[] =>
    Array.from({ length: to - from }, (_, n) =>
      wells.map((asset, well) =>
        series(2 * (from + n) + well, asset, localInstant(start + (from + n) * hour, offset)),
      ),
    ).flat();

  it.each([-6, 3])(
    'has all records up to its end if their times have an offset of %i hours',
    async (offset) => {
      const path = join(await folder(), 'series');
      const rows = new Rows(hours(0, 96, offset));
      const runAt = (end: number) => ({ type: 'timeseries', nowMs: start + end * hour }) as const;
      await updated(path, rows, {}, runAt(96));
      for (const [from, to, reread] of [
        [96, 102, 0],
        [102, 106, 1],
      ] as const) {
        rows.add(...hours(from, to, offset));
        // A record of this day that is older than the overlap: the day is read again.
        if (reread > 0) rows.remove(idAt(2 * 97));
        const { result } = await updated(path, rows, {}, runAt(to));
        expect(result).toMatchObject({ rows: rows.records.length, folder: { reread, verified: true } });
      }
      await expectFresh(path, rows, runAt(106));
    },
  );

  it.each([{}, { query: { datetime: { $gte: '2026' } } }])(
    'has a record ahead of the clock whose time has an offset (%j)',
    async (scope) => {
      const path = join(await folder(), 'series');
      const rows = new Rows(hourlySeries());
      const run = { type: 'timeseries', ...scope } as const;
      await updated(path, rows, {}, run);
      rows.add(series(900, 5001, localInstant(nowMs + 3 * hour, -6)));
      const { result } = await updated(path, rows, {}, run);
      expect(result).toMatchObject({ rows: rows.records.length, folder: { verified: true } });
      await expectFresh(path, rows, run);
    },
  );
});

describe.each(['depth', 'reference'] as const)('a mirror of a %s dataset', (type) => {
  it('is compared by well', async () => {
    const path = join(await folder(), type);
    const rows = new Rows(hourly(10));
    const run = { type, partition: ['asset_id'] as ['asset_id'] };
    await updated(path, rows, {}, run);
    rows.remove(idAt(3));
    rows.add(timed(900, 5003, 1));
    expect((await updated(path, rows, {}, run)).result.folder).toMatchObject({
      added: 1,
      removed: 1,
      verified: true,
    });
    await expectFresh(path, rows, run);
  });
});
