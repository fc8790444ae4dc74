import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { openServices } from '../../../support/services.ts';
import type { Services } from '../../../../src/main/core/wire/services/services.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { ExistingRecords } from '../../../../src/main/core/mapping/existing.ts';
import { parseJson, stringifyJson, type JsonObject } from '../../../../src/shared/json.ts';
import { fileWith, temporaryFolder } from '../../features/upload/support/files.ts';
import { planOf, runJob, type RunEnd } from '../../features/upload/support/uploads.ts';

let demo: Demo;
let services: Services;
let day = 0;
beforeAll(async () => {
  demo = await startDemo({ records: 10, wells: 5 });
  services = openServices({
    dataUrl: demo.dataUrl,
    platformUrl: demo.platformUrl,
    credential: { method: 'api_key', apiKey: demo.apiKeys.write },
    env: {},
  });
});
afterAll(async () => {
  await services.close();
  await demo.close();
});

const wells = [5001, 5002];

/** A text of a time at an offset, in minutes, without zone. */
const localText = (ms: number, minutes: number, separator: string, digits: string): string =>
  new Date(ms + minutes * 60_000).toISOString().slice(0, 19).replace('T', separator) + digits;

/** The digits of a second, in the ways in which programs write them. */
const digitsOf = (ms: number, style: number): string => {
  const part = ms % 1000;
  if (part === 0) return ['', '.0', '.000', ',00', '.000000'][style % 5] ?? '';
  const digits = String(part).padStart(3, '0');
  return [`.${digits}`, `.${digits.replace(/0+$/, '')}`, `,${digits}`, `.${digits}000`][style % 4] ?? '';
};

const zones: readonly (readonly [text: string, minutes: number])[] = [
  ['Z', 0],
  ['z', 0],
  ['+00:00', 0],
  ['-00:00', 0],
  ['-06:00', -360],
  ['-0600', -360],
  ['-06', -360],
  [' +05:30', 330],
];

interface Notation {
  /** The keys of the column of times in the mapping. */
  readonly column: JsonObject;
  /** @param styles a number for each choice in a cell */
  readonly write: (ms: number, styles: readonly [zone: number, digits: number, separator: number]) => string;
}
const inZone = (zone: string): Notation => ({
  column: { format: 'iso', zone },
  write: (ms, [, digits, separator]) =>
    localText(ms, DateTime.fromMillis(ms, { zone }).offset, ' T'[separator % 2] ?? 'T', digitsOf(ms, digits)),
});
const notations: readonly Notation[] = [
  {
    column: {},
    write(ms, [zone, digits, separator]) {
      const [text, minutes] = zones[zone % zones.length] ?? ['Z', 0];
      return localText(ms, minutes, 'Tt '[separator % 3] ?? 'T', digitsOf(ms, digits)) + text;
    },
  },
  inZone('America/Chicago'),
  inZone('Europe/Oslo'),
  { column: { format: 'unix_ms' }, write: String },
  { column: { format: 'unix_s' }, write: (ms) => String(ms / 1000) },
  {
    column: { format: 'yyyy/MM/dd HH:mm:ss.SSS', zone: 'America/Denver' },
    write: (ms) => DateTime.fromMillis(ms, { zone: 'America/Denver' }).toFormat('yyyy/MM/dd HH:mm:ss.SSS'),
  },
];

const targets = {
  time: { well: 'asset_id', time: 'timestamp' },
  timeseries: { well: 'metadata.asset_id', time: 'datetime' },
} as const;

const styles = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20));
const upload = fc.record({
  notation: fc.constantFrom(...notations),
  styles: fc.array(styles, { minLength: 8, maxLength: 8 }),
});
const anyCase = fc.record({
  type: fc.constantFrom('time' as const, 'timeseries' as const),
  /** Milliseconds since the start of the day. */
  times: fc.array(
    fc.oneof(
      fc.integer({ min: 0, max: 86_399 }).map((s) => s * 1000),
      fc.nat(86_399_999),
    ),
    {
      minLength: 1,
      maxLength: 8,
    },
  ),
  uploads: fc.array(upload, { minLength: 2, maxLength: 2 }),
});

async function send(
  type: keyof typeof targets,
  text: string,
  column: JsonObject,
  open = services,
): Promise<RunEnd> {
  const { well, time } = targets[type];
  const plan = await planOf(await fileWith(text), open, {
    provider: 'demo',
    dataset: `uploads.${type}`,
    existing: 'skip',
    concurrency: 1,
    mapping: {
      columns: { When: { to: time, ...column }, Well: { to: well } },
      constants: { version: 1 },
      rest: 'data',
    },
  });
  return runJob({
    services: open,
    folder: await temporaryFolder(),
    plan,
    engine: { batch: { rows: 5, bytes: 1 << 20 } },
  });
}

describe('a file that is uploaded again in another notation of its times', () => {
  it('adds nothing', async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async ({ type, times, uploads }) => {
        const start = Date.UTC(2020, 0, ++day);
        const rows = times.length;
        for (const [at, { notation, styles: each }] of uploads.entries()) {
          const lines = times.map((ms, n) => {
            const [when, noted] = [0, 1].map((shift) => {
              const style = each[(n + shift) % 8] ?? [0, 0, 0];
              return (shift === 0 ? notation : (notations[0] ?? notation)).write(start + ms, style);
            });
            return `"${when}",${wells[n % 2]},${n}.5,"${noted}"`;
          });
          const { result, error } = await send(
            type,
            ['When,Well,value,noted', ...lines].join('\n'),
            notation.column,
          );
          expect(error).toBeNull();
          expect(result?.ledger).toMatchObject({ accepted: rows, rejected: 0, skipped: at === 0 ? 0 : rows });
        }
      }),
      { numRuns: 20 },
    );
  });

  it('adds the rows whose microseconds differ', async () => {
    const text = (digits: string): string => `When,Well,value\n2019-05-01T00:00:00.123${digits}Z,5001,1\n`;
    await send('timeseries', text('456'), {});
    const { result } = await send('timeseries', text('457'), {});
    expect(result?.ledger).toMatchObject({ accepted: 1, skipped: 0 });
    const again = await send('timeseries', text('4560'), {});
    expect(again.result?.ledger).toMatchObject({ accepted: 1, skipped: 1 });
  });
});

describe('a service that stores times in a notation of its own', () => {
  it.each<[string, (ms: number) => string]>([
    ['Go', (ms) => new Date(ms).toISOString().replace(/\.?0+Z$/, 'Z')],
    [
      'Python',
      (ms) =>
        new Date(ms)
          .toISOString()
          .replace(/(\.\d+)Z$/, (_, part: string) => (part === '.000' ? '+00:00' : `${part}000+00:00`)),
    ],
  ])('gets each row once although responses are lost (%s)', async (name, rewritten) => {
    let lost = 0;
    const rewriting: Services = {
      ...services,
      data: {
        ...services.data,
        async insert(address, body, rows, options) {
          const records = parseJson(Buffer.from(body).toString()) as (JsonObject & { datetime: string })[];
          const stored = records.map((record) => ({
            ...record,
            datetime: rewritten(Date.parse(record.datetime)),
          }));
          const answer = await services.data.insert(
            address,
            Buffer.from(stringifyJson(stored)),
            rows,
            options,
          );
          const error = new AppError('service_failed', { service: 'data', status: 503 });
          const isRewritten = stringifyJson(stored) !== stringifyJson(records);
          return isRewritten && ++lost === 1 ? { kind: 'unknown', status: 503, error } : answer;
        },
      },
    };
    const start = Date.UTC(name === 'Go' ? 2018 : 2017, 0, 1);
    const lines = Array.from({ length: 40 }, (_, n) => {
      const ms = start + n * 500;
      // The first rows are written as the service stores them.
      const text = n < 30 ? rewritten(ms) : localText(ms, -360, 'T', digitsOf(ms, 1)) + '-06:00';
      return `${text},${wells[n % 2]},${n}`;
    });
    const { result } = await send('timeseries', ['When,Well,value', ...lines].join('\n'), {}, rewriting);
    expect(lost).toBeGreaterThan(1);
    expect(result?.ledger).toMatchObject({ accepted: 40, unknown: 0 });
    const count = await services.data.count(
      { provider: 'demo', dataset: 'uploads.timeseries' },
      {
        'metadata.asset_id': { $in: wells },
        datetime: {
          $gte: String(new Date(start).getUTCFullYear()),
          $lt: String(new Date(start).getUTCFullYear() + 1),
        },
      },
    );
    expect(count).toBe(40);
  });
});

describe('the existing records of a job', () => {
  const comparison = { paths: [['datetime'], ['data']], key: [], index: null };
  const stored = { _id: 'a1', datetime: '2020-01-01T06:00:00Z', data: { note: '1' } };
  const row = '{"datetime":"2020-01-01T00:00:00.000-06:00","data":{"note":"1"}}';

  it('are compared by instant after they are saved and loaded', async () => {
    const path = join(await temporaryFolder(), 'existing');
    const saved = new ExistingRecords(comparison);
    saved.addPage(JSON.stringify([stored]));
    saved.save(path);
    const loaded = new ExistingRecords(comparison);
    loaded.load(path);
    expect([loaded.take(row), loaded.take(row)]).toEqual(['there', 'new']);
  });

  it('equal rows with more digits than the service keeps of their times', async () => {
    const rowAt = (time: string) => JSON.stringify({ datetime: time, data: { note: '1' } });
    const storedAt = (time: string) => JSON.stringify([{ ...stored, datetime: time }]);
    const times = [
      '2020-01-01T06:00:00.123456Z',
      '2020-01-01T06:00:00.120400Z',
      '2020-01-01T06:00:00.000400Z',
    ];
    for (const [at, cut] of ['06:00:00.123Z', '06:00:00.120Z', '06:00:00Z'].entries()) {
      const records = new ExistingRecords(comparison);
      const time = times[at] ?? '';
      records.keepOnly([rowAt(time)], 1);
      records.addPage(storedAt(`2020-01-01T${cut}`));
      expect([records.take(rowAt(time)), records.take(rowAt(time))]).toEqual(['there', 'new']);
    }
    // Numbers with as many digits aren't times.
    const numbers = new ExistingRecords({ ...comparison, paths: [...comparison.paths, ['rop']] });
    numbers.addPage('[{"_id":"a","datetime":"2020-01-01T06:00:00.123Z","data":{"note":"1"},"rop":45.1234}]');
    expect(numbers.take('{"datetime":"2020-01-01T06:00:00.123456Z","data":{"note":"1"},"rop":45.1234}')).toBe(
      'there',
    );
    // Of a service that keeps them, those with others are other records.
    const exact = new ExistingRecords(comparison);
    exact.addPage(storedAt('2020-01-01T06:00:00.123456Z'));
    exact.addPage(storedAt('2020-01-01T06:00:00.125Z'));
    for (const digits of ['123457', '1254'])
      expect(exact.take(rowAt(`2020-01-01T06:00:00.${digits}Z`))).toBe('new');
  });
});
