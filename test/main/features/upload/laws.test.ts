import * as fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../../support/sample.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import { fileWith, temporaryFolder } from './support/files.ts';
import { createSink, type Reaction } from './support/sink.ts';
import { planOf, runJob, type RunEnd } from './support/uploads.ts';

const servers = useServers();
const services = useServices();

const reaction: fc.Arbitrary<Reaction> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Reaction>({ do: 'store' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('store' as const),
      fail: fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
      messages: fc.constantFrom('indexed' as const, 'string' as const, 'none' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('reset' as const),
      stored: fc.constantFrom('none' as const, 'half' as const, 'all' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('status' as const),
      status: fc.constantFrom(400, 422, 500, 502, 503, 504),
      stored: fc.constantFrom('none' as const, 'half' as const, 'all' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('status' as const), status: fc.constantFrom(401, 413, 429) }),
  },
);

/** A row of the file: its number, or an invalid row. */
const row = fc.oneof(
  { weight: 8, arbitrary: fc.constant('good' as const) },
  { weight: 1, arbitrary: fc.constantFrom('bad time' as const, 'torn' as const) },
);
const text = {
  good: (n: number) => `${1_700_000_000_000 + n},7,1,${n}`,
  'bad time': (n: number) => `soon,7,1,${n}`,
  torn: (n: number) => `${1_700_000_000_000 + n},7`,
};

/** Each run before the last is killed after this many journal entries. */
const kills = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 4 });

const schedule = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 60 }),
  reactions: fc.array(reaction, { maxLength: 30 }),
  kills,
  concurrency: fc.integer({ min: 1, max: 4 }),
  batch: fc.integer({ min: 1, max: 9 }),
});

const mapping = { columns: { timestamp: { to: 'timestamp', format: 'unix_ms' } }, rest: 'data' };

const numberOf = (record: unknown): number => (record as { data: { n: number } }).data.n;

/** What the response to an insert proves. */
function outcomeOf(found: Reaction = { do: 'store' }, records: number): 'known' | 'returned' | 'unknown' {
  if (found.do === 'wait') return 'known';
  if (found.do === 'reset') return 'unknown';
  if (found.do === 'status') return [401, 413, 429].includes(found.status) ? 'returned' : 'unknown';
  const failed = (found.fail ?? []).filter((at) => at < records).length;
  return failed === 0 || failed === records || found.messages === 'indexed' ? 'known' : 'unknown';
}

describe('for every file, fault, and time of a kill', () => {
  it('the ledger adds up, no row is stored twice, and every accepted row is stored', async () => {
    await fc.assert(
      fc.asyncProperty(schedule, async ({ rows, reactions, kills, concurrency, batch }) => {
        const sink = createSink({
          react: (insert, records) => {
            const found = reactions[insert] ?? { do: 'store' };
            return found.do === 'store'
              ? { ...found, fail: (found.fail ?? []).filter((at) => at < records.length) }
              : found;
          },
        });
        const { url } = await servers.raw(sink.server);
        const path = await fileWith(
          ['timestamp,asset_id,version,n', ...rows.map((kind, n) => text[kind](n))].join('\n'),
        );
        const folder = await temporaryFolder();
        const open = services(url);
        const plan = await planOf(path, open, { concurrency, mapping });
        const run = (killAfter?: number): Promise<RunEnd> =>
          runJob({
            plan,
            services: open,
            folder,
            engine: { batch: { rows: batch, bytes: 1 << 20 } },
            ...(killAfter === undefined ? {} : { killAfter }),
          });
        for (const killAfter of kills) await run(killAfter);
        let end = await run();
        for (let tries = 0; end.result === null && tries < 80; tries++) end = await run();

        const ledger = end.result?.ledger;
        const stored = sink.stored.map(numberOf);
        expect(new Set(stored).size).toBe(stored.length);
        expect(ledger?.pending).toBe(0);
        expect((ledger?.accepted ?? 0) + (ledger?.rejected ?? 0) + (ledger?.unknown ?? 0)).toBe(rows.length);
        expect(stored.length).toBeGreaterThanOrEqual(ledger?.accepted ?? 0);
        expect(stored.length).toBeLessThanOrEqual((ledger?.accepted ?? 0) + (ledger?.unknown ?? 0));

        const rejectsPath = end.made[0];
        const rejects =
          rejectsPath === undefined
            ? []
            : (await readFile(rejectsPath, 'utf8')).trimEnd().split('\n').slice(1);
        expect(rejects).toHaveLength(ledger?.rejected ?? -1);
        const rejectedRows = rejects.map((line) => Number(line.split(',')[4]) - 2);
        expect(rejectedRows.filter((n) => stored.includes(n))).toEqual([]);
        const bad = rows.flatMap((kind, n) => (kind === 'good' ? [] : [n]));
        expect(rejectedRows).toEqual(expect.arrayContaining(bad));

        // Nothing that may have been stored is sent again, and only unprovable rows are unknown.
        const outcomes = sink.inserts.map((records, insert) => ({
          records,
          fate: outcomeOf(reactions[insert], records.length),
        }));
        const sent = outcomes.flatMap(({ records, fate }) =>
          fate === 'returned' ? [] : records.map(numberOf),
        );
        expect(new Set(sent).size).toBe(sent.length);
        const doubtful = outcomes.filter(({ fate }) => fate === 'unknown').flatMap(({ records }) => records);
        if (kills.length === 0) expect(ledger?.unknown).toBe(doubtful.length);
      }),
      { numRuns: lawRuns(25) },
    );
  });
});
