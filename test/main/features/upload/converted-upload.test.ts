import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { converterVersion } from '../../../../src/main/core/tables/conversion/converted-table.ts';
import { defaultBatch } from '../../../../src/main/features/upload/sending/send.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import { fileWith, temporaryFolder } from './support/files.ts';
import { createSink } from './support/sink.ts';
import { planOf, runJob } from './support/uploads.ts';
import { workbook } from './support/workbooks.ts';

const servers = useServers();
const services = useServices();
const small = { batch: { ...defaultBatch, rows: 10 } };
const rows = 40;
const numbers = Array.from({ length: rows }, (_, n) => n);

const las = (valueOf: (n: number) => string = String): string =>
  [
    '~Version',
    ' VERS. 2.0 :',
    '~Well',
    ' NULL. -999.25 :',
    '~Curve',
    ' timestamp.MS :',
    ' asset_id. :',
    ' N. :',
    '~A',
    ...numbers.map((n) => `${1_700_000_000_000 + n * 1000} 7 ${valueOf(n)}`),
    '',
  ].join('\n');

const text = (at: string, value: string): string => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (at: string, value: number): string => `<c r="${at}"><v>${value}</v></c>`;

/** A workbook with a title row and the data on its second sheet. */
const book = (valueAt: (at: string, n: number) => string = number): Uint8Array =>
  workbook({
    sheets: {
      Notes: `<row r="1">${text('A1', 'note')}</row><row r="2">${text('A2', 'x')}</row>`,
      Drilling: [
        `<row r="1">${text('A1', 'Badger 1H')}</row>`,
        `<row r="3">${text('A3', 'timestamp')}${text('B3', 'asset_id')}${text('C3', 'N')}</row>`,
        ...numbers.map((n) => {
          const row = n + 4;
          return `<row r="${row}">${number(`A${row}`, 1_700_000_000_000 + n * 1000)}${number(`B${row}`, 7)}${valueAt(`C${row}`, n)}</row>`;
        }),
      ].join(''),
    },
  });

async function setUp() {
  const sink = createSink();
  const { url } = await servers.raw(sink.server);
  return { sink, services: services(url), folder: await temporaryFolder() };
}

const rest = { rest: 'data', constants: { version: 1 } };
/** Pages that repeat the header, and another table below them. */
const pages = (): string =>
  [
    'timestamp,asset_id,N',
    ...numbers.flatMap((n) => [
      ...(n > 0 && n % 7 === 0 ? ['timestamp,asset_id,N'] : []),
      `${1_700_000_000_000 + n * 1000},7,${n}`,
    ]),
    'Tool,Top,Base',
    'MWD,1,2',
    'Gyro,2,3',
    '',
  ].join('\n');

const kinds = [
  ['csv', pages, {}],
  ['las', () => las(), {}],
  ['xlsx', () => book(), { table: 'Drilling' }],
  ['las.gz', () => gzipSync(las()), {}],
] as const;

describe('an upload of a converted file', () => {
  it.each(kinds)('%s stores each row once, however often it is killed', async (ending, content, reading) => {
    const { sink, ...job } = await setUp();
    const path = await fileWith(content(), `drilling.${ending}`);
    const plan = await planOf(path, job.services, {
      concurrency: 1,
      mapping: rest,
      reading,
    });
    for (let kills = 0; kills < 4; kills++)
      await runJob({ plan, engine: small, killAfter: 2 + kills, ...job });
    const { result, error } = await runJob({ plan, engine: small, ...job });
    expect(error).toBeNull();
    expect(result?.ledger).toMatchObject({ rows, rejected: 0, pending: 0 });
    expect((result?.ledger.accepted ?? 0) + (result?.ledger.unknown ?? 0)).toBe(rows);
    const stored = sink.stored.map(({ data }) => Number(Object(data).N));
    expect(stored.toSorted((a, b) => a - b)).toEqual(numbers);
  });

  it('resumes from the job’s own copy when the conversion was deleted', async () => {
    const { sink, ...job } = await setUp();
    const path = await fileWith(las(), 'drilling.las');
    const plan = await planOf(path, job.services, { mapping: rest });
    await runJob({ plan, engine: small, killAfter: 3, ...job });
    await rm(join(plan.source.path, '..'), { recursive: true });
    const { result } = await runJob({ plan, engine: small, ...job });
    expect(result?.ledger).toMatchObject({ accepted: rows, pending: 0 });
    expect(sink.stored).toHaveLength(rows);
  });

  it('doesn’t resume when the original has changed', async () => {
    const { sink, ...job } = await setUp();
    const path = await fileWith(las(), 'drilling.las');
    const plan = await planOf(path, job.services, { mapping: rest, concurrency: 1 });
    await runJob({ plan, engine: small, killAfter: 3, ...job });
    const before = sink.inserts.length;
    await writeFile(
      path,
      las((n) => String(n + 1)),
    );
    const { error } = await runJob({ plan, engine: small, ...job });
    expect(error?.code).toBe('file_changed');
    expect(sink.inserts).toHaveLength(before);
  });

  it('records the digest of the original', async () => {
    const { services: open } = await setUp();
    const path = await fileWith(las(), 'drilling.las');
    const { conversion } = await planOf(path, open, { mapping: rest });
    expect(conversion).toMatchObject({
      version: converterVersion,
      format: 'las',
      compression: null,
      original: { place: 'path', path, bytes: (await stat(path)).size },
    });
  });

  it('reports sheet and row of the original', async () => {
    const { sink, ...job } = await setUp();
    const damaged = book((at, n) => (n === 8 ? text(at, 'x') : number(at, n)));
    const path = await fileWith(damaged, 'drilling.xlsx');
    const plan = await planOf(path, job.services, {
      mapping: { ...rest, columns: { N: { to: 'data.N', type: 'number' } } },
      reading: { table: '2' },
    });
    const { result, made } = await runJob({ plan, ...job });
    expect(result?.ledger).toMatchObject({ accepted: rows - 1, rejected: 1 });
    expect(result?.places).toEqual({ kind: 'row', table: 'Drilling' });
    expect(result?.problems).toMatchObject([{ code: 'not_a_number', lines: [12] }]);
    const [header, rejected] = (await readFile(made[0] ?? '', 'utf8')).split('\n');
    expect(header).toBe('timestamp,asset_id,N,rejected_table,rejected_line,rejected_code,rejected_message');
    expect(rejected).toMatch(/^1700000008000,7,x,"Drilling",12,"not_a_number","/);
    expect(sink.stored).toHaveLength(rows - 1);
  });

  it('reports lines of a LAS file', async () => {
    const { ...job } = await setUp();
    const path = await fileWith(
      las((n) => (n === 8 ? 'x' : String(n))),
      'drilling.las',
    );
    const plan = await planOf(path, job.services, {
      mapping: { ...rest, columns: { N: { to: 'data.N', type: 'number' } } },
    });
    const { result } = await runJob({ plan, ...job });
    expect(result?.problems).toMatchObject([{ lines: [18] }]);
  });
});
