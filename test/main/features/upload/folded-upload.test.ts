import * as fc from 'fast-check';
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noFaults, startDemo, type Demo } from '../../../../src/demo/index.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { JobQuestion } from '../../../../src/shared/jobs/jobs.ts';
import { parseJson } from '../../../../src/shared/json.ts';
import { openServices, useServices } from '../../../support/services.ts';
import type { Services } from '../../../../src/main/core/wire/services/services.ts';
import { maxGroupRows } from '../../../../src/main/core/mapping/preparation.ts';
import { lawRuns } from '../../../support/sample.ts';
import { useServers } from '../../../support/servers.ts';
import { fileWith, temporaryFolder } from './support/files.ts';
import { createSink, type SinkOptions } from './support/sink.ts';
import { planOf, runJob, type RunEnd } from './support/uploads.ts';
import { workbook } from './support/workbooks.ts';

const servers = useServers();
const services = useServices();

async function setUp(options: SinkOptions = {}) {
  const sink = createSink({ type: 'reference', ...options });
  const { url } = await servers.raw(sink.server);
  return { sink, services: services(url), folder: await temporaryFolder() };
}

const byWell = { rest: 'data', fold: { by: 'Well' } };

interface Station {
  readonly md: number;
  readonly inc: number | null;
  readonly note: string | null;
}
interface Survey {
  readonly well: string;
  readonly stations: readonly Station[];
}

const station = fc.record({
  md: fc.integer({ min: 0, max: 30_000 }),
  inc: fc.option(fc.integer({ min: 0, max: 9000 }).map((each) => each / 100)),
  note: fc.option(fc.constantFrom('gyro', 'a "b", c', 'two\nlines', 'é')),
});
const surveysOf = (max: number): fc.Arbitrary<Survey[]> =>
  fc
    .array(fc.array(station, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: max })
    .map((groups) => groups.map((stations, n) => ({ well: `W-${n}`, stations })));

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
/** Rows of surveys, one per station: the well, its depth, and a text that differs within each survey. */
const csvOf = (surveys: readonly Survey[]): string =>
  [
    'Well,md,inc,note,tag',
    'W-first,1,1.5,a,x',
    'W-first,2,2.5,b,x',
    ...surveys.flatMap(({ well, stations }) =>
      stations.map(
        ({ md, inc, note }) => `${well},${md},${inc ?? ''},${note === null ? '' : quoted(note)},x`,
      ),
    ),
  ].join('\n');
const first: Survey = {
  well: 'W-first',
  stations: [
    { md: 1, inc: 1.5, note: 'a' },
    { md: 2, inc: 2.5, note: 'b' },
  ],
};

const recordOf = ({ well, stations }: Survey): unknown => ({
  version: 1,
  data: {
    Well: well,
    tag: 'x',
    stations: stations.map(({ md, inc, note }) => ({
      md,
      ...(inc === null ? {} : { inc }),
      ...(note === null ? {} : { note }),
    })),
  },
});

describe('rows that are combined into records', () => {
  it('come back from the records unchanged, for any content and however often the upload is killed', async () => {
    const schedule = fc.record({
      surveys: surveysOf(12),
      kills: fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 3 }),
      batch: fc.integer({ min: 1, max: 4 }),
      bytes: fc.constantFrom(100, 1 << 20),
    });
    await fc.assert(
      fc.asyncProperty(schedule, async ({ surveys, kills, batch, bytes }) => {
        const { sink, ...job } = await setUp();
        const path = await fileWith(csvOf(surveys));
        const plan = await planOf(path, job.services, { concurrency: 2, mapping: byWell });
        const engine = { batch: { rows: batch, bytes } };
        for (const killAfter of kills) await runJob({ plan, engine, killAfter, ...job });
        let end: RunEnd = await runJob({ plan, engine, ...job });
        for (let tries = 0; end.result === null && tries < 20; tries++)
          end = await runJob({ plan, engine, ...job });
        const all = [first, ...surveys];
        expect(end.result).toMatchObject({
          fileRows: all.reduce((sum, { stations }) => sum + stations.length, 0),
          ledger: { rows: all.length, rejected: 0, pending: 0 },
        });
        // Rows left unknown by a kill may be stored or not, but no row is stored twice.
        const stored = new Map(sink.stored.map((record) => [JSON.stringify(record), record]));
        expect(stored.size).toBe(sink.stored.length);
        for (const record of sink.stored) expect(all.map(recordOf)).toContainEqual(record);
        const { accepted = 0, unknown = 0 } = end.result?.ledger ?? {};
        expect(accepted + unknown).toBe(all.length);
        expect(sink.stored.length).toBeGreaterThanOrEqual(accepted);
        if (kills.length === 0) expect(sink.stored).toHaveLength(all.length);
      }),
      { numRuns: lawRuns(25) },
    );
  });

  it('make one record of the whole file, without footer rows', async () => {
    const { sink, ...job } = await setUp();
    const path = await fileWith('asset_id,MD,Inc\n7,100,1.5\n7,200,2.5\n7,300,3.5\nTotal,600,\n');
    const mapping = {
      columns: { MD: { to: 'data.survey.measured_depth' } },
      constants: { 'data.name': 'Final' },
      rest: 'data',
      fold: { by: 'file', into: 'data.survey' },
    };
    const plan = await planOf(path, job.services, { mapping, reading: { footerRows: 1 } });
    const { result } = await runJob({ plan, ...job });
    expect(result).toMatchObject({ fileRows: 3, footerRows: 1, ledger: { rows: 1, accepted: 1 } });
    const survey = [1, 2, 3].map((n) => ({ measured_depth: n * 100, Inc: n + 0.5 }));
    expect(sink.stored).toEqual([{ asset_id: 7, version: 1, data: { name: 'Final', survey } }]);
  });

  it('can be grouped by a column named file', async () => {
    const { sink, ...job } = await setUp();
    const path = await fileWith('asset_id,file,MD\n7,a,100\n7,a,200\n7,b,300\n');
    const mapping = { rest: 'data', fold: { by: { column: 'file' }, into: 'data.stations' } };
    const { result } = await runJob({ plan: await planOf(path, job.services, { mapping }), ...job });
    expect(result).toMatchObject({ fileRows: 3, ledger: { rows: 2, accepted: 2 } });
    expect(sink.stored.map(({ data }) => data)).toMatchObject([{ file: 'a' }, { file: 'b' }]);
  });

  it('have numbers and differing texts in their items, including numbers that happen to be equal', async () => {
    const { sink, ...job } = await setUp();
    const text =
      'asset_id,Run,measured_depth,azimuth,Tool,Crew\n7,A,100,0,MWD,x\n7,A,200,0,Gyro,x\n8,B,50,0,MWD,y\n';
    const plan = await planOf(await fileWith(text), job.services, {
      mapping: { rest: 'data', fold: { by: 'Run', into: 'data.stations' } },
    });
    await runJob({ plan, ...job });
    expect(sink.stored).toMatchObject([
      {
        asset_id: 7,
        data: {
          Run: 'A',
          Crew: 'x',
          stations: [
            { measured_depth: 100, azimuth: 0, Tool: 'MWD' },
            { measured_depth: 200, azimuth: 0, Tool: 'Gyro' },
          ],
        },
      },
      {
        asset_id: 8,
        data: { Run: 'B', Crew: 'y', stations: [{ measured_depth: 50, azimuth: 0, Tool: 'MWD' }] },
      },
    ]);
    expect(sink.stored[0]).not.toHaveProperty('measured_depth');
  });

  it('are rejected as a whole, with every invalid cell, and the rejects file can be uploaded', async () => {
    const { sink, ...job } = await setUp();
    const lines = [
      'Well,md,inc',
      'A,1,1',
      'A,2,2',
      'B,1,bad',
      'B,2,2',
      'B,x,3',
      'C,1,1',
      'D',
      'E',
      'F',
      'G',
      'H',
    ];
    const text = lines.map((line) => (line.length === 1 ? `${line},1,1` : line)).join('\n');
    const number = (to: string) => ({ to, type: 'number' });
    const mapping = {
      ...byWell,
      columns: { md: number('data.stations.md'), inc: number('data.stations.inc') },
    };
    const plan = await planOf(await fileWith(text), job.services, { mapping });
    const { result, made } = await runJob({ plan, ...job });
    expect(result?.ledger).toMatchObject({ rows: 8, accepted: 7, rejected: 1 });
    expect(result?.problems).toMatchObject([
      { column: 'inc', code: 'not_a_number', cell: 'bad', lines: [4] },
      { column: 'md', code: 'not_a_number', cell: 'x', lines: [6] },
    ]);
    const rejects = (await readFile(made[0] ?? '', 'utf8')).trimEnd().split('\n');
    expect(rejects.map((line) => line.split(',').slice(0, 5).join())).toEqual([
      'Well,md,inc,rejected_line,rejected_code',
      'B,1,bad,4,"not_a_number"',
      'B,2,2,5,"not_a_number"',
      'B,x,3,6,"not_a_number"',
    ]);
    const corrected = await fileWith(rejects.join('\n').replace('bad', '7').replace('B,x', 'B,3'));
    const again = await planOf(corrected, job.services, { mapping });
    const second = await runJob({ ...job, plan: again, folder: await temporaryFolder() });
    expect(second.result?.ledger).toMatchObject({ rows: 1, accepted: 1 });
    expect(sink.stored.at(-1)).toMatchObject({
      data: {
        Well: 'B',
        stations: [
          { md: 1, inc: 7 },
          { md: 2, inc: 2 },
          { md: 3, inc: 3 },
        ],
      },
    });
  });

  it('are rejected when rows of one record conflict, lack a value, are blank, or are ragged', async () => {
    const { sink, ...job } = await setUp();
    const text =
      'Well,asset_id,md,inc\nA,7,1,1\nA,8,2,2\nB,7,1,1\n,7,2,2\nC,7,1,1\nC,7,,\nD,7,1,1\nD,7\nE,7,1,1\n';
    const plan = await planOf(await fileWith(text), job.services, { mapping: byWell });
    const { result } = await runJob({ plan, ...job });
    expect(result?.ledger).toMatchObject({ rows: 5, accepted: 1, rejected: 4 });
    expect(result?.problems.map(({ column, code, lines }) => [column, code, lines])).toEqual([
      ['asset_id', 'rows_disagree', [3]],
      ['Well', 'no_group', [5]],
      [null, 'empty_row', [7]],
      [null, 'too_few_cells', [9]],
    ]);
    expect(sink.stored).toMatchObject([{ data: { Well: 'E' } }]);
  });

  it('all return when the service rejects their record', async () => {
    const { sink: _sink, ...job } = await setUp({ react: () => ({ do: 'store', fail: [1] }) });
    const plan = await planOf(await fileWith('Well,md\nA,1\nA,2\nB,1\nB,2\nC,1\n'), job.services, {
      mapping: byWell,
    });
    const { result, made } = await runJob({ plan, ...job });
    expect(result?.ledger).toMatchObject({ rows: 3, accepted: 2, rejected: 1 });
    const rejects = (await readFile(made[0] ?? '', 'utf8')).trimEnd().split('\n').slice(1);
    expect(rejects.map((line) => line.slice(0, 5))).toEqual(['B,1,4', 'B,2,5']);
  });

  it('from a workbook report the rows of its sheet', async () => {
    const { sink, ...job } = await setUp();
    const text = (at: string, value: string): string =>
      `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const rows = ['A', 'A', 'B', 'B'].map(
      (well, n) =>
        `<row r="${n + 4}">${text(`A${n + 4}`, well)}${n === 3 ? text('B7', 'x') : `<c r="B${n + 4}"><v>${n}</v></c>`}</row>`,
    );
    const header = `<row r="3">${text('A3', 'Well')}${text('B3', 'md')}</row>`;
    const path = await fileWith(workbook({ sheets: { Survey: header + rows.join('') } }), 'survey.xlsx');
    const plan = await planOf(path, job.services, {
      mapping: { ...byWell, columns: { md: { to: 'data.stations.md', type: 'number' } } },
    });
    const { result } = await runJob({ plan, ...job });
    expect(result?.problems).toMatchObject([{ column: 'md', lines: [7] }]);
    expect(sink.stored).toMatchObject([{ data: { Well: 'A', stations: [{ md: 0 }, { md: 1 }] } }]);
  });
});

describe('rows that can’t be combined', () => {
  const many = Array.from({ length: maxGroupRows + 1 }, (_, n) => `A,${n}`).join('\n');
  it.each([
    ['separated rows of one record', 'Well,md\nA,1\nB,1\nA,2\n', { by: 'Well' }, /line 2 .* line 4/],
    ['a record that is too large', `Well,md\n${many}\n`, { by: 'file' }, new RegExp(`${maxGroupRows} rows`)],
    ['an unknown column', 'Well,md\nA,1\n', { by: 'Hole' }, /“Hole”.*“Well”/],
    ['a list that isn’t a field of the data', 'Well,md\nA,1\n', { by: 'Well', into: 'stations' }, /data\./],
    ['no columns for the list', 'Well,Crew\nA,x\nB,y\n', { by: 'Well' }, /data\.stations/],
  ])('are rejected before anything is sent: %s', async (_case, text, fold, message) => {
    const { sink, ...job } = await setUp();
    const planned = planOf(await fileWith(text), job.services, { mapping: { rest: 'data', fold } });
    await expect(planned).rejects.toMatchObject({
      code: 'invalid_input',
      details: { issues: [{ message: expect.stringMatching(message), place: { field: 'mapping.fold' } }] },
    });
    expect(sink.inserts).toEqual([]);
  });
});

describe('records of combined rows in a readable dataset', () => {
  let demo: Demo;
  let open: Services;
  beforeAll(async () => {
    demo = await startDemo({ records: 100, wells: 5 });
    open = openServices({
      dataUrl: demo.dataUrl,
      platformUrl: demo.platformUrl,
      credential: { method: 'api_key', apiKey: demo.apiKeys.write },
      env: {},
    });
  });
  afterAll(async () => {
    await open.close();
    await demo.close();
  });

  const rowsOf = (run: string, surveys: number): string =>
    [
      'asset_id,Name,measured_depth,inclination',
      ...Array.from({ length: surveys * 10 }, (_, n) => {
        const survey = Math.floor(n / 10);
        return `${5001 + (survey % 5)},${run} ${survey},${(n % 10) * 95}.5,${(n * 7) % 90}`;
      }),
    ].join('\n');
  const address = { provider: 'demo', dataset: 'uploads.reference' };
  const mapping = { rest: 'data', fold: { by: 'Name' } };
  async function namesOf(run: string): Promise<string[]> {
    const query = { 'data.Name': { $regex: `^${run} ` } };
    const { text } = await open.data.find(address, { query, sort: { _id: 1 }, limit: 10_000 });
    const records = parseJson(text) as { data: { Name: string; stations: unknown[] } }[];
    for (const { data } of records) expect(data.stations).toHaveLength(10);
    return records.map(({ data }) => data.Name).toSorted();
  }

  it('has times in the items, read in the time zone of the wells of the rows', async () => {
    const text = (path: string, timeOf: (n: number) => string): string =>
      [
        `asset_id,Run,${path},md`,
        ...[0, 1, 2, 3].map((n) => `${n < 2 ? 5001 : 5002},zoned ${n < 2 ? 1 : 2},${timeOf(n)},${n}`),
      ].join('\n');
    const local = await fileWith(text('timestamp', (n) => `2026-01-31 0${n}:00:00`));
    const plan = await planOf(local, open, { ...address, mapping: { rest: 'data', fold: { by: 'Run' } } });
    expect(plan.warnings.map(({ code }) => code)).toContain('zone_of_well');
    const { result } = await runJob({ plan, services: open, folder: await temporaryFolder() });
    expect(result?.ledger).toMatchObject({ accepted: 2 });
    const found = await open.data.find(address, {
      query: { 'data.Run': { $regex: '^zoned ' } },
      sort: { asset_id: 1 },
      limit: 10,
    });
    const at = (hour: number): number => Date.UTC(2026, 0, 31, 6 + hour);
    expect(parseJson(found.text)).toMatchObject([
      {
        asset_id: 5001,
        data: {
          stations: [
            { timestamp: at(0), md: 0 },
            { timestamp: at(1), md: 1 },
          ],
        },
      },
      {
        asset_id: 5002,
        data: {
          stations: [
            { timestamp: at(2), md: 2 },
            { timestamp: at(3), md: 3 },
          ],
        },
      },
    ]);
  });

  const upload = async (path: string) =>
    runJob({
      plan: await planOf(path, open, { ...address, mapping, existing: 'skip' }),
      services: open,
      folder: await temporaryFolder(),
    });

  it('are recognized when the file is uploaded again, and sent when one of their rows differs', async () => {
    const text = rowsOf('again', 6);
    const path = await fileWith(text);
    expect((await upload(path)).result?.ledger).toMatchObject({ rows: 6, accepted: 6, skipped: 0 });
    expect((await upload(path)).result?.ledger).toMatchObject({ rows: 6, accepted: 6, skipped: 6 });
    await writeFile(path, text.replace('again 3,95.5', 'again 3,96.5'));
    expect((await upload(path)).result?.ledger).toMatchObject({ rows: 6, accepted: 6, skipped: 5 });
    expect(await namesOf('again')).toHaveLength(7);
  });

  it('are each stored once after lost responses and kills', async () => {
    const surveys = 40;
    const path = await fileWith(rowsOf('lost', surveys));
    const plan = await planOf(path, open, { ...address, mapping, existing: 'skip', settleSeconds: 0 });
    const folder = await temporaryFolder();
    const job = { plan, services: open, folder, engine: { batch: { rows: 3, bytes: 1 << 20 } } };
    Object.assign(demo.faults, { reset_after_write: 0.3, fault_on: 'writes' });
    for (let kills = 0; kills < 5; kills++) await runJob({ ...job, killAfter: 4 + kills });
    Object.assign(demo.faults, noFaults);
    const { result } = await runJob(job);
    expect(result?.ledger).toMatchObject({ rows: surveys, rejected: 0, unknown: 0, pending: 0 });
    expect(await namesOf('lost')).toEqual(Array.from({ length: surveys }, (_, n) => `lost ${n}`).toSorted());
  });

  it('are counted as records where the user is asked about many that were rejected', async () => {
    const path = await fileWith(rowsOf('bad', 60).replaceAll(/bad (?=\d?[13579],)/g, 'refused '));
    const wanted = { existing: 'skip', settleSeconds: 0, concurrency: 1 } as const;
    const plan = await planOf(path, open, { ...address, mapping, ...wanted });
    const data: typeof open.data = {
      ...open.data,
      insert: async (to, body, ...more) =>
        Buffer.from(body).includes('refused')
          ? { kind: 'unknown', status: 422, error: new AppError('refused', { service: 'data', status: 422 }) }
          : open.data.insert(to, body, ...more),
    };
    const questions: JobQuestion[] = [];
    await runJob({
      plan,
      services: { ...open, data },
      folder: await temporaryFolder(),
      engine: { batch: { rows: 3, bytes: 1 << 20 } },
      ask: async (question) => (questions.push(question), 'stop'),
    });
    expect(questions).toMatchObject([{ kind: 'many_refused', areRecords: true }]);
  });
});
