import { writeFileSync } from 'node:fs';
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CsvThread } from '../../../../src/main/core/mapping/source-file.ts';
import { systemClock } from '../../../../src/main/core/wire/http/retry.ts';
import { onAbort } from '../../../../src/shared/abort.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import { fileWith, temporaryFolder } from './support/files.ts';
import { createSink, type SinkOptions } from './support/sink.ts';
import { inProcessThread, journalOf, planOf, runJob, type RunOptions } from './support/uploads.ts';

const servers = useServers();
const services = useServices();
const small = { batch: { rows: 10, bytes: 1 << 20 } };

async function setUp(options: SinkOptions = {}) {
  const sink = createSink(options);
  const { url } = await servers.raw(sink.server);
  return { sink, services: services(url), folder: await temporaryFolder() };
}

/** A file with this many rows, one a second, each with its number. */
const csv = (rows: number): string =>
  [
    'timestamp,asset_id,version,n',
    ...Array.from({ length: rows }, (_, n) => `${1_700_000_000_000 + n * 1000},7,1,${n}`),
  ].join('\n') + '\n';

const numbers = (records: readonly Record<string, unknown>[]): unknown[] =>
  records
    .map((record) => (record['data'] as Record<string, unknown>)['n'])
    .sort((a, b) => Number(a) - Number(b));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('an upload', () => {
  it('sends every row once, in batches, and reports it', async () => {
    const { sink, ...rest } = await setUp();
    const plan = await planOf(await fileWith(csv(95)), rest.services);
    const { result, progress } = await runJob({ plan, engine: small, ...rest });
    expect(result?.ledger).toEqual({
      rows: 95,
      accepted: 95,
      rejected: 0,
      unknown: 0,
      pending: 0,
      skipped: 0,
    });
    expect(numbers(sink.stored)).toEqual(upTo(95));
    expect(sink.inserts.map((records) => records.length)).toEqual([...Array<number>(9).fill(10), 5]);
    // What a query needs to find the records, even for a window that didn't match the file.
    expect(result?.records).toEqual({
      spans: [
        { path: 'asset_id', from: '7', to: '7' },
        { path: 'timestamp', from: '1700000000000', to: '1700000094000' },
      ],
      assets: [7],
    });
    expect(progress.at(-1)).toMatchObject({ rows: 95, totalRows: 95, bytes: plan.source.bytes });
  });

  it('has the well of blank cells among those of its records', async () => {
    const { services } = await setUp();
    const Well = { to: 'asset_id', by: 'name', wells: { 'A-1': 5001, 'A-2': 5003 } } as const;
    const mapping = { columns: { Well }, constants: { asset_id: 5002 } };
    const path = await fileWith('timestamp,Well\n1700000000000,A-2\n1700000001000,\n1700000002000,A-1\n');
    expect((await planOf(path, services, { mapping })).records).toEqual({
      spans: [{ path: 'timestamp', from: '1700000000000', to: '1700000002000' }],
      assets: [5001, 5002, 5003],
    });
  });

  it('has `sent` in the journal before it sends a batch, and `acked` after the response', async () => {
    const kinds: string[][] = [];
    const { sink, folder, ...rest } = await setUp();
    const journal = join(folder, 'journal.ndjson');
    const { readFileSync } = await import('node:fs');
    sink.react = () => {
      kinds.push(
        readFileSync(journal, 'utf8')
          .trim()
          .split('\n')
          .map((line) => (JSON.parse(line) as { kind: string }).kind),
      );
      return { do: 'store' };
    };
    const plan = await planOf(await fileWith(csv(20)), rest.services, { concurrency: 1 });
    await runJob({ plan, folder, engine: small, ...rest });
    expect(kinds).toEqual([
      ['batch', 'sent'],
      ['batch', 'sent', 'acked', 'batch', 'sent'],
    ]);
    expect((await journalOf(folder)).at(-1)).toMatchObject({
      kind: 'acked',
      batch: 1,
      first: 0,
      records: 10,
    });
  });

  it('rejects invalid rows, and continues with the others', async () => {
    const { sink, ...rest } = await setUp();
    const path = await fileWith(
      'timestamp,asset_id,version,n\n1700000000000,7,1,0\nsoon,7,1,1\n1700000002000,,1,2\n1700000003000,7,1\n1700000004000,7,1,4\n',
    );
    const plan = await planOf(path, rest.services);
    const { result, made } = await runJob({ plan, ...rest });
    expect(result?.ledger).toMatchObject({ rows: 5, accepted: 2, rejected: 3, unknown: 0, pending: 0 });
    expect(result?.problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ column: 'timestamp', code: 'not_a_time', count: 1, lines: [3] }),
        expect.objectContaining({ column: 'asset_id', code: 'missing_value', count: 1, lines: [4] }),
        expect.objectContaining({ column: null, code: 'too_few_cells', count: 1, lines: [5] }),
      ]),
    );
    expect(numbers(sink.stored)).toEqual([0, 4]);
    expect(await readFile(made[0] ?? '', 'utf8')).toBe(
      'timestamp,asset_id,version,n,rejected_line,rejected_code,rejected_message\n' +
        'soon,7,1,1,3,"not_a_time","“soon” doesn\'t match the time format of its column."\n' +
        '1700000002000,,1,2,4,"missing_value","The row has no asset_id, which this dataset needs."\n' +
        '1700000003000,7,1,,5,"too_few_cells","The row has fewer cells than the header; it may be cut off."\n',
    );
  });

  it('rejects a row that the service didn’t store when the response identifies it', async () => {
    const { sink, ...rest } = await setUp({
      react: (insert) => (insert === 1 ? { do: 'store', fail: [2, 5] } : { do: 'store' }),
    });
    const plan = await planOf(await fileWith(csv(30)), rest.services, { concurrency: 1 });
    const { result, made } = await runJob({ plan, engine: small, ...rest });
    expect(result?.ledger).toMatchObject({ accepted: 28, rejected: 2, unknown: 0, pending: 0 });
    expect(result?.problems).toEqual([
      {
        column: null,
        code: 'refused',
        message: 'The service rejected the row: no good',
        count: 2,
        lines: [14, 17],
      },
    ]);
    expect(numbers(sink.stored)).toEqual(upTo(30).filter((n) => n !== 12 && n !== 15));
    expect(
      (await readFile(made[0] ?? '', 'utf8'))
        .split('\n')
        .slice(1, 3)
        .map((line) => line.split(',')[3]),
    ).toEqual(['12', '15']);
  });

  it.each([
    ['cuts the connection after it stored the batch', { do: 'reset', stored: 'all' }],
    ['cuts the connection and stored nothing', { do: 'reset', stored: 'none' }],
    ['fails after half of the batch', { do: 'status', status: 500, stored: 'half' }],
    ['rejects the batch as a whole', { do: 'status', status: 422, stored: 'none' }],
    ['does not say which records failed', { do: 'store', fail: [3], messages: 'string' }],
    ['returns wrong counts', { do: 'store', fail: [3, 3], messages: 'none' }],
  ] as const)(
    'stops, marks the rows unknown, and resends nothing when the service %s',
    async (_what, reaction) => {
      const { sink, ...rest } = await setUp({
        react: (insert) => (insert === 1 ? reaction : { do: 'store' }),
      });
      const plan = await planOf(await fileWith(csv(40)), rest.services, { concurrency: 1 });
      const { error, lastResult } = await runJob({ plan, engine: small, ...rest });
      expect(error?.code).toBe('outcome_unknown');
      expect(error?.details).toMatchObject({ rows: 10 });
      expect(lastResult?.ledger).toEqual({
        rows: 40,
        accepted: 10,
        rejected: 0,
        unknown: 10,
        pending: 20,
        skipped: 0,
      });
      expect(sink.inserts).toHaveLength(2);
    },
  );

  it('continues after the unknown rows when it is resumed, and never sends them again', async () => {
    const { sink, ...rest } = await setUp({
      react: (insert) => (insert === 1 ? { do: 'reset', stored: 'all' } : { do: 'store' }),
    });
    const plan = await planOf(await fileWith(csv(40)), rest.services, { concurrency: 1 });
    const job: RunOptions = { plan, engine: small, ...rest };
    await runJob(job);
    const { result } = await runJob(job);
    expect(result?.ledger).toEqual({
      rows: 40,
      accepted: 30,
      rejected: 0,
      unknown: 10,
      pending: 0,
      skipped: 0,
    });
    expect(numbers(sink.stored)).toEqual(upTo(40));
  });

  it('reports missing permission on the first 403, with no unknown rows when all are of one well', async () => {
    const { sink, ...rest } = await setUp({ react: () => ({ do: 'status', status: 403 }) });
    const plan = await planOf(await fileWith(csv(40)), rest.services);
    const job: RunOptions = { plan, engine: small, ...rest };
    const { error, lastResult } = await runJob(job);
    expect(error?.code).toBe('forbidden');
    expect(error?.message).toMatch(/none of these rows was stored/);
    expect(lastResult?.ledger).toMatchObject({ unknown: 0, pending: 40 });
    expect(sink.inserts).toHaveLength(1);
    sink.react = () => ({ do: 'store' });
    expect((await runJob(job)).result?.ledger).toMatchObject({ accepted: 40 });
  });

  it('starts with one batch, so that a problem of all batches costs only one', async () => {
    const { sink, ...rest } = await setUp({ react: () => ({ do: 'status', status: 500 }) });
    const plan = await planOf(await fileWith(csv(100)), rest.services, { concurrency: 8 });
    const { lastResult } = await runJob({ plan, engine: small, ...rest });
    expect(sink.inserts).toHaveLength(1);
    expect(lastResult?.ledger).toMatchObject({ unknown: 10, pending: 90 });
  });

  it('waits as long as a 429 requires and resends what was not stored', async () => {
    const { sink, ...rest } = await setUp({
      react: (insert) => (insert < 2 ? { do: 'status', status: 429, retryAfter: '7' } : { do: 'store' }),
    });
    const plan = await planOf(await fileWith(csv(15)), rest.services);
    const { result, progress } = await runJob({ plan, engine: small, ...rest });
    expect(result?.ledger).toMatchObject({ accepted: 15, unknown: 0 });
    expect(numbers(sink.stored)).toEqual(upTo(15));
    expect(progress.filter(({ nextTryMs }) => nextTryMs === 7000)).toHaveLength(2);
  });

  it('stops on a 429 after ten tries, with all rows pending', async () => {
    const { sink, ...rest } = await setUp({ react: () => ({ do: 'status', status: 429 }) });
    const plan = await planOf(await fileWith(csv(15)), rest.services);
    const { error, lastResult } = await runJob({ plan, engine: small, ...rest });
    expect(error?.code).toBe('too_many_requests');
    expect(sink.inserts).toHaveLength(10);
    expect(lastResult?.ledger).toMatchObject({ pending: 15, unknown: 0 });
  });

  it('halves batches that are too large, and rejects a single record that is too large', async () => {
    const { sink, ...rest } = await setUp({
      react: (_insert, records, bytes) =>
        bytes > 250 || records.some((record) => JSON.stringify(record).includes('"n":3}'))
          ? { do: 'status', status: 413 }
          : { do: 'store' },
    });
    const plan = await planOf(await fileWith(csv(20)), rest.services, { concurrency: 1 });
    const { result } = await runJob({ plan, engine: small, ...rest });
    expect(result?.ledger).toMatchObject({ accepted: 19, rejected: 1, unknown: 0, pending: 0 });
    expect(result?.problems).toEqual([expect.objectContaining({ code: 'too_large', lines: [5] })]);
    expect(numbers(sink.stored)).toEqual(upTo(20).filter((n) => n !== 3));
  });

  it('ends with not_authenticated after a second 401; nothing is unknown', async () => {
    const { sink, ...rest } = await setUp({ react: () => ({ do: 'status', status: 401 }) });
    const plan = await planOf(await fileWith(csv(15)), rest.services);
    const { error, lastResult } = await runJob({ plan, engine: small, ...rest });
    expect(error?.code).toBe('not_authenticated');
    expect(sink.stored).toEqual([]);
    expect(lastResult?.ledger).toMatchObject({ pending: 15, unknown: 0 });
  });

  it('waits for a service that doesn’t exist, and ends as unreachable with all rows pending', async () => {
    const { sink: _sink, services: reachable, folder } = await setUp();
    const plan = await planOf(await fileWith(csv(15)), reachable);
    const { url } = await servers.nobody();
    const { error, lastResult } = await runJob({ plan, folder, services: services(url), engine: small });
    expect(error?.code).toBe('unreachable');
    expect(lastResult?.ledger).toMatchObject({ pending: 15, unknown: 0 });
    expect((await journalOf(folder)).at(-1)?.kind).toBe('returned');
  });

  it('stops when more rows are rejected than allowed, and keeps the ledger', async () => {
    const { sink, ...rest } = await setUp();
    const rows = Array.from(
      { length: 50 },
      (_, n) => `${n % 2 === 0 ? 1_700_000_000_000 + n : 'never'},7,1,${n}`,
    );
    const plan = await planOf(
      await fileWith(['timestamp,asset_id,version,n', ...rows].join('\n')),
      rest.services,
      { maxRejected: 7, concurrency: 1 },
    );
    const { result } = await runJob({ plan, engine: small, ...rest });
    expect(result?.ledger).toEqual({
      rows: 50,
      accepted: 5,
      rejected: 10,
      unknown: 0,
      pending: 35,
      skipped: 0,
    });
    expect(result?.warnings).toContainEqual(
      expect.objectContaining({
        code: 'max_rejected',
        message: expect.stringContaining('upload it again with existing rows skipped'),
      }),
    );
    expect(sink.stored).toHaveLength(5);
  });

  it('sends nothing in a dry run, and finds all problems', async () => {
    const { sink, ...rest } = await setUp();
    const path = await fileWith(`${csv(30)}soon,7,1,x\n`);
    const plan = await planOf(path, rest.services, { dryRun: true });
    const { result, made } = await runJob({ plan, engine: small, ...rest });
    expect(result).toMatchObject({
      dryRun: true,
      ledger: { rows: 31, accepted: 0, rejected: 1, unknown: 0, pending: 30 },
    });
    expect(result?.problems).toEqual([
      expect.objectContaining({ column: 'timestamp', code: 'not_a_time', lines: [32] }),
      expect.objectContaining({ code: 'not_a_number', lines: [32] }),
    ]);
    expect(made).toHaveLength(1);
    expect(sink.inserts).toEqual([]);
  });

  it('in a dry run compares no rows where a dataset has no index', async () => {
    const { sink, ...rest } = await setUp({ type: 'reference' });
    const plan = await planOf(await fileWith('asset_id,version,data.a\n7,1,1.5\n7,1,1.5\n'), rest.services, {
      dryRun: true,
    });
    const { result } = await runJob({ plan, ...rest });
    expect(result?.ledger).toMatchObject({ rows: 2, rejected: 0, pending: 2 });
    expect(result?.warnings.map(({ code }) => code)).not.toContain('repeated_rows');
    expect(sink.inserts).toEqual([]);
  });

  it('sends nothing if there is a file at the path of its rejects that isn’t its own', async () => {
    const { sink, ...rest } = await setUp();
    const path = join(await temporaryFolder(), 'rejects.csv');
    const plan = await planOf(await fileWith(csv(10)), rest.services);
    const toPath = {
      ...plan,
      rejects: { place: 'path', path, name: 'rejects.csv', replaces: false },
    } as const;
    await writeFile(path, 'of somebody else');
    const { error } = await runJob({ plan: toPath, ...rest });
    expect(error?.code).toBe('file_exists');
    expect(sink.inserts).toEqual([]);
  });

  it('ends because of too many rejected rows also while others wait for their next try', async () => {
    const waiting = Promise.withResolvers<void>();
    const { sink: _sink, ...rest } = await setUp({
      react: (insert) => {
        if (insert === 0) return { do: 'store' };
        if (insert === 1) return { do: 'status', status: 429, retryAfter: '1' };
        return { do: 'store', fail: [0, 1, 2] };
      },
    });
    const clock = {
      now: () => 0,
      elapsed: () => 0,
      wait: (_ms: number, signal?: AbortSignal) =>
        new Promise<void>((_resolve, reject) => {
          waiting.resolve();
          onAbort(signal, () => reject(new AppError('cancelled', {})));
        }),
    };
    const data: typeof rest.services.data = {
      ...rest.services.data,
      async insert(...call) {
        const outcome = await rest.services.data.insert(...call);
        if (outcome.kind === 'answered' && outcome.failedCount > 0) await waiting.promise;
        return outcome;
      },
    };
    const plan = await planOf(await fileWith(csv(40)), rest.services, { maxRejected: 2, concurrency: 2 });
    const { result } = await runJob({
      plan,
      engine: { ...small, clock },
      ...rest,
      services: { ...rest.services, data },
    });
    expect(result?.warnings).toContainEqual(expect.objectContaining({ code: 'max_rejected' }));
    expect(result?.ledger).toMatchObject({ rejected: 3, unknown: 0 });
  });

  it('regroups a batch without permission by well where its rows name companies, too', async () => {
    const { sink, ...rest } = await setUp({
      react: (insert) => (insert === 1 ? { do: 'status', status: 403 } : { do: 'store' }),
    });
    const lines = csv(20).trimEnd().split('\n');
    const path = await fileWith(lines.map((line, n) => `${line},${n === 0 ? 'company_id' : 1}`).join('\n'));
    const plan = await planOf(path, rest.services, { concurrency: 1 });
    const data: typeof rest.services.data = {
      ...rest.services.data,
      count: async () => 0,
      find: async () => ({ bytes: Buffer.from('[]'), text: '[]', count: 0, total: 0 }),
    };
    const end = await runJob({ plan, engine: small, ...rest, services: { ...rest.services, data } });
    // Whether the other company's rows were stored isn't known.
    expect(end.lastResult?.ledger.unknown).toBe(sink.inserts[1]?.length);
    expect(end.error?.message).toContain('(the result of 9 rows is unknown)');
  });

  it('never succeeds with rows that weren’t sent', async () => {
    const { sink: _sink, ...rest } = await setUp();
    const plan = await planOf(await fileWith(csv(30)), rest.services);
    const openThread = () => {
      const thread = inProcessThread();
      const prepare: typeof thread.calls.prepare = async (...call) => ({
        ...(await thread.calls.prepare(...call)),
        body: null,
      });
      const calls = new Proxy(thread.calls, {
        get(target, name: keyof CsvThread['calls']) {
          return name === 'prepare' ? prepare : target[name];
        },
      });
      return { ...thread, calls };
    };
    const { error, lastResult } = await runJob({ plan, ...rest, engine: { ...small, openThread } });
    expect(error?.code).toBe('internal');
    expect(lastResult?.ledger).toMatchObject({ accepted: 0, pending: 30 });
  });

  it('skips the given footer rows', async () => {
    const { sink, ...rest } = await setUp();
    const plan = await planOf(await fileWith(`${csv(12)}Source: somewhere,,,\n`), rest.services, {
      reading: { footerRows: 1 },
    });
    const { result } = await runJob({ plan, engine: small, ...rest });
    expect(result?.ledger).toMatchObject({ rows: 12, accepted: 12 });
    expect(numbers(sink.stored)).toEqual(upTo(12));
  });

  it('skips a sum in the last line, keeps the type of its column, and reports it', async () => {
    const { sink, ...rest } = await setUp();
    const plan = await planOf(await fileWith(`${csv(12)},,Sum=78,Sum=1\n`), rest.services);
    const { result } = await runJob({ plan, engine: small, ...rest });
    expect(result).toMatchObject({ ledger: { rows: 12, accepted: 12 }, footerRows: 1, problems: [] });
    expect(result?.warnings).toContainEqual(expect.objectContaining({ code: 'footer_rows', line: 14 }));
    expect(numbers(sink.stored)).toEqual(upTo(12));
  });

  it('trims blanks around texts, unless their column keeps them', async () => {
    const { sink, ...rest } = await setUp();
    const file = 'timestamp,asset_id,version,a,b\n1700000000000,7,1, x , y \n1700000001000,7,1,NULL, NULL \n';
    const plan = await planOf(await fileWith(file), rest.services, {
      mapping: { columns: { b: { to: 'data.b', type: 'string', trim: false } }, rest: 'data' },
    });
    const { result } = await runJob({ plan, engine: small, ...rest });
    expect(sink.stored.map(({ data }) => data)).toEqual([{ a: 'x', b: ' y ' }, {}]);
    expect(result?.warnings).toContainEqual(
      expect.objectContaining({ code: 'blanks_removed', column: 'a', count: 1, line: 2 }),
    );
    expect(result?.warnings).not.toContainEqual(
      expect.objectContaining({ code: 'blanks_removed', column: 'b' }),
    );
  });

  it('rejects rows in which a single value isn’t a number; the other values stay numbers', async () => {
    const { sink, ...rest } = await setUp();
    const lines = csv(200).split('\n');
    const broken = lines.map((line, at) => (at === 101 ? line.replace(/,100$/, ',stuck') : line));
    const plan = await planOf(await fileWith(broken.join('\n')), rest.services);
    const { result } = await runJob({ plan, engine: small, ...rest });
    expect(result).toMatchObject({ ledger: { rows: 200, accepted: 199, rejected: 1 } });
    expect(result?.problems).toMatchObject([{ code: 'not_a_number', cell: 'stuck', lines: [102] }]);
    expect(numbers(sink.stored)).toEqual(upTo(200).filter((n) => n !== 100));
  });
});

describe('a canceled upload', () => {
  it('waits for the responses to its requests, and can be resumed', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<void>();
    const stop = new AbortController();
    const { sink, ...rest } = await setUp({
      react: (insert) => {
        if (insert !== 2) return { do: 'store' };
        stop.abort();
        setImmediate(resolve);
        return { do: 'wait', until: answer };
      },
    });
    const plan = await planOf(await fileWith(csv(50)), rest.services, { concurrency: 1 });
    // A clock whose waits never end by themselves: the grace period doesn't end before the response.
    const clock = {
      now: () => 0,
      elapsed: () => 0,
      wait: (_ms: number, signal?: AbortSignal) =>
        new Promise<void>((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(new Error('over'))),
        ),
    };
    const { error, lastResult } = await runJob({
      plan,
      engine: { ...small, clock },
      signal: stop.signal,
      ...rest,
    });
    expect(error?.code).toBe('cancelled');
    expect(lastResult?.ledger).toMatchObject({ accepted: 30, unknown: 0, pending: 20 });
    sink.react = () => ({ do: 'store' });
    const { result } = await runJob({ plan, engine: small, ...rest });
    expect(result?.ledger).toMatchObject({ accepted: 50, unknown: 0, pending: 0 });
    expect(numbers(sink.stored)).toEqual(upTo(50));
  });

  it('stops waiting for a response that is late: those rows are unknown', async () => {
    const stop = new AbortController();
    const { sink, ...rest } = await setUp({
      react: (insert) => {
        if (insert === 0) return { do: 'store' };
        stop.abort();
        return { do: 'wait', until: new Promise(() => undefined) };
      },
    });
    const plan = await planOf(await fileWith(csv(50)), rest.services, { concurrency: 1 });
    const { error, lastResult } = await runJob({ plan, engine: small, signal: stop.signal, ...rest });
    expect(error?.code).toMatch(/cancelled|outcome_unknown/);
    expect(lastResult?.ledger).toMatchObject({ accepted: 10, unknown: 10, pending: 30 });
    expect(sink.inserts).toHaveLength(2);
  });
});

it('an upload that is canceled before a request is sent has those rows pending', async () => {
  const { sink, ...rest } = await setUp();
  const plan = await planOf(await fileWith(csv(20)), rest.services);
  const insert = () => Promise.reject(new AppError('cancelled', {}));
  const services = { ...rest.services, data: { ...rest.services.data, insert } };
  const { error, lastResult } = await runJob({ plan, engine: small, ...rest, services });
  expect(error?.code).toBe('cancelled');
  expect(lastResult?.ledger).toMatchObject({ pending: 20, unknown: 0 });
  expect((await journalOf(rest.folder)).at(-1)?.kind).toBe('returned');
  expect(sink.inserts).toEqual([]);
});

it('an upload that is canceled between the halves of a batch that was too large sends no second half', async () => {
  const stop = new AbortController();
  const { sink, ...rest } = await setUp({
    react: (insert) => {
      if (insert === 0) return { do: 'store' };
      if (insert === 1) return { do: 'status', status: 413 };
      stop.abort();
      return { do: 'store' };
    },
  });
  const clock = {
    ...systemClock,
    wait: (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((_resolve, reject) => onAbort(signal, () => reject(new AppError('cancelled', {})))),
  };
  const plan = await planOf(await fileWith(csv(30)), rest.services, { concurrency: 1 });
  const { error, lastResult } = await runJob({
    plan,
    engine: { ...small, clock },
    signal: stop.signal,
    ...rest,
  });
  expect(error?.code).toBe('cancelled');
  expect(sink.inserts).toHaveLength(3);
  expect(lastResult?.ledger).toMatchObject({ accepted: sink.stored.length, unknown: 0 });
});

describe('an upload that was killed', () => {
  it('sends nothing of a batch that its rows don’t make any more', async () => {
    const { sink, ...rest } = await setUp();
    const plan = await planOf(await fileWith(csv(30)), rest.services, { concurrency: 1 });
    await runJob({ plan, engine: small, killAfter: 1, ...rest });
    const journal = join(rest.folder, 'journal.ndjson');
    await writeFile(
      journal,
      (await readFile(journal, 'utf8')).replace(/"sha256":"[0-9a-f]{64}"/, '"sha256":"0"'),
    );
    const { error } = await runJob({ plan, engine: small, ...rest });
    expect(error?.code).toBe('file_changed');
    expect(sink.inserts).toEqual([]);
  });

  it('counts rows without a response as unknown, and sends only those never sent', async () => {
    const { sink, ...rest } = await setUp();
    const plan = await planOf(await fileWith(csv(50)), rest.services, { concurrency: 1 });
    // batch, sent, acked, batch, sent - and the process ends before the response is written.
    await runJob({ plan, engine: small, killAfter: 5, ...rest });
    expect(sink.inserts).toHaveLength(2);
    const { result } = await runJob({ plan, engine: small, ...rest });
    expect(result?.ledger).toEqual({
      rows: 50,
      accepted: 40,
      rejected: 0,
      unknown: 10,
      pending: 0,
      skipped: 0,
    });
    expect(numbers(sink.stored)).toEqual(upTo(50));
  });

  it.each([
    ['has changed', async (path: string) => writeFile(path, csv(49))],
    ['is gone', async (path: string) => rm(path)],
  ])('counts rows without a response as unknown when the file %s', async (_, change) => {
    const { sink, ...rest } = await setUp();
    const path = await fileWith(csv(50));
    const plan = await planOf(path, rest.services, { concurrency: 1 });
    await runJob({ plan, engine: small, killAfter: 5, ...rest });
    await change(path);
    const { error, lastResult } = await runJob({ plan, engine: small, ...rest });
    expect(error?.code).toMatch(/file_changed|file_unreadable/);
    expect(lastResult?.ledger).toMatchObject({ accepted: 10, unknown: 10, pending: 30 });
    expect(sink.inserts).toHaveLength(2);
  });

  it('sends a batch that was read but never sent', async () => {
    const { sink, ...rest } = await setUp();
    const plan = await planOf(await fileWith(csv(30)), rest.services, { concurrency: 1 });
    await runJob({ plan, engine: small, killAfter: 1, ...rest });
    expect(sink.inserts).toHaveLength(0);
    const { result } = await runJob({ plan, engine: small, ...rest });
    expect(result?.ledger).toMatchObject({ accepted: 30, unknown: 0, pending: 0 });
    expect(numbers(sink.stored)).toEqual(upTo(30));
  });

  it.each([
    ['after a batch was sent', 3, 1],
    ['before the first', 0, 0],
  ])('doesn’t resume when the file has changed, whatever its time is, %s', async (_, killAfter, inserts) => {
    const { sink, ...rest } = await setUp();
    const path = await fileWith(csv(30));
    const { atime, mtime } = await stat(path);
    await utimes(path, atime, mtime);
    const plan = await planOf(path, rest.services);
    await runJob({ plan, engine: small, killAfter, ...rest });
    await writeFile(path, csv(30).replace(',29\n', ',28\n'));
    await utimes(path, atime, mtime);
    const { error } = await runJob({ plan, engine: small, ...rest });
    expect(error?.code).toBe('file_changed');
    expect(sink.inserts).toHaveLength(inserts);
  });

  it('sends nothing of a file that changes while it is opened, after its check or before', async () => {
    const { sink, ...rest } = await setUp();
    const path = await fileWith(csv(30));
    const plan = await planOf(path, rest.services);
    const openThread = () =>
      inProcessThread(undefined, (name) => {
        if (name === 'open') writeFileSync(path, csv(30).replace(',29\n', ',28\n'));
      });
    const { error } = await runJob({ plan, ...rest, engine: { ...small, openThread } });
    expect(error?.code).toBe('file_changed');
    expect(sink.inserts).toEqual([]);
  });

  it('writes no rejects of a file that changes after its last row was sent', async () => {
    const { sink, ...rest } = await setUp();
    const content = `${csv(30)}soon,7,1,30\n`;
    const path = await fileWith(content);
    const plan = await planOf(path, rest.services);
    const openThread = () =>
      inProcessThread(undefined, (name) => {
        if (name === 'rejects') writeFileSync(path, content.replace('soon', 'late'));
      });
    const { error, made } = await runJob({ plan, ...rest, engine: { ...small, openThread } });
    expect(error?.code).toBe('file_changed');
    expect(made).toEqual([]);
    expect(sink.stored).toHaveLength(30);
  });

  it('resumes when only the file’s modification time changed', async () => {
    const { sink, ...rest } = await setUp();
    const path = await fileWith(csv(30));
    const plan = await planOf(path, rest.services);
    await runJob({ plan, engine: small, killAfter: 3, ...rest });
    await writeFile(path, csv(30));
    const { result } = await runJob({ plan, engine: small, ...rest });
    expect(result?.ledger).toMatchObject({ accepted: 30, pending: 0 });
    expect(numbers(sink.stored)).toEqual(upTo(30));
  });

  it('moves a spooled file into its folder and finds it again', async () => {
    const { sink, ...rest } = await setUp();
    const plan = await planOf(await fileWith(csv(30)), rest.services, {}, 'spooled');
    await runJob({ plan, engine: small, killAfter: 3, ...rest });
    expect(await readFile(join(rest.folder, 'source'), 'utf8')).toBe(csv(30));
    await expect(readFile(plan.source.path)).rejects.toThrow('ENOENT');
    const { result } = await runJob({ plan, engine: small, ...rest });
    expect(result?.ledger).toMatchObject({ accepted: 30 });
    expect(numbers(sink.stored)).toEqual(upTo(30));
  });
});
