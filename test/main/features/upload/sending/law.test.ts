import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { datasetTypes } from '../../../../../src/shared/datasets/datasets.ts';
import { systemClock } from '../../../../../src/main/core/wire/http/retry.ts';
import { noFaults } from '../../../../../src/demo/index.ts';
import { lawParameters } from '../../../../support/sample.ts';
import { openDemoJobs, rejectedRows, textOf, type FileRowSpec } from '../support/demo-jobs.ts';

/** Probabilities in hundredths: a fault that never occurs proves nothing. */
const share = (most: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: most * 100 }).map((hundredths) => hundredths / 100),
  );

/** Few seconds and few values: rows share keys, and are often identical. */
const row: fc.Arbitrary<FileRowSpec> = fc.record({ at: fc.nat(60), value: fc.nat(2) });

const faults = fc.record({
  reset_after_write: share(0.3),
  rate_5xx: share(0.3),
  reset_before: share(0.2),
  fail_after_partial_write: share(0.2),
  refuse_after_partial_write: share(0.2),
  partial_failure: share(0.1),
  rate_429: share(0.2),
  truncate: share(0.2),
  message_shape: fc.constantFrom('string' as const, 'indexed' as const, 'nested' as const, 'none' as const),
  ids_unmatchable: fc.boolean(),
  unstable_ties: fc.boolean(),
  no_total: fc.boolean(),
  short_answer: fc.boolean(),
  fault_on: fc.constantFrom('all' as const, 'writes' as const),
});

const schedule = fc.record({
  type: fc.constantFrom(...datasetTypes),
  rows: fc.array(row, { minLength: 1, maxLength: 80 }),
  before: fc.array(row, { maxLength: 20 }),
  faults,
  seed: fc.nat(1_000_000),
  /** Each run before the last is killed after this many journal entries. */
  kills: fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 5 }),
  existing: fc.constantFrom('skip' as const, 'insert' as const),
  concurrency: fc.integer({ min: 1, max: 4 }),
  batch: fc.integer({ min: 1, max: 12 }),
});

const count = (texts: readonly string[], text: string): number =>
  texts.filter((found) => found === text).length;

describe('for every file, fault, time of a kill, and set of existing records', () => {
  it('the dataset ends with each accepted row once, and a second run inserts nothing', async () => {
    const seen = { unknown: 0, resumes: 0 };
    await fc.assert(
      fc.asyncProperty(
        schedule,
        async ({ type, rows, before, faults, seed, kills, existing, concurrency, batch }) => {
          const jobs = await openDemoJobs(seed, {}, { type });
          try {
            await jobs.insert(before);
            const engine = { batch: { rows: batch, bytes: 1 << 20 } };
            const run = await jobs.job(rows, { existing, concurrency, settleSeconds: 1 }, { engine });
            Object.assign(jobs.demo.faults, faults);
            for (const killAfter of kills) await run({ killAfter });
            let end = await run();
            for (let tries = 0; end.result === null && tries < 100; tries++, seen.resumes++)
              end = await run();
            Object.assign(jobs.demo.faults, noFaults);

            const ledger = end.result?.ledger ?? expect.fail(`it does not end: ${end.error?.message}`);
            const { accepted, rejected, unknown, pending } = ledger;
            expect({ pending, sum: accepted + rejected + unknown }).toEqual({ pending: 0, sum: rows.length });
            const stored = await jobs.stored();
            const texts = rows.map(textOf);
            const storedTexts = before.map(textOf);
            const refused = await rejectedRows(end.made[0], type);
            expect(refused).toHaveLength(rejected);
            let missing = 0;
            for (const text of new Set([...texts, ...storedTexts])) {
              const [inFile, there] = [count(texts, text), count(storedTexts, text)];
              const all = existing === 'skip' ? Math.max(inFile, there) : inFile + there;
              const wanted = all - count(refused, text);
              expect(count(stored, text), `${text} is stored too often`).toBeLessThanOrEqual(wanted);
              missing += wanted - count(stored, text);
            }
            expect(missing).toBeLessThanOrEqual(unknown);
            expect(count(stored, 'other')).toBe(0);
            seen.unknown += unknown;

            if (unknown + rejected > 0) return;
            const again = await (await jobs.job(rows))();
            expect(again.result?.ledger).toMatchObject({ accepted: rows.length, skipped: rows.length });
            expect(await jobs.stored()).toHaveLength(stored.length);
          } finally {
            await jobs.close();
          }
        },
      ),
      lawParameters(30),
    );
    // The drawn cases reach what they are about.
    expect(Math.min(seen.unknown, seen.resumes)).toBeGreaterThan(0);
  }, 600_000);
});

/** Settling takes longer than any delay of writes or reads, as the design requires; in milliseconds. */
const late = { settle: 250, most: 60 };

describe('when writes commit late and reads lag, within the settle time', () => {
  it('no row is stored twice, and no accepted row is missing', async () => {
    const lag = fc.record({
      type: fc.constantFrom(...datasetTypes),
      rows: fc.array(row, { minLength: 5, maxLength: 40 }),
      late_commit_ms: fc.integer({ min: 0, max: late.most }),
      stale_reads_ms: fc.integer({ min: 0, max: late.most }),
      fault_times: fc.integer({ min: 1, max: 3 }),
      fault_after: fc.integer({ min: 0, max: 4 }),
      seed: fc.nat(1_000_000),
      concurrency: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(lag, async ({ type, rows, seed, concurrency, ...faults }) => {
        const jobs = await openDemoJobs(seed, {}, { type, clock: systemClock });
        try {
          const engine = { clock: systemClock, batch: { rows: 6, bytes: 1 << 20 } };
          const wanted = { concurrency, settleSeconds: late.settle / 1000 };
          const run = await jobs.job(rows, wanted, { engine });
          Object.assign(jobs.demo.faults, faults);
          let end = await run();
          for (let tries = 0; end.result === null && tries < 20; tries++) end = await run();
          Object.assign(jobs.demo.faults, noFaults);
          const { accepted, rejected, unknown } = end.result?.ledger ?? expect.fail('it does not end');
          expect(accepted + rejected + unknown).toBe(rows.length);
          // Writes that are still pending when the job ends commit now.
          await new Promise((resolve) => setTimeout(resolve, late.most + 20));
          const stored = await jobs.stored();
          const texts = rows.map(textOf);
          for (const text of new Set(texts))
            expect(count(stored, text), `${text} is stored too often`).toBeLessThanOrEqual(
              count(texts, text),
            );
          expect(stored.length).toBeGreaterThanOrEqual(accepted);
          expect(stored.length).toBeLessThanOrEqual(accepted + unknown);
        } finally {
          await jobs.close();
        }
      }),
      lawParameters(5),
    );
  }, 600_000);
});
