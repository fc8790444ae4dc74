import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { connection as connectionSchema } from '../../../../src/shared/connections/connections.ts';
import { readingOptions, uploadRequest } from '../../../../src/shared/upload/upload.ts';
import { createFiles, sourceAt, targetAt } from '../../../../src/main/core/files/files.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { PlanHead } from '../../../../src/main/core/jobs/jobs.ts';
import { type StoredSummary, JobStore } from '../../../../src/main/core/jobs/store.ts';
import type { JobState } from '../../../../src/shared/jobs/jobs.ts';
import { openCsvThread, type OpenCsvThread } from '../../../../src/main/core/mapping/source-file.ts';
import { uploadPlan } from '../../../../src/main/core/mapping/upload-plan.ts';
import { createUpload } from '../../../../src/main/features/upload/upload.ts';
import { runInFolder } from '../../../support/job-runs.ts';
import { createUploadEngine } from '../../../../src/main/features/upload/run.ts';
import { type RequestHandler, useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import { oneDataset } from '../../core/datasets/support.ts';
import { fileWith, temporaryFolder } from './support/files.ts';
import { createSink } from './support/sink.ts';
import { inProcessThread, readingWith } from './support/uploads.ts';

const servers = useServers();
const services = useServices();

const summaryOf = (state: JobState): StoredSummary => ({
  state,
  address: { provider: 'p', dataset: 'd' },
  connection: 'rig',
  file: 'rows.csv',
  started: '2026-01-01T00:00:00.000Z',
  updated: '2026-01-01T00:00:00.000Z',
  progress: { rows: 0, totalRows: null, bytes: 0, rate: 0, secondsLeft: null, nextTryMs: null },
  error: null,
  waitsFor: null,
  artifacts: [],
  result: null,
});

async function setUp({
  readOnly = false,
  openThread = inProcessThread,
  service,
}: { readOnly?: boolean; openThread?: OpenCsvThread; service?: RequestHandler } = {}) {
  const sink = createSink();
  const { url } = await (service ? servers.http(service) : servers.raw(sink.server));
  const files = createFiles();
  const started: PlanHead[] = [];
  const store = new JobStore(await temporaryFolder(), 'test');
  const open = services(url);
  const upload = createUpload({
    synonyms: async () => new Map(),
    connections: {
      services: () => open,
      get: (id) =>
        connectionSchema.parse({
          id,
          name: 'rig',
          color: 'blue',
          dataUrl: url,
          platformUrl: url,
          method: 'api_key',
          secret: 'session',
          readOnly,
          sample: false,
        }),
    },
    files,
    ...readingWith(openThread),
    store,
    runner: {
      async start(kind, plan, signal) {
        if (signal?.aborted) throw new AppError('cancelled', {});
        started.push(plan);
        const locked = await store.create(kind, 1, plan, summaryOf('done'));
        locked.lock.release();
        return { id: locked.id };
      },
    },
  });
  const grant = async (content: string, name?: string) =>
    (await files.grantSource(sourceAt(await fileWith(content, name)))).token;
  const request = (source: string, more: object = {}) =>
    uploadRequest.parse({ connection: 'c', provider: 'p', dataset: 'd', source, ...more });
  return { sink, upload, files, started, store, grant, request, services: open };
}
const sound = 'timestamp,asset_id,version,n\n1700000000000,7,1,5\n';

describe('inspect', () => {
  it('reads all of a file in its own thread and reports its columns', async () => {
    const { upload, grant } = await setUp({ openThread: openCsvThread });
    const found = await upload.inspect(
      {
        ...readingOptions.parse({}),
        nulls: [],
        source: await grant('Time,ROP\n,ft/h\n2020-01-01T00:00:00Z,1.5\n'),
      },
      {},
    );
    expect(found).toEqual({
      format: 'csv',
      compression: null,
      tables: [{ name: 'file.csv', rows: 1, columns: 2, isHidden: false }],
      table: 'file.csv',
      tableNumber: 1,
      index: null,
      header: [],
      places: { kind: 'line', table: null },
      encoding: 'UTF-8',
      delimiter: ',',
      columnEdges: null,
      footerRows: 0,
      newline: 'LF',
      headerRow: 1,
      unitRow: 2,
      rows: 1,
      columns: [
        {
          name: 'Time',
          unit: null,
          type: 'time',
          nulls: 0,
          min: '2020-01-01T00:00:00Z',
          max: '2020-01-01T00:00:00Z',
        },
        { name: 'ROP', unit: 'ft/h', type: 'number', nulls: 0, min: 1.5, max: 1.5 },
      ],
      warnings: [],
    });
  });

  it('rejects anything but a table, with the file’s name', async () => {
    const { upload, grant } = await setUp();
    await expect(
      upload.inspect(
        { ...readingOptions.parse({}), nulls: [], source: await grant('%PDF-1.4', 'report.csv') },
        {},
      ),
    ).rejects.toMatchObject({ code: 'file_unsuitable', details: { file: 'report.csv' } });
  });

  it('ends when the caller disconnects', async () => {
    const { upload, grant } = await setUp({ openThread: openCsvThread });
    const source = await grant(sound);
    await expect(
      upload.inspect({ ...readingOptions.parse({}), nulls: [], source }, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('start', () => {
  it('makes a plan with every decision and without credentials, and passes it to the runner', async () => {
    const { upload, started, grant, request } = await setUp();
    expect(await upload.start(request(await grant(sound, 'data.csv')), {})).toMatchObject({
      job: expect.any(String),
    });
    const plan = uploadPlan.parse(JSON.parse(JSON.stringify(started[0])));
    expect(plan).toMatchObject({
      connection: { id: 'c', name: 'rig' },
      address: { provider: 'p', dataset: 'd' },
      fileName: 'data.csv',
      type: 'time',
      rows: 1,
      source: { place: 'path', bytes: sound.length },
      rejects: { place: 'job', name: 'data.rejects.csv' },
      existing: 'skip',
    });
    expect(JSON.stringify(plan)).not.toContain('the-test-key');
  });

  it.each([
    ['is empty', 0, () => [], 'unit_of_new_field', { 'data.rop': 'm/h' }],
    ['has records that aren’t returned', 9, () => [], 'field_unit_unknown', {}],
    [
      'refuses queries without wells',
      null,
      (_query: object, _seen: object, response: ServerResponse) => void response.writeHead(400).end(),
      'field_unit_unknown',
      {},
    ],
  ])('gives a field the unit of the file only if it is new: the dataset %s', async (...row) => {
    const [, count, records, code, newUnits] = row;
    const definition = { name: 'p#d', data_type: 'time', statistics: { count } };
    const { upload, started, grant, request } = await setUp({ service: oneDataset(definition, records) });
    const mapping = { columns: { rop: { to: 'data.rop' } } };
    await upload.start(
      request(await grant('timestamp,asset_id,rop\n,,m/h\n1700000000000,7,5\n'), { mapping }),
      {},
    );
    const { warnings, ...plan } = uploadPlan.parse(started[0]);
    expect(plan.newUnits).toEqual(newUnits);
    expect(warnings.filter(({ column }) => column === 'rop')).toMatchObject([{ code }]);
  });

  it('creates a job that runs the same way, with real threads', async () => {
    const { sink, upload, started, grant, request, services: open } = await setUp();
    await upload.start(request(await grant(sound), { existing: 'insert' }), {});
    const folder = await temporaryFolder();
    const plan = uploadPlan.parse(started[0]);
    const result = await runInFolder({ engine: createUploadEngine(), folder, plan, services: open });
    expect(result.ledger).toMatchObject({ accepted: 1, pending: 0 });
    expect(sink.stored).toEqual([{ asset_id: 7, version: 1, timestamp: 1_700_000_000_000, data: { n: 5 } }]);
  });

  it.each([
    [
      'a file without the columns that the dataset needs',
      'a,b\n1,2\n',
      {},
      'invalid_input',
      /needs asset_id, timestamp/,
    ],
    [
      'a mapping that names a missing column',
      sound,
      { mapping: { columns: { when: { to: 'timestamp' } } } },
      'invalid_input',
      /“when”/,
    ],
    ['a binary file', '\0\0\0\0', {}, 'file_unsuitable', /NUL bytes/],
    ['an empty file', '', {}, 'file_unsuitable', /empty/],
  ])('rejects %s before a job starts', async (_what, content, more, code, message) => {
    const { sink, upload, started, grant, request } = await setUp();
    const refused = upload.start(request(await grant(content), more), {});
    await expect(refused).rejects.toMatchObject({ code });
    await expect(refused).rejects.toThrow(message);
    expect([started.length, sink.inserts.length]).toEqual([0, 0]);
  });

  it('reports problems of a mapping before it looks up wells', async () => {
    const { upload, grant, request } = await setUp();
    const mapping = { columns: { asset_id: { to: 'asset_id', by: 'name' }, nowhere: { to: 'data.x' } } };
    // This service has no wells: a lookup would cause another error.
    await expect(upload.start(request(await grant(sound), { mapping }), {})).rejects.toThrow(/“nowhere”/);
  });

  it('rejects a read-only connection, except for a dry run', async () => {
    const { upload, started, grant, request } = await setUp({ readOnly: true });
    const source = await grant(sound);
    await expect(upload.start(request(source), {})).rejects.toMatchObject({ code: 'connection_read_only' });
    await upload.start(request(source, { dryRun: true }), {});
    expect(started).toHaveLength(1);
  });

  it('rejects a file that doesn’t exist', async () => {
    const { upload, files, request } = await setUp();
    const path = join(await temporaryFolder(), 'gone.csv');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '');
    const { token } = await files.grantSource(sourceAt(path));
    await rm(path);
    await expect(upload.start(request(token), {})).rejects.toMatchObject({
      code: 'file_unreadable',
      details: { file: 'gone.csv' },
    });
  });

  it('writes rejects to the selected path', async () => {
    const { upload, files, started, grant, request } = await setUp();
    const folder = await temporaryFolder();
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'keep'), '');
    const rejects = files.grantTarget(targetAt(join(folder, 'bad.csv'))).token;
    await upload.start(request(await grant(sound), { rejects }), {});
    expect(started[0]).toMatchObject({ rejects: { place: 'path', path: join(folder, 'bad.csv') } });
    // The job owns the path now: neither another job nor the window can write there.
    expect(() => files.target(rejects)).toThrow('no longer available');
  });
});

it('a file is read whole once for its inspection, its check, and its upload, and again when it changes', async () => {
  const calls: string[] = [];
  const { upload, files, request } = await setUp({
    openThread: () => inProcessThread(undefined, (name) => calls.push(name)),
  });
  const scans = () => calls.filter((name) => name === 'scan').length;
  const path = await fileWith(sound, 'data.csv');
  const { token } = await files.grantSource(sourceAt(path));
  await upload.inspect({ ...readingOptions.parse({}), nulls: [], source: token }, {});
  const { job: checked } = await upload.start(request(token, { dryRun: true }), {});
  await upload.start(request(token, { checked }), {});
  expect(scans()).toBe(1);
  await writeFile(path, `${sound}1700000001000,7,1,6\n`);
  await expect(upload.start(request(token, { checked }), {})).rejects.toMatchObject({
    code: 'upload_changed',
    details: { parts: ['file'] },
  });
  expect(scans()).toBe(2);
});

it.each([true, false])(
  'an upload (dry run: %s) begins no job if it was canceled while its plan was made',
  async (dryRun) => {
    const { upload, grant, request, started } = await setUp();
    const stop = new AbortController();
    const start = upload.start(request(await grant(sound), { dryRun }), { signal: stop.signal });
    stop.abort();
    await expect(start).rejects.toMatchObject({ code: 'cancelled' });
    expect(started).toEqual([]);
  },
);

describe('an upload that was checked', () => {
  const local = (well: number) => `timestamp,asset_id,version,n\n2026-01-01T00:00:00,${well},1,5\n`;
  const zone = (name: string) => ({ columns: { timestamp: { to: 'timestamp', zone: name } } });

  it('starts if it would store what was checked, and is refused if the file, a time zone, or a choice is another', async () => {
    const { upload, grant, request, started } = await setUp();
    const [first, second] = [await grant(local(7)), await grant(local(8))];
    const mapping = zone('America/Chicago');
    const check = { mapping, dryRun: true };
    const { job: checked } = await upload.start(request(first, check), {});
    const others = [
      [request(second, { mapping }), ['file']],
      [request(first, { mapping: zone('America/Denver') }), ['mapping', 'wells']],
      [request(first, { mapping, existing: 'insert' }), ['existing']],
    ] as const;
    for (const [other, parts] of others)
      await expect(upload.start({ ...other, checked }, {})).rejects.toMatchObject({
        code: 'upload_changed',
        details: { parts },
      });
    expect(started).toHaveLength(1);
    await upload.start({ ...request(first, { mapping }), checked }, {});
    expect(started).toHaveLength(2);
  });

  it.each(['cancelled', 'failed', 'interrupted'] as const)(
    'to its end only: one whose check was %s is refused, as is a check that was discarded or was no check',
    async (state) => {
      const { upload, grant, request, started, store } = await setUp();
      const token = await grant(sound);
      const { job: checked } = await upload.start(request(token, { dryRun: true }), {});
      await store.save({ id: checked, kind: 'upload', summary: summaryOf(state) });
      const send = (check: string) => upload.start(request(token, { checked: check }), {});
      await expect(send(checked)).rejects.toThrow(/check of the file didn’t end/);
      await store.remove(checked);
      await expect(send(checked)).rejects.toMatchObject({ code: 'job_unknown' });
      const { job: sent } = await upload.start(request(token), {});
      await expect(send(sent)).rejects.toThrow(/check of the file didn’t end/);
      expect(started).toHaveLength(2);
    },
  );
});
