import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { noFaults, startDemo, type Demo } from '../../../../src/demo/index.ts';
import { createApp, type App } from '../../../../src/main/app.ts';
import { sourceAt, targetAt } from '../../../../src/main/core/files/files.ts';
import { noDialogs } from '../../../../src/main/hosts/no-dialogs.ts';
import type { mapping as mappingShape } from '../../../../src/shared/upload/upload.ts';
import type { Job, UploadJob } from '../../../../src/shared/jobs/jobs.ts';
import type * as z from 'zod';
import { maxFixedRows } from '../../../../src/shared/contract/upload.ts';
import { cliEnd, connectionEnv, startCli } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 100, wells: 4 });
});
afterAll(() => demo.close());
afterEach(() => {
  Object.assign(demo.faults, noFaults);
});
const folders = useFolders();
const apps: App[] = [];
afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));

let hour = 0;
const secondsOf = (row: number): number => Date.UTC(2021, 0, 1, hour) + row * 1000;

/** An application over a data folder, with the connection of the command line's variables. */
async function openApp(dataFolder: string) {
  const app = await createApp({
    host: 'browser',
    fileMode: 'dialog',
    dataFolder,
    env: { ...connectionEnv(demo), WELLBENCH_KEYCHAIN: 'off' },
    choose: () => noDialogs,
  });
  apps.push(app);
  const { client } = app;
  /** The job when it has ended. */
  const ended = async (job: string) => {
    const changes = await client.events.jobs({});
    const isEnded = (each: Job): each is UploadJob =>
      each.id === job && each.kind === 'upload' && each.state !== 'running' && each.state !== 'waiting';
    const found = (await client.jobs.list({})).jobs.find(isEnded);
    if (found) return found;
    for await (const change of changes) if (isEnded(change)) return change;
    throw new Error('there are no more events');
  };
  return { app, client, ended };
}

/** So many wrong cells would make the column one of texts. */
const numbers = { columns: { 'data.rop': { to: 'data.rop', type: 'number' as const } } };

/** Uploads a file of lines. */
async function upload(
  { app, client, ended }: Awaited<ReturnType<typeof openApp>>,
  name: string,
  lines: readonly string[],
  mapping: z.input<typeof mappingShape> = numbers,
  rejectsPath?: string,
) {
  const path = join(await folders(), name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  const { token: source } = await app.files.grantSource(sourceAt(path));
  const [connection] = await client.connections.list({});
  const { job } = await client.upload.start({
    connection: connection?.id ?? '',
    provider: 'demo',
    dataset: 'uploads.time',
    source,
    mapping,
    ...(rejectsPath ? { rejects: app.files.grantTarget(targetAt(rejectsPath, true)).token } : {}),
  });
  return ended(job);
}

const header = 'asset_id,timestamp,version,data.rop,data.note';
/** Rows of two wells, of which some have a word in place of a number. */
const rowsWith = (wrong: ReadonlySet<number>, count = 10): string[] =>
  Array.from(
    { length: count },
    (_, row) =>
      `${row % 2 === 0 ? 5001 : 5002},${secondsOf(row)},1,${wrong.has(row) ? `x${row}` : `${row}.5`},"a, ""note"""`,
  );
const stored = async ({ client }: Awaited<ReturnType<typeof openApp>>): Promise<string[]> => {
  const [connection] = await client.connections.list({});
  const from = secondsOf(0);
  const page = await client.query.find({
    connection: connection?.id ?? '',
    provider: 'demo',
    dataset: 'uploads.time',
    query: JSON.stringify({
      asset_id: { $in: [5001, 5002] },
      timestamp: { $gte: from, $lt: from + 3_600_000 },
    }),
    limit: 10_000,
  });
  const records: { asset_id: number; timestamp: number; data: { rop: number } }[] = JSON.parse(
    new TextDecoder().decode(page.records),
  );
  return records
    .map(({ asset_id: well, timestamp, data }) => `${(timestamp - from) / 1000}:${well}:${data.rop}`)
    .toSorted();
};
const expected = (count: number, values: Readonly<Record<number, number>>): string[] =>
  Array.from(
    { length: count },
    (_, row) => `${row}:${row % 2 === 0 ? 5001 : 5002}:${values[row] ?? row + 0.5}`,
  ).toSorted();

describe('fixed rows', () => {
  it('have the reason at their cell, and are sent once as a follow-up, with the cells of the file', async () => {
    hour += 1;
    const data = await folders();
    const opened = await openApp(data);
    const { client, ended } = opened;
    const first = await upload(opened, 'rig.csv', [header, ...rowsWith(new Set([3, 6]))]);
    expect(first.result?.ledger).toMatchObject({ accepted: 8, rejected: 2 });
    const { rows, columns, isFixable } = await client.upload.rejected({ job: first.id });
    expect(isFixable).toBe(true);
    expect(columns).toEqual(header.split(','));
    expect(rows.map(({ line, reasons }) => [line, reasons])).toEqual([
      [5, [{ column: 3, message: '“x3” is not a number.' }]],
      [8, [{ column: 3, message: '“x6” is not a number.' }]],
    ]);
    expect(rows[0]?.cells?.[4]).toBe('a, "note"');
    const fix = (value: string) =>
      rows.map(({ line, cells }) => ({
        line,
        cells: (cells ?? []).map((cell, at) => (at === 3 ? cell.replace(/^x/, value) : cell)),
      }));

    const wrong = await client.upload.sendFixed({ job: first.id, rows: fix('y') });
    expect(wrong).toEqual({
      status: 'wrong',
      rows: [
        { line: 5, reasons: [{ column: 3, message: '“y3” is not a number.' }] },
        { line: 8, reasons: [{ column: 3, message: '“y6” is not a number.' }] },
      ],
    });
    expect(await stored(opened)).toHaveLength(8);

    const sent = await client.upload.sendFixed({ job: first.id, rows: fix('10') });
    if (sent.status !== 'started') throw new Error('it was not sent');
    expect(await ended(sent.job)).toMatchObject({
      state: 'done',
      file: 'rig.fixed.csv',
      parent: { job: first.id, file: 'rig.csv' },
      result: { ledger: { rows: 2, accepted: 2 } },
    });
    expect(await stored(opened)).toEqual(expected(10, { 3: 103, 6: 106 }));
    // Its file goes, which only a job that can be resumed needs.
    await expect.poll(() => existsSync(join(data, 'jobs', sent.job, 'source'))).toBe(false);
    const after = await client.upload.rejected({ job: first.id });
    expect([after.rows, after.followUps]).toEqual([[], [{ job: sent.job, lines: [5, 8] }]]);
    await expect(client.upload.sendFixed({ job: first.id, rows: fix('20') })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('are sent once by two windows at the same moment, and independently for two files', async () => {
    hour += 1;
    const opened = await openApp(await folders());
    const { client, ended } = opened;
    const lines = rowsWith(new Set([1, 12]), 20);
    const files = [
      await upload(opened, 'one.csv', [header, ...lines.slice(0, 10)]),
      await upload(opened, 'two.csv', [header, ...lines.slice(10)]),
    ];
    const requests = await Promise.all(
      files.map(async ({ id: job }) => {
        const { rows } = await client.upload.rejected({ job });
        const cells = rows[0]?.cells?.with(3, '77') ?? [];
        return { job, rows: [{ line: rows[0]?.line ?? 0, cells }] };
      }),
    );
    const results = await Promise.allSettled(
      [...requests, ...requests].map((each) => client.upload.sendFixed(each)),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    for (const result of results)
      if (result.status === 'fulfilled' && result.value.status === 'started') await ended(result.value.job);
    expect(await stored(opened)).toEqual(expected(20, { 1: 77, 12: 77 }));
  });

  it('stay sent when their upload is discarded, or the list of sent lines is damaged', async () => {
    hour += 1;
    const data = await folders();
    const opened = await openApp(data);
    const { client, ended } = opened;
    const first = await upload(opened, 'discarded.csv', [header, ...rowsWith(new Set([2, 6]))]);
    const { rows } = await client.upload.rejected({ job: first.id });
    const fixed = (value: string, at: number) => {
      const { line = 0, cells = null } = rows[at] ?? {};
      return { job: first.id, rows: [{ line, cells: (cells ?? []).with(3, value) }] };
    };
    const sent = await client.upload.sendFixed(fixed('2', 0));
    if (sent.status !== 'started') throw new Error('it was not sent');
    await ended(sent.job);
    await client.jobs.discard({ job: sent.job });
    expect((await client.upload.rejected({ job: first.id })).rows.map(({ line }) => line)).toEqual([
      rows[1]?.line,
    ]);
    await expect(client.upload.sendFixed(fixed('2', 0))).rejects.toMatchObject({ code: 'invalid_input' });
    const once = expected(10, { 2: 2 }).filter((row) => !row.startsWith('6:'));
    expect(await stored(opened)).toEqual(once);
    const [list = ''] = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('sent.json'),
    );
    writeFileSync(join(data, list), '{');
    await expect(client.upload.sendFixed(fixed('6', 1))).rejects.toMatchObject({ code: 'file_unreadable' });
    expect(await stored(opened)).toEqual(once);
  });

  it('are those of the upload itself, not of another one that wrote its rejected rows to the same file', async () => {
    hour += 1;
    const opened = await openApp(await folders());
    const { client } = opened;
    const path = join(await folders(), 'rejects.csv');
    const fixesOf = async (job: string) => {
      const { rows } = await client.upload.rejected({ job });
      return { job, rows: rows.map(({ line, cells }) => ({ line, cells: (cells ?? []).with(3, '7') })) };
    };
    const lines = rowsWith(new Set([3]), 4);
    const first = await upload(opened, 'a.csv', [header, ...lines], numbers, path);
    const request = await fixesOf(first.id);
    expect(request.rows).toHaveLength(1);
    const otherWell = lines.map((line) => line.replace(/^500[12]/, '5003'));
    const second = await upload(opened, 'b.csv', [header, ...otherWell], numbers, path);
    for (const call of [
      async () => client.upload.rejected({ job: first.id }),
      async () => client.upload.sendFixed(request),
    ])
      await expect(call()).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('rejects.csv was changed, replaced') as string,
      });
    expect(await stored(opened)).toHaveLength(3);
    expect(await client.upload.sendFixed(await fixesOf(second.id))).toMatchObject({ status: 'started' });
  });

  it('are offered after the first ones are sent, if there are more than the window shows at once', async () => {
    hour += 1;
    const opened = await openApp(await folders());
    const { client, ended } = opened;
    const count = maxFixedRows + 20;
    const wrong = new Set(Array.from({ length: count }, (_, at) => at));
    const first = await upload(opened, 'many.csv', [header, ...rowsWith(wrong, count)]);
    const fixed = async () => {
      const { rows, isCut } = await client.upload.rejected({ job: first.id });
      const cells = rows.map((row) => ({
        line: row.line,
        cells: (row.cells ?? []).map((cell) => cell.replace(/^x/, '')),
      }));
      return { cells, isCut };
    };
    for (const [rows, isCut] of [
      [maxFixedRows, true],
      [20, false],
    ] as const) {
      const offer = await fixed();
      expect([offer.cells.length, offer.isCut]).toEqual([rows, isCut]);
      const sent = await client.upload.sendFixed({ job: first.id, rows: offer.cells });
      if (sent.status !== 'started') throw new Error('it was not sent');
      await ended(sent.job);
    }
    expect(await fixed()).toEqual({ cells: [], isCut: false });
    expect(await stored(opened)).toEqual(
      expected(count, Object.fromEntries([...wrong].map((row) => [row, row]))),
    );
  });

  it('can have another well, by its name', async () => {
    hour += 1;
    const opened = await openApp(await folders());
    const { client, ended } = opened;
    const lines = [
      'well,timestamp,version,data.rop',
      `Ridge A-101H,${secondsOf(0)},1,0.5`,
      `Nowhere 7,${secondsOf(1)},1,1.5`,
    ];
    const mapping = { columns: { well: { to: 'asset_id', by: 'name' as const } } };
    const first = await upload(opened, 'names.csv', lines, mapping);
    expect(first.result?.ledger).toMatchObject({ accepted: 1, rejected: 1 });
    const { rows } = await client.upload.rejected({ job: first.id });
    expect(rows[0]?.reasons).toEqual([{ column: 0, message: "“Nowhere 7” doesn't match a well." }]);
    const [row] = rows;
    const cells = row?.cells ?? [];
    const line = row?.line ?? 0;
    const send = (well: string) =>
      client.upload.sendFixed({ job: first.id, rows: [{ line, cells: cells.with(0, well) }] });
    expect(await send('Nowhere 8')).toMatchObject({ status: 'wrong', rows: [{ reasons: [{ column: 0 }] }] });
    const sent = await send('Ridge B-102H');
    if (sent.status !== 'started') throw new Error('it was not sent');
    await ended(sent.job);
    expect(await stored(opened)).toEqual(['0:5001:0.5', '1:5002:1.5']);
  });

  it('are sent exactly once when the process is killed while they are on their way, and the job is resumed', async () => {
    hour += 1;
    const data = await folders();
    const opened = await openApp(data);
    const wrong = new Set(Array.from({ length: 30 }, (_, at) => at * 2 + 1));
    const first = await upload(opened, 'kill.csv', [header, ...rowsWith(wrong, 60)]);
    const { rows } = await opened.client.upload.rejected({ job: first.id });
    expect(rows).toHaveLength(30);
    // The insert is stored, but its response is late: the process ends between the two.
    demo.faults.latency_ms = 400;
    const sent = await opened.client.upload.sendFixed({
      job: first.id,
      rows: rows.map(({ line, cells }) => ({
        line,
        cells: (cells ?? []).map((cell) => cell.replace(/^x/, '')),
      })),
    });
    if (sent.status !== 'started') throw new Error('it was not sent');
    await opened.app.close();
    apps.splice(0);
    let killed = 0;
    for (const afterMs of [900, 1600, 2400]) {
      const child = startCli(['jobs', 'resume', sent.job, '--data-dir', data, '--json'], connectionEnv(demo));
      const end = cliEnd(child);
      await Promise.race([sleep(afterMs), end]);
      if (child.exitCode === null && child.kill('SIGKILL')) killed += 1;
      await end;
    }
    expect(killed).toBeGreaterThan(0);
    demo.faults.latency_ms = 0;
    const again = await openApp(data);
    await again.client.connections.list({});
    const before = await again.ended(sent.job);
    if (before.state !== 'done') await again.client.jobs.resume({ job: sent.job });
    await expect.poll(async () => (await again.ended(sent.job)).state, { timeout: 20_000 }).toBe('done');
    expect((await again.ended(sent.job)).result?.ledger).toMatchObject({
      rows: 30,
      accepted: 30,
      unknown: 0,
    });
    const values = Object.fromEntries([...wrong].map((row) => [row, row]));
    expect(await stored(again)).toEqual(expected(60, values));
    expect((await again.client.upload.rejected({ job: first.id })).rows).toEqual([]);
  });
});
