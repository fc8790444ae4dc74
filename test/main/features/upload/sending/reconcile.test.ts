import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Faults } from '../../../../../src/demo/index.ts';
import { systemClock } from '../../../../../src/main/core/wire/http/retry.ts';
import { AppError } from '../../../../../src/shared/errors/errors.ts';
import { parseJson } from '../../../../../src/shared/json.ts';
import type { JobQuestion } from '../../../../../src/shared/jobs/jobs.ts';
import type { JobAnswer } from '../../../../../src/shared/contract/jobs.ts';
import { openDemoJobs, rejectedRows, textOf, type DemoJobs, type FileRowSpec } from '../support/demo-jobs.ts';
import { journalOf } from '../support/uploads.ts';
import { temporaryFolder } from '../support/files.ts';

const opened: DemoJobs[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((jobs) => jobs.close()));
});
async function open(faults: Partial<Faults> = {}): Promise<DemoJobs> {
  const jobs = await openDemoJobs(1, faults);
  opened.push(jobs);
  return jobs;
}
const upTo = (count: number, value = (n: number) => n): FileRowSpec[] =>
  Array.from({ length: count }, (_, n) => ({ at: n, value: value(n) }));
const texts = (rows: readonly FileRowSpec[]): string[] => rows.map(textOf).sort();
const clean = (rows: number) => ({ rows, accepted: rows, rejected: 0, unknown: 0, pending: 0, skipped: 0 });
const serial = { concurrency: 1, settleSeconds: 10 };

/** A service that logs its requests, and whose response to each insert can be set. */
function watched(
  { services }: DemoJobs,
  onInsert: (
    insert: number,
    records: readonly { timestamp: number; data: { n: number } }[],
  ) => 'pass' | 'lose' | 403 | 422 = () => 'pass',
) {
  const log: string[] = [];
  const queries: unknown[] = [];
  let inserts = 0;
  const data: typeof services.data = {
    ...services.data,
    async find(address, find, options) {
      log.push('read');
      queries.push(find.query);
      return services.data.find(address, find, options);
    },
    async insert(address, body, rows, options) {
      const records = parseJson(Buffer.from(body).toString()) as unknown as Parameters<typeof onInsert>[1];
      const what = onInsert(inserts++, records);
      log.push(`insert ${rows}`);
      if (what === 'pass') return services.data.insert(address, body, rows, options);
      const { AppError } = await import('../../../../../src/shared/errors/errors.ts');
      const status = what === 'lose' ? 503 : what;
      const error = new AppError(what === 403 ? 'forbidden' : what === 422 ? 'refused' : 'service_failed', {
        service: 'data',
        status,
        said: 'as told',
      });
      return { kind: 'unknown', status, error };
    },
  };
  return { services: { ...services, data }, log, queries };
}

it('a job reports while it verifies sent rows, and when it is done', async () => {
  const jobs = await open();
  const { services } = watched(jobs, (insert) => (insert === 1 ? 'lose' : 'pass'));
  const run = await jobs.job(upTo(30), serial, { services });
  const { result, progress } = await run();
  expect(result?.ledger).toMatchObject(clean(30));
  const verifying = progress.flatMap(({ isVerifying }) => (isVerifying === undefined ? [] : [isVerifying]));
  expect(verifying).toEqual(expect.arrayContaining([true]));
  expect(verifying.at(-1)).toBe(false);
  // A wait until another read may show more records isn't a wait for a retry.
  expect(progress.some(({ nextTryMs }) => typeof nextTryMs === 'number')).toBe(false);
});

describe('a batch with an unknown outcome', () => {
  it.each<[string, Partial<Faults>]>([
    ['was stored, but the response was lost', { reset_after_write: 0.3 }],
    ['was not stored', { rate_5xx: 0.3, fault_on: 'writes' }],
    ['was half stored, then failed', { fail_after_partial_write: 0.3 }],
    ['was half stored, then rejected', { refuse_after_partial_write: 0.3 }],
    ['got a response with one id too few', { short_answer: true }],
    ['was stored, but filters on _id match nothing', { reset_after_write: 0.3, ids_unmatchable: true }],
  ])('that %s is verified, and every row is stored once', async (_what, faults) => {
    const jobs = await open(faults);
    const rows = upTo(95);
    const end = await (await jobs.job(rows, serial))();
    const ledger = end.result?.ledger ?? end.lastResult?.ledger;
    // Only the very last row may have no batch after it.
    expect(ledger?.unknown).toBeLessThanOrEqual(1);
    expect((await jobs.stored()).length).toBe(95 - (ledger?.unknown ?? 0));
    expect(new Set(await jobs.stored()).size).toBe(95 - (ledger?.unknown ?? 0));
  });

  it.each(['string', 'nested', 'none'] as const)(
    'because messages (%s) don’t name the failed rows is resolved: those are rejected, the others are stored once',
    async (message_shape) => {
      const jobs = await open({ partial_failure: 0.2, message_shape });
      const { result } = await (await jobs.job(upTo(95), serial))();
      const { accepted = 0, rejected = 0, unknown } = result?.ledger ?? {};
      expect({ sum: accepted + rejected, unknown }).toEqual({ sum: 95, unknown: 0 });
      expect(rejected).toBeGreaterThan(0);
      expect(await jobs.stored()).toHaveLength(accepted);
    },
  );

  it('is sent again only after two matching reads, a settle time apart, that also include a later acknowledged batch', async () => {
    const jobs = await open();
    const { services, log } = watched(jobs, (insert) => (insert === 2 ? 'lose' : 'pass'));
    const waits: number[] = [];
    const clock = {
      ...systemClock,
      wait: async (ms: number) => {
        waits.push(ms);
        log.push('wait');
      },
    };
    const { result } = await (await jobs.job(upTo(40), serial, { services, engine: { clock } }))();
    expect(result?.ledger).toEqual(clean(40));
    expect(waits).toEqual([10_000]);
    // The probe, the rest, the lost batch, a later one, and the last without held-back rows; then the reads.
    const lost = log.lastIndexOf('wait');
    expect(log.slice(0, lost).filter((what) => what.startsWith('insert')).length).toBeGreaterThan(3);
    expect(log[lost - 1]).toBe('read');
    expect(log[lost + 1]).toBe('read');
    expect(log.slice(lost).find((what) => what.startsWith('insert'))).toBe('insert 10');
    expect(await jobs.stored()).toHaveLength(40);
  });

  it('stays unknown when no later batch was acknowledged', async () => {
    const jobs = await open();
    let sent = 0;
    const { services } = watched(jobs, (_insert, [first]) => (first && ++sent > 3 ? 'lose' : 'pass'));
    const run = await jobs.job(upTo(30), serial, { services });
    const { error, lastResult } = await run();
    expect(error?.code).toBe('outcome_unknown');
    expect(lastResult?.ledger.unknown).toBeGreaterThan(0);
    expect(await jobs.stored()).toHaveLength(lastResult?.ledger.accepted ?? -1);
  });

  it('is not sent again while reads return stale data', async () => {
    const jobs = await open();
    const { services } = watched(jobs, (insert) => {
      if (insert === 1) jobs.demo.faults.stale_reads_ms = 3_600_000;
      return insert === 2 ? 'lose' : 'pass';
    });
    const run = await jobs.job(upTo(40), serial, { services });
    const { error, lastResult } = await run();
    expect(error?.code).toBe('outcome_unknown');
    expect(lastResult?.ledger.unknown).toBe(10);
    jobs.demo.faults.stale_reads_ms = 0;
    const { result } = await run();
    expect(result?.ledger).toEqual(clean(40));
    expect(texts(upTo(40))).toEqual((await jobs.stored()).sort());
  });

  it('is not sent again when reads include the earlier batches, but not the later acknowledged one', async () => {
    const jobs = await open();
    const { services } = watched(jobs, (insert) => (insert === 3 ? 'lose' : 'pass'));
    const find: typeof services.data.find = async (...args) => {
      const page = await services.data.find(...args);
      const records = parseJson(page.text) as { data: { n: number } }[];
      const shown = records.filter(({ data: { n } }) => n < 20);
      const text = JSON.stringify(shown);
      return { bytes: Buffer.from(text), text, count: records.length, total: page.total };
    };
    const lagging = { ...services, data: { ...services.data, find } };
    const run = await jobs.job(upTo(60), serial, { services: lagging });
    const { error, lastResult } = await run();
    expect(error?.code).toBe('outcome_unknown');
    expect(lastResult?.ledger.unknown).toBe(10);
    expect((await run({ services })).result?.ledger).toEqual(clean(60));
    expect((await jobs.stored()).sort()).toEqual(texts(upTo(60)));
  });

  it('is sent again once reads show the earlier batches, although they lagged behind when rows were verified first', async () => {
    const jobs = await open();
    const { services, log } = watched(jobs, (insert) => (insert >= 2 && insert < 10 ? 422 : 'pass'));
    let isLagging = true;
    const data: typeof services.data = {
      ...services.data,
      async find(...args) {
        const page = await services.data.find(...args);
        return isLagging ? { ...page, bytes: Buffer.from('[]'), text: '[]', count: 0 } : page;
      },
      async insert(...args) {
        if (log.includes('read')) isLagging = false;
        return services.data.insert(...args);
      },
    };
    const run = await jobs.job(upTo(96), serial, { services: { ...services, data } });
    const { result } = await run();
    expect(result?.ledger).toEqual(clean(96));
    expect((await jobs.stored()).sort()).toEqual(texts(upTo(96)));
  });

  it('that commits late, but within the settle time, does not become unknown', async () => {
    const jobs = await open({ late_commit_ms: 150, fault_after: 2, fault_times: 1 });
    const run = await jobs.job(
      upTo(40),
      { ...serial, settleSeconds: 0.4 },
      { engine: { clock: systemClock } },
    );
    expect((await run()).result?.ledger).toEqual(clean(40));
    expect(await jobs.stored()).toHaveLength(40);
  });

  it('is stored once, beside later rows with the same keys', async () => {
    const jobs = await open();
    // The third and the fourth batch have the same seconds.
    const rows = [
      ...upTo(30),
      ...upTo(10, () => 77).map(({ at, value }) => ({ at: at + 20, value })),
      ...upTo(20).map(({ value }) => ({ at: value + 40, value })),
    ];
    const { services } = watched(jobs, (insert) => (insert === 3 || insert === 4 ? 'lose' : 'pass'));
    const { result } = await (await jobs.job(rows, serial, { services }))();
    expect(result?.ledger).toEqual(clean(60));
    expect((await jobs.stored()).sort()).toEqual(texts(rows));
  });
});

describe('an unknown row is settled only by a record that isn’t accounted for', () => {
  it.each(['skip', 'insert'] as const)(
    'and not by one that already existed (existing: %s)',
    async (existing) => {
      const jobs = await open();
      const rows = upTo(40);
      await jobs.insert(rows.slice(20, 25));
      const { services } = watched(jobs, (insert) => (insert === 2 || insert === 3 ? 'lose' : 'pass'));
      const { result } = await (await jobs.job(rows, { ...serial, existing }, { services }))();
      expect(result?.ledger).toMatchObject({
        accepted: 40,
        unknown: 0,
        skipped: existing === 'skip' ? 5 : 0,
      });
      expect(await jobs.stored()).toHaveLength(existing === 'skip' ? 40 : 45);
    },
  );

  it('and not by one that was acknowledged for an identical row', async () => {
    const jobs = await open();
    const rows = [...upTo(10), ...upTo(10), ...upTo(20).map(({ at, value }) => ({ at: at + 100, value }))];
    const { services } = watched(jobs, (insert) => (insert === 2 ? 'lose' : 'pass'));
    const { result } = await (await jobs.job(rows, serial, { services }))();
    expect(result?.ledger).toEqual(clean(40));
    expect((await jobs.stored()).sort()).toEqual(texts(rows));
  });

  it('and not by a record with other values at the same key, which may be that row, changed', async () => {
    const jobs = await open();
    const { services } = watched(jobs, (insert) => (insert === 2 ? 'lose' : 'pass'));
    const run = await jobs.job(upTo(40), serial, { services });
    let foreign: Promise<void> | null = null;
    const more = {
      ...services.data,
      insert: (...args: Parameters<typeof services.data.insert>) => {
        foreign ??= jobs.insert([{ at: 12, value: 999 }]);
        return foreign.then(() => services.data.insert(...args));
      },
    };
    const { error, lastResult } = await run({ services: { ...services, data: more } });
    expect(error?.code).toBe('outcome_unknown');
    expect(lastResult?.ledger.unknown).toBe(10);
    expect((await jobs.stored()).filter((text) => text === '12:12')).toHaveLength(0);
  });
});

describe('when the comparison isn’t conclusive', () => {
  it('because the service changes values, nothing is sent again and the rows stay unknown', async () => {
    const jobs = await open({ rewrite_values: true });
    const { services } = watched(jobs, (insert) => (insert === 2 ? 'lose' : 'pass'));
    const run = await jobs.job(
      upTo(40, (n) => n + 0.1),
      serial,
      { services },
    );
    const { error, lastResult } = await run();
    expect(error?.code).toBe('outcome_unknown');
    expect(lastResult?.ledger.unknown).toBe(10);
    const { result } = await run();
    expect(result?.ledger).toMatchObject({ accepted: 30, unknown: 10, pending: 0 });
    expect(await jobs.stored()).toHaveLength(30);
  });

  it('because keys don’t find some stored records, nothing is sent again, even if they find the last acknowledged ones', async () => {
    const jobs = await open();
    const { services } = jobs;
    let inserts = 0;
    const data: typeof services.data = {
      ...services.data,
      async insert(...args) {
        const outcome = await services.data.insert(...args);
        const error = new AppError('service_failed', { service: 'data', status: 504 });
        return inserts++ === 2 ? { kind: 'unknown', status: 504, error } : outcome;
      },
      // As if the service had rewritten their times: the last three of every ten have other keys.
      async find(...args) {
        const page = await services.data.find(...args);
        const shown = (parseJson(page.text) as { data: { n: number } }[]).filter(
          ({ data: { n } }) => n % 10 < 7,
        );
        const text = JSON.stringify(shown);
        return { bytes: Buffer.from(text), text, count: shown.length, total: page.total };
      },
    };
    const run = await jobs.job(upTo(60), serial, { services: { ...services, data } });
    const { lastResult } = await run();
    expect(lastResult?.ledger.unknown).toBeGreaterThan(0);
    const stored = await jobs.stored();
    expect(new Set(stored).size).toBe(stored.length);
  });

  it('because more records match than can be compared, nothing is sent again', async () => {
    const jobs = await open();
    const { services } = watched(jobs, (insert) => (insert === 1 ? 'lose' : 'pass'));
    const find: typeof services.data.find = async (...call) => ({
      ...(await services.data.find(...call)),
      total: 300_000,
    });
    const withMany = { ...services, data: { ...services.data, find } };
    const run = await jobs.job(upTo(40), { ...serial, existing: 'insert' }, { services: withMany });
    const { error, lastResult } = await run();
    expect(error?.code).toBe('outcome_unknown');
    expect(lastResult?.ledger.unknown).toBeGreaterThan(0);
    expect(await jobs.stored()).toHaveLength(lastResult?.ledger.accepted ?? -1);
  });

  it('because reading is forbidden, nothing is sent again', async () => {
    const jobs = await open();
    const { AppError } = await import('../../../../../src/shared/errors/errors.ts');
    const { services } = watched(jobs, (insert) => (insert === 1 ? 'lose' : 'pass'));
    const refuse = () => Promise.reject(new AppError('forbidden', { service: 'data', status: 403 }));
    const withoutReads = { ...services, data: { ...services.data, find: refuse, count: refuse } };
    const run = await jobs.job(upTo(40), { ...serial, existing: 'insert' }, { services: withoutReads });
    const { error, lastResult } = await run();
    expect(error?.code).toBe('outcome_unknown');
    expect(lastResult?.ledger).toMatchObject({ accepted: 10, unknown: 10, pending: 20 });
    expect(await jobs.stored()).toHaveLength(10);
  });
});

describe('rows whose request the service rejects', () => {
  it('with a 422 are split until each invalid row is alone, with the service’s message', async () => {
    const jobs = await open();
    const { services } = watched(jobs, (_insert, records) =>
      records.some(({ data: { n } }) => n === 17 || n === 33) ? 422 : 'pass',
    );
    const { result } = await (await jobs.job(upTo(60), serial, { services }))();
    expect(result?.ledger).toMatchObject({ accepted: 58, rejected: 2, unknown: 0, pending: 0 });
    expect(result?.problems).toEqual([
      expect.objectContaining({
        code: 'refused',
        count: 2,
        lines: [19, 35],
        message: expect.stringContaining('as told'),
      }),
    ]);
    expect((await jobs.stored()).sort()).toEqual(texts(upTo(60).filter(({ at }) => at !== 17 && at !== 33)));
  });

  /** Forty rows in the middle are rejected; the user answers the prompt with this. */
  async function manyRefused(answer: JobAnswer) {
    const jobs = await open();
    const { services } = watched(jobs, (_insert, records) =>
      records.some(({ data: { n } }) => n >= 40 && n < 120 && n % 2 === 1) ? 422 : 'pass',
    );
    const questions: JobQuestion[] = [];
    const ask = async (question: JobQuestion): Promise<JobAnswer> => {
      questions.push(question);
      return answer;
    };
    const run = await jobs.job(upTo(300), serial, { services, ask });
    return { run, questions, jobs };
  }

  it('twenty times for the same reason prompt the user once, and the others continue to be rejected', async () => {
    const { run, questions } = await manyRefused('go_on');
    const { result } = await run();
    expect(questions).toEqual([
      { kind: 'many_refused', rows: 20, reason: expect.stringContaining('as told') },
    ]);
    expect(result?.ledger).toMatchObject({ accepted: 260, rejected: 40, unknown: 0, pending: 0 });
  });

  it('stay pending when the user stops at the prompt, and the rejects file is written', async () => {
    const { run, jobs } = await manyRefused('stop');
    const { error, lastResult, made } = await run();
    expect(error?.code).toBe('cancelled');
    const ledger = lastResult?.ledger;
    expect(ledger?.rejected).toBeGreaterThanOrEqual(20);
    expect(ledger?.pending).toBeGreaterThan(0);
    expect(await jobs.stored()).toHaveLength(ledger?.accepted ?? -1);
    expect(await rejectedRows(made[0])).toHaveLength(ledger?.rejected ?? -1);
    const { result } = await run({ ask: async () => 'go_on' });
    expect(result?.ledger).toMatchObject({ accepted: 260, rejected: 40, unknown: 0, pending: 0 });
  });

  it('are rejected without a prompt when no user is present', async () => {
    const { run } = await manyRefused('go_on');
    expect((await run({ ask: undefined })).result?.ledger).toMatchObject({ accepted: 260, rejected: 40 });
  });
});

describe('rows of a well that the user can’t write', () => {
  const bad = (records: readonly { data: { n: number } }[]): boolean =>
    records.some(({ data: { n } }) => n === 15);

  it('are the only ones rejected: after a 403 the batch is regrouped by well', async () => {
    const jobs = await open();
    const { services } = watched(jobs, (_insert, records) => (bad(records) ? 403 : 'pass'));
    const { result } = await (
      await jobs.job(
        upTo(40).map((row) => (row.at === 15 ? { ...row, well: 5002 } : row)),
        serial,
        { services },
      )
    )();
    expect(result?.ledger).toMatchObject({ accepted: 39, rejected: 1, unknown: 0, pending: 0 });
    expect(await jobs.stored()).toHaveLength(39);
  });

  it('stop the job when each well of a batch is rejected; the error says that permission is missing', async () => {
    const jobs = await open();
    const { services } = watched(jobs, (_insert, records) => (bad(records) ? 403 : 'pass'));
    const { error, lastResult } = await (await jobs.job(upTo(40), serial, { services }))();
    expect(error?.code).toBe('forbidden');
    expect(lastResult?.ledger).toMatchObject({ accepted: 10, rejected: 0, unknown: 0, pending: 30 });
  });

  it('are unknown when the very first batch is rejected, and no more are sent until they are verified', async () => {
    const jobs = await open();
    const { services, log } = watched(jobs, () => 403);
    const rows = upTo(60).map((row) => ({ ...row, well: 5001 + (row.at % 2) }));
    const engine = { batch: { rows: 30, bytes: 1 << 20 } };
    const { error, lastResult } = await (await jobs.job(rows, serial, { services, engine }))();
    expect(error?.code).toBe('forbidden');
    expect(log.filter((what) => what.startsWith('insert'))).toEqual(['insert 10']);
    expect(lastResult?.ledger).toMatchObject({ unknown: 10, pending: 50 });
  });
});

it('rows that are lost again and again stop the job, and wait', async () => {
  const jobs = await open();
  const { services } = watched(jobs, (_insert, records) =>
    records.some(({ data: { n } }) => n === 15) ? 'lose' : 'pass',
  );
  const { error, lastResult } = await (await jobs.job(upTo(300), serial, { services }))();
  expect(error?.code).toBe('service_failed');
  expect(lastResult?.ledger).toMatchObject({ rejected: 0, unknown: 0 });
  expect(lastResult?.ledger.pending).toBeGreaterThan(0);
  expect(await jobs.stored()).toHaveLength(lastResult?.ledger.accepted ?? -1);
});

it('rows of a dataset without an index are found among all of its records where no value finds them', async () => {
  const jobs = await openDemoJobs(1, {}, { type: 'reference' });
  opened.push(jobs);
  const { services } = watched(jobs, (insert) => (insert === 1 ? 'lose' : 'pass'));
  const queries: unknown[] = [];
  const find: typeof services.data.find = async (address, request, options) => {
    queries.push(request.query);
    const isWhole = Object.keys(request.query).length === 0;
    return isWhole
      ? services.data.find(address, request, options)
      : { text: '[]', bytes: Buffer.from('[]'), count: 0, total: null };
  };
  const blind = { ...services, data: { ...services.data, find } };
  const { result } = await (await jobs.job(upTo(40), serial, { services: blind }))();
  expect(result?.ledger).toMatchObject(clean(40));
  expect(queries).toContainEqual({});
  expect(await jobs.stored()).toHaveLength(40);
});

describe('a killed upload', () => {
  it('verifies nothing by rows that the file doesn’t have any more', async () => {
    const jobs = await open();
    const folder = await temporaryFolder();
    const run = await jobs.job(upTo(40), serial, { folder });
    await run({ killAfter: 4 });
    const path = join(folder, 'journal.ndjson');
    await writeFile(
      path,
      (await readFile(path, 'utf8')).replaceAll(/"sha256":"[0-9a-f]{64}"/g, '"sha256":"0"'),
    );
    expect((await run()).error?.code).toBe('file_changed');
  });

  it('verifies the batch in flight', async () => {
    const jobs = await open();
    const run = await jobs.job(upTo(40), serial);
    await run({ killAfter: 8 });
    const { result } = await run();
    expect(result?.ledger).toEqual(clean(40));
    expect((await jobs.stored()).sort()).toEqual(texts(upTo(40)));
  });

  it('has in its journal the ids of acknowledged and of settled records', async () => {
    const jobs = await open();
    let lose = true;
    const { services } = watched(jobs, (insert) => (insert === 2 && lose ? 'lose' : 'pass'));
    lose = false;
    const folder = await temporaryFolder();
    jobs.demo.faults.reset_after_write = 1;
    Object.assign(jobs.demo.faults, { fault_after: 2, fault_times: 1 });
    const { result } = await (await jobs.job(upTo(40), serial, { services, folder }))();
    expect(result?.ledger).toEqual(clean(40));
    const ids = (await journalOf(folder)).flatMap((entry) =>
      entry.kind === 'acked' || entry.kind === 'settled' ? (entry.ids ?? []) : [],
    );
    expect(ids.reduce((sum, [, count]) => sum + count, 0)).toBe(40);
  });
});
