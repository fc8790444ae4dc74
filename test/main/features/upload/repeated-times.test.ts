import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { UploadPlan } from '../../../../src/main/core/mapping/upload-plan.ts';
import type { Services } from '../../../../src/main/core/wire/services/services.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import { fileWith, temporaryFolder } from './support/files.ts';
import { createSink } from './support/sink.ts';
import { planOf, runJob } from './support/uploads.ts';

const servers = useServers();
const services = useServices();

const minute = 60_000;

/** A zone, and the moment at which its clocks go back. */
const changes = [
  ['America/Chicago', '2025-11-02T07:00:00Z', 60],
  ['Europe/Berlin', '2025-10-26T01:00:00Z', 60],
  ['Pacific/Auckland', '2026-04-04T14:00:00Z', 60],
  ['America/Santiago', '2026-04-05T03:00:00Z', 60],
  // Half an hour.
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', 30],
  // The repeated hour contains midnight.
  ['America/St_Johns', '2010-11-07T02:31:00Z', 60],
] as const;

interface Row {
  readonly well: number;
  readonly ms: number;
}

const localText = (ms: number, zone: string): string =>
  DateTime.fromMillis(ms, { zone }).toFormat('yyyy-MM-dd HH:mm:ss');

const textOf = (rows: readonly Row[], zone: string): string =>
  ['Time,asset_id,n', ...rows.map(({ well, ms }, n) => `${localText(ms, zone)},${well},${n}`), ''].join('\n');

const mappingFor = (zone: string, more: object = {}) => ({
  columns: { Time: { to: 'timestamp', zone, ...more } },
  rest: 'data',
});

const record = z.object({ timestamp: z.number(), asset_id: z.number(), data: z.object({ n: z.number() }) });

/** Rows at these minutes before and after the clocks go back. */
const rowsAt = (change: string, minutes: readonly number[], well = 7): Row[] =>
  minutes.map((at) => ({ well, ms: Date.parse(change) + at * minute }));
const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, n) => from + n * step);

/** Rows of several wells in turn. */
const interleaved = (...lists: readonly Row[][]): Row[] =>
  Array.from({ length: Math.max(...lists.map(({ length }) => length)) }).flatMap((_, at) =>
    lists.flatMap((list) => list[at] ?? []),
  );

let open: Services;
let sink: ReturnType<typeof createSink>;
beforeEach(async () => {
  sink = createSink();
  open = services((await servers.raw(sink.server)).url);
});

/**
 * Uploads in batches of 3 rows, killed after some journal entries; the times of the rows as stored, in the order of
 * the file. A kill between the journal and the request can leave rows out, which the ledger calls unknown.
 */
async function storedTimes(plan: UploadPlan, kills: readonly number[] = []): Promise<(number | undefined)[]> {
  sink.stored.length = 0;
  const folder = await temporaryFolder();
  const engine = { batch: { rows: 3, bytes: 1 << 20 } };
  for (const killAfter of kills) await runJob({ plan, services: open, folder, engine, killAfter });
  const end = await runJob({ plan, services: open, folder, engine });
  expect(end.error).toBeNull();
  expect(end.result?.warnings.filter(({ code }) => code === 'time_twice')).toEqual(
    plan.warnings.filter(({ code }) => code === 'time_twice'),
  );
  const stored = z.array(record).parse(sink.stored);
  const timeOf = new Map(stored.map(({ data, timestamp }) => [data.n, timestamp]));
  expect(timeOf.size).toBe(stored.length);
  const { rows = 0, unknown = 0 } = end.result?.ledger ?? {};
  expect(rows - timeOf.size).toBeLessThanOrEqual(unknown);
  return Array.from({ length: rows }, (_, n) => timeOf.get(n));
}

const plansOf = async (text: string, zone: string, more: object = {}): Promise<UploadPlan> =>
  planOf(await fileWith(text), open, { mapping: mappingFor(zone, more) });
const countOf = (plan: UploadPlan, code: string): number =>
  plan.warnings.find((warning) => warning.code === code)?.count ?? 0;

describe('local times that occur twice when clocks go back', () => {
  it.each(changes)('are read by the order of rows in %s', async (zone, change, length) => {
    const rows = rowsAt(change, range(-150, 150, 5));
    const plan = await plansOf(textOf(rows, zone), zone);
    expect(await storedTimes(plan, [2, 4])).toEqual(rows.map(({ ms }) => ms));
    expect(countOf(plan, 'times_by_order')).toBe((length * 2) / 5);
    expect(countOf(plan, 'time_twice')).toBe(0);
  });

  it.each(changes)('are read by the order of rows in %s, latest first', async (zone, change) => {
    const rows = rowsAt(change, range(-150, 150, 5)).toReversed();
    const plan = await plansOf(textOf(rows, zone), zone);
    expect(await storedTimes(plan, [3])).toEqual(rows.map(({ ms }) => ms));
  });

  it('are counted: 1,440 of a day of a row each 5 seconds', async () => {
    const [zone, change] = changes[0];
    const rows = rowsAt(change, range(-90, 90, 1 / 12));
    const plan = await plansOf(textOf(rows, zone), zone);
    const warning = plan.warnings.find(({ code }) => code === 'times_by_order');
    expect(warning).toMatchObject({ count: 1440, column: 'Time', line: 2 + 30 * 12 });
    expect(warning?.message).toContain('720 are the first time and 720 the second');
  });

  it('are decided for each well, whose rows can be in any order among those of others', async () => {
    const [zone, change] = changes[0];
    const [one, two] = [range(-100, 100, 10), range(-130, 130, 7)];
    const rows = interleaved(
      rowsAt(change, one, 7),
      rowsAt(change, two, 8),
      rowsAt(change, two, 9).toReversed(),
    );
    const plan = await plansOf(textOf(rows, zone), zone);
    expect(await storedTimes(plan, [1])).toEqual(rows.map(({ ms }) => ms));
    expect(countOf(plan, 'time_twice')).toBe(0);
  });

  it.each([
    ['a gap over the change', [...range(-90, -20, 2), ...range(10, 90, 2)]],
    ['duplicates of all rows', range(-90, 90, 5).flatMap((at) => [at, at])],
    ['every tenth row some minutes late', range(-205, 205, 2).map((at, n) => (n % 10 === 5 ? at - 5 : at))],
    ['one row an hour', range(-210, 210, 60)],
    ['one row each half hour', range(-240, 240, 30)],
    ['no other rows', range(-60, 59, 5)],
    ['two files of one well, one after the other', [...range(-300, 300, 5), ...range(-300, 300, 5)]],
  ])('are decided with %s', async (_what, minutes) => {
    const [zone, change] = changes[0];
    const rows = rowsAt(change, minutes);
    const plan = await plansOf(textOf(rows, zone), zone);
    expect(await storedTimes(plan)).toEqual(rows.map(({ ms }) => ms));
    expect(countOf(plan, 'time_twice')).toBe(0);
  });

  it.each([
    ['only one of the two hours', range(-90, -1, 5)],
    ['one row', [-30]],
    ['no order', [-30, 100, -90, 20, 120, -45, -120, 10, 90]],
    ['rows of both hours in turn', range(-60, -5, 5).flatMap((at) => [at, at + 60])],
    ['three passes', [...range(-90, 59, 5), ...range(-60, -1, 5), ...range(0, 90, 5)]],
  ])('are the first time, with a warning, if the file has %s', async (_what, minutes) => {
    const [zone, change] = changes[0];
    const rows = rowsAt(change, minutes);
    const plan = await plansOf(textOf(rows, zone), zone);
    const isTwice = (ms: number) => Math.abs(ms - Date.parse(change) + 0.5) < 60 * minute;
    expect(await storedTimes(plan)).toEqual(
      rows.map(({ ms }) => (isTwice(ms) && ms >= Date.parse(change) ? ms - 60 * minute : ms)),
    );
    expect(countOf(plan, 'time_twice')).toBe(rows.filter(({ ms }) => isTwice(ms)).length);
    expect(countOf(plan, 'times_by_order')).toBe(0);
  });

  it('are the one that the mapping sets', async () => {
    const [zone, change] = changes[0];
    const rows = rowsAt(change, range(-90, 90, 10));
    const text = textOf(rows, zone);
    const early = await storedTimes(await plansOf(text, zone, { repeatedTimes: 'first' }));
    const plan = await plansOf(text, zone, { repeatedTimes: 'second' });
    const late = await storedTimes(plan, [2]);
    const differences = late.map((ms = 0, at) => (ms - (early[at] ?? 0)) / minute);
    expect(differences).toEqual(
      rows.map(({ ms }) => (Math.abs(ms - Date.parse(change) + 0.5) < 60 * minute ? 60 : 0)),
    );
    expect(plan.warnings).toMatchObject([{ code: 'times_by_setting', count: 12 }, {}]);
  });

  it('with a UTC offset need no decision', async () => {
    const [zone, change] = changes[0];
    const rows = rowsAt(change, range(-90, 90, 10)).toReversed();
    const lines = rows.map(({ ms }, n) => `${DateTime.fromMillis(ms, { zone }).toISO()},7,${n}`);
    const plan = await plansOf(['Time,asset_id,n', ...lines, ''].join('\n'), zone);
    expect(await storedTimes(plan)).toEqual(rows.map(({ ms }) => ms));
    expect(plan.warnings.map(({ code }) => code)).toEqual(['version_assumed']);
  });

  it('of a date and a time of day in two columns are read alike', async () => {
    const [zone, change] = changes[0];
    const rows = rowsAt(change, range(-90, 90, 10));
    const lines = rows.map(({ ms }, n) => `${localText(ms, zone).replace(' ', ',')},7,${n}`);
    const path = await fileWith(['Date,Clock,asset_id,n', ...lines, ''].join('\n'));
    const plan = await planOf(path, open, {
      mapping: { columns: { Date: { to: 'timestamp', zone, join: ['Clock'] } }, rest: 'data' },
    });
    expect(await storedTimes(plan)).toEqual(rows.map(({ ms }) => ms));
  });

  it('of other days cost no reading of the file', async () => {
    const rows = rowsAt('2025-06-02T07:00:00Z', range(-90, 90, 10));
    const plan = await plansOf(textOf(rows, 'America/Chicago'), 'America/Chicago');
    expect(plan.rules.columns[0]?.conversion).not.toHaveProperty('repeated');
  });

  it('are never read wrongly without a warning, whatever rows are missing', async () => {
    const well = fc.record({
      step: fc.integer({ min: 4, max: 40 }),
      drop: fc.array(fc.boolean(), { minLength: 1, maxLength: 50 }),
      isReversed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...changes),
        fc.array(well, { minLength: 1, maxLength: 3 }),
        fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 2 }),
        async ([zone, change, length], wells, kills) => {
          const lists = wells.map(({ step, drop, isReversed }, at) => {
            const rows = rowsAt(change, range(-130, 130, step), 7 + at);
            const kept = rows.filter((_, n) => !(drop[n % drop.length] ?? false));
            return isReversed ? kept.toReversed() : kept;
          });
          const rows = interleaved(...lists);
          if (rows.length === 0) return;
          const plan = await plansOf(textOf(rows, zone), zone);
          const stored = await storedTimes(plan, kills);
          const wrong = rows.filter(({ ms }, at) => stored[at] !== undefined && stored[at] !== ms);
          expect(wrong.length).toBeLessThanOrEqual(countOf(plan, 'time_twice'));
          for (const { ms } of wrong) expect(ms - Date.parse(change)).toBeLessThan(length * minute);
        },
      ),
      { numRuns: 12 },
    );
  });
});
