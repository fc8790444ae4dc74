import { gzipSync } from 'node:zlib';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { noFaults, startDemo, type Demo } from '../../../../src/demo/index.ts';
import { createTemplates } from '../../../../src/main/features/upload/templates.ts';
import { uploadTemplate } from '../../../../src/shared/upload/templates.ts';
import { inspection } from '../../../../src/shared/upload/upload.ts';
import { cliEnd, connectionEnv, runInProcess, startCli, type CliRun } from '../../../support/cli.ts';
import { workbook } from '../../features/upload/support/workbooks.ts';
import { useFolders } from '../../../support/folders.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 100, wells: 5 });
});
afterAll(() => demo.close());
afterEach(() => {
  Object.assign(demo.faults, noFaults);
});
const folders = useFolders();

const summaryShape = z.object({
  job: z.string(),
  rows: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  unknown: z.int(),
  pending: z.int(),
  skipped: z.int(),
  rejectsFile: z.string().nullable(),
  problems: z.array(
    z.object({
      column: z.string().nullable(),
      code: z.string(),
      count: z.int(),
      lines: z.array(z.int()),
    }),
  ),
});
const summaryOf = (run: CliRun) => summaryShape.parse(run.summary());

let hour = 0;
/** A CSV with this many rows, one second apart, in an hour that no other test uses. */
function csvOf(rows: number, cell: (row: number) => string = (row) => `${row}.5`): string {
  const from = Date.UTC(2020, 0, 1, (hour += 1000));
  const lines = Array.from({ length: rows }, (_, row) => `1,5001,${from + row * 1000},${cell(row)}`);
  return ['version,asset_id,timestamp,rop', ...lines, ''].join('\n');
}

/** A folder with a file to upload, and one for the application's data. */
async function setUp(text: string | Buffer = csvOf(10)) {
  const [data, work] = [await folders(), await folders()];
  const file = join(work, 'wits.csv');
  await writeFile(file, text);
  const withData = (args: readonly string[]) => [...args, '--data-dir', data, '--json'];
  return {
    data,
    file,
    work,
    run: (...args: string[]) => runInProcess(withData(args), connectionEnv(demo)),
    upload: (...args: string[]) =>
      runInProcess(withData(['upload', 'demo/uploads.time', file, ...args]), connectionEnv(demo)),
    start: () =>
      startCli(withData(['upload', 'demo/uploads.time', file, '--settle', '0']), connectionEnv(demo)),
    jobFolder: (job: string) => join(data, 'jobs', job),
    count: async () =>
      z
        .object({ count: z.int() })
        .parse((await runInProcess(withData(['count', 'demo/uploads.time']), connectionEnv(demo))).summary())
        .count,
  };
}

describe('upload', () => {
  it('inserts every row and reports it', async () => {
    const { upload, count } = await setUp(csvOf(2500));
    const before = await count();
    const ended = await upload();
    expect(ended.code).toBe(0);
    expect(summaryOf(ended)).toMatchObject({
      rows: 2500,
      accepted: 2500,
      rejected: 0,
      unknown: 0,
      pending: 0,
      rejectsFile: null,
      problems: [],
    });
    expect(await count()).toBe(before + 2500);
  });

  it('maps columns by a mapping file, which may be relaxed JSON', async () => {
    const { upload, work, run } = await setUp('Well;When;ROP;Note\n5002;2021-03-04 05:06:07;12,5;x\n');
    const mapping = join(work, 'mapping.json');
    await writeFile(
      mapping,
      `{ // by hand
        columns: {
          Well: { to: 'asset_id' },
          When: { to: 'timestamp', format: 'yyyy-MM-dd HH:mm:ss', zone: 'America/Chicago' },
          Note: { to: 'data.comment', type: 'string' },
        },
        constants: { version: 1 },
      }`,
    );
    const ended = await upload('--mapping', mapping, '--delimiter', 'semicolon');
    expect(ended).toMatchObject({ code: 0 });
    const found = await run('find', 'demo/uploads.time', '--query', '{ asset_id: 5002 }');
    expect(JSON.parse(found.lines[0] ?? '')).toMatchObject({
      timestamp: Date.UTC(2021, 2, 4, 11, 6, 7),
      data: { comment: 'x' },
    });
  });

  it.each([
    ['a field of the mapping', 'Time,Depth (m)', { 'Depth (m)': { to: 'data.hole_depth' } }, 1000, 3280],
    ['a field by name', 'Time,hole_depth (m)', { 'hole_depth (m)': { to: 'data.hole_depth' } }, 1001, 3284],
    ['a path by name', 'Time,data.hole_depth (m)', {}, 1002, 3287],
    ['a unit of the mapping', 'Time,D', { D: { to: 'data.hole_depth', unit: 'm' } }, 1003, 3290],
    [
      'stored as is',
      'Time,Depth (m)',
      { 'Depth (m)': { to: 'data.hole_depth', convert: false } },
      1004,
      1004,
    ],
  ])('converts numbers to the unit of their field: %s', async (_, header, columns, given, stored) => {
    const { work, run, file } = await setUp(`${header}\n2021-05-06T07:08:09Z,${given}\n`);
    const mapping = join(work, 'mapping.json');
    const Time = { to: 'timestamp' };
    await writeFile(
      mapping,
      JSON.stringify({ columns: { Time, ...columns }, constants: { asset_id: 5002 }, rest: 'data' }),
    );
    const upload = (...more: string[]) => run('upload', 'demo/wits', file, '--mapping', mapping, ...more);
    const dry = await upload('--dry-run');
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stderr.includes(`is converted from m to ft, such as ${given} to `)).toBe(given !== stored);
    expect(await upload()).toMatchObject({ code: 0 });
    const found = await run(
      'find',
      'demo/wits',
      '--query',
      `{ asset_id: 5002, timestamp: ${Date.UTC(2021, 4, 6, 7, 8, 9)}, "data.hole_depth": { $gte: ${stored}, $lt: ${stored + 1} } }`,
    );
    expect(found.summary()).toMatchObject({ count: 1 });
  });

  it.each([
    ['one well for all rows', 'When,ROP\n2021-07-04 05:06:07,1\n', { constants: { asset_id: 5003 } }, 10],
    ['a column of asset ids', 'When,Loc,ROP\n2021-07-05 05:06:07,5003,1\n', { Loc: { to: 'asset_id' } }, 10],
    [
      'a zone in the mapping',
      'When,ROP\n2021-07-06 05:06:07,1\n',
      { zone: 'UTC', constants: { asset_id: 5003 } },
      5,
    ],
  ])('reads local times in the zone of their well: %s', async (_, text, content, hour) => {
    const { zone, constants, ...columns } = { zone: undefined, constants: {}, ...content };
    const { upload, work, run } = await setUp(text);
    const mapping = join(work, 'mapping.json');
    const When = { to: 'timestamp', ...(zone === undefined ? {} : { zone }) };
    await writeFile(
      mapping,
      JSON.stringify({
        columns: { When, ...columns },
        constants: { version: 1, ...constants },
        rest: 'data',
      }),
    );
    const ended = await upload('--mapping', mapping);
    expect(ended).toMatchObject({ code: 0 });
    const says = 'read in America/Chicago, the time zone of ';
    expect(ended.stderr.includes(says)).toBe(zone === undefined);
    expect(ended.stderr).not.toContain('read as UTC');
    const day = Number(/07-0(\d)/.exec(text)?.[1]);
    const query = `{ asset_id: 5003, timestamp: ${Date.UTC(2021, 6, day, hour, 6, 7)} }`;
    expect((await run('count', 'demo/uploads.time', '--query', query)).summary()).toMatchObject({ count: 1 });
  });

  it('joins a date and a time of day, even in corrected rejected rows', async () => {
    const { upload, work, run, data } = await setUp(
      'Date,Time,ROP\n03/14/2021,05:06:07,1\n03/15/2021,noon,2\n',
    );
    const mapping = join(work, 'mapping.json');
    const rejects = join(work, 'rejects.csv');
    const columns = { Date: { to: 'timestamp', join: ['Time'], format: 'MM/dd/yyyy HH:mm:ss', zone: 'UTC' } };
    await writeFile(
      mapping,
      JSON.stringify({ columns, constants: { asset_id: 5004, version: 1 }, rest: 'data' }),
    );
    const dry = await upload('--mapping', mapping, '--dry-run');
    expect(summaryOf(dry)).toMatchObject({ rejected: 1, problems: [{ column: 'Date', code: 'not_a_time' }] });
    const ended = await upload('--mapping', mapping, '--rejects', rejects);
    expect(summaryOf(ended)).toMatchObject({ accepted: 1, rejected: 1 });
    // For people, a problem is a sentence with its place.
    const shown = await runInProcess(['jobs', 'show', summaryOf(ended).job, '--data-dir', data], {});
    expect(shown.stdout).toMatch(/^problems: line 3: Date: .*“03\/15\/2021 noon”.* \(1 row\)$/mu);
    const content = await readFile(rejects, 'utf8');
    expect(content).toContain('03/15/2021,noon,2');
    await writeFile(rejects, content.replace('noon', '12:00:00'));
    const again = await run('upload', 'demo/uploads.time', rejects, '--mapping', mapping);
    expect(summaryOf(again)).toMatchObject({ accepted: 1, rejected: 0 });
    const found = await run('find', 'demo/uploads.time', '--query', '{ asset_id: 5004 }');
    expect(found.lines.slice(0, 2).map((line) => JSON.parse(line))).toMatchObject([
      { timestamp: Date.UTC(2021, 2, 14, 5, 6, 7) },
      { timestamp: Date.UTC(2021, 2, 15, 12) },
    ]);
  });

  it('creates surveys from the sample listing, in the form of the sample workspace', async () => {
    const { work, run } = await setUp();
    const mapping = join(work, 'mapping.json');
    const columns = { Well: { to: 'asset_id', by: 'name' } };
    await writeFile(mapping, JSON.stringify({ columns, rest: 'data', fold: { by: 'name' } }));
    const listing = join(import.meta.dirname, '../../../../resources/samples/survey-listing.txt');
    const upload = () => run('upload', 'demo/data.actual_survey', listing, '--mapping', mapping);
    expect((await upload()).summary()).toMatchObject({ rows: 2, accepted: 2, skipped: 0, fileRows: 13 });
    expect((await upload()).summary()).toMatchObject({ rows: 2, accepted: 2, inserted: 0, skipped: 2 });
    const found = await run('find', 'demo/data.actual_survey', '--query', '{}', '--sort', '{ _id: 1 }');
    const survey = z.object({
      asset_id: z.int(),
      data: z.object({ name: z.string(), stations: z.array(z.record(z.string(), z.number())) }),
    });
    const surveys = found.lines.slice(0, -1).map((line) => survey.parse(JSON.parse(line)));
    const added = surveys.filter(({ data }) => data.name.endsWith('gyro'));
    expect(added.map(({ data }) => data.stations.length)).toEqual([6, 7]);
    const fields = surveys.map(({ data }) => Object.keys(data.stations[0] ?? {}).join());
    expect(new Set(fields).size).toBe(1);
  });

  it('combines rows into records, and counts both', async () => {
    const { work, run, file } = await setUp('Well,MD,Inc\nA-1,100,1.5\nA-1,200,2.5\nB-2,50,0.5\n');
    const mapping = join(work, 'mapping.json');
    await writeFile(mapping, JSON.stringify({ rest: 'data', fold: { by: 'Well' } }));
    const upload = () => run('upload', 'demo/uploads.reference', file, '--mapping', mapping);
    expect((await upload()).summary()).toMatchObject({ rows: 2, accepted: 2, inserted: 2, fileRows: 3 });
    expect((await upload()).summary()).toMatchObject({ rows: 2, accepted: 2, inserted: 0, skipped: 2 });
    const found = await run('find', 'demo/uploads.reference', '--query', '{ "data.Well": "A-1" }');
    expect(found.lines.slice(0, -1).map((line) => JSON.parse(line))).toMatchObject([
      {
        data: {
          stations: [
            { MD: 100, Inc: 1.5 },
            { MD: 200, Inc: 2.5 },
          ],
        },
      },
    ]);
    await writeFile(mapping, JSON.stringify({ rest: 'data', fold: { by: 'Hole' } }));
    expect((await upload()).code).toBe(2);
  });

  it('exits with 3 when rows were rejected, writes them to a file, and recognizes them once they are corrected', async () => {
    const { upload, work, run } = await setUp(csvOf(20).replace(/,\d{13},3\.5/, ',yesterday,3.5'));
    const rejects = join(work, 'rejects.csv');
    const ended = await upload('--rejects', rejects);
    const summary = summaryOf(ended);
    expect(ended.code).toBe(3);
    expect(summary).toMatchObject({ rows: 20, accepted: 19, rejected: 1, rejectsFile: rejects });
    expect(summary.problems).toEqual([
      expect.objectContaining({ column: 'timestamp', count: 1, lines: [5] }),
    ]);
    const content = await readFile(rejects, 'utf8');
    expect(content).toContain('yesterday');
    await writeFile(rejects, content.replace('yesterday', String(Date.UTC(2019, 5, 1))));
    const again = await run('upload', 'demo/uploads.time', rejects);
    expect(again.summary()).toMatchObject({ rows: 1, accepted: 1, parent: summary.job });
    const { jobs } = (await run('jobs', 'list')).summary() as { jobs: { parent?: string }[] };
    expect(jobs.map(({ parent }) => parent)).toEqual([undefined, summary.job]);
  });

  it('writes rejected rows in the apostrophes of their file', async () => {
    const rowOf = (at: number, time: string) => `${at},5003,1,${time},'soft, ${at}'`;
    const rows = [1, 2, 3].map((at) => rowOf(at, at === 2 ? 'noon' : `2019-05-0${at}T00:00:00Z`));
    const { upload, work, run } = await setUp(
      `${['row,asset_id,version,timestamp,note', ...rows].join('\n')}\n`,
    );
    const rejects = join(work, 'rejects.csv');
    expect(summaryOf(await upload('--rejects', rejects))).toMatchObject({ accepted: 2, rejected: 1 });
    const content = await readFile(rejects, 'utf8');
    await writeFile(rejects, content.replace('noon', '2019-05-02T00:00:00Z'));
    expect(summaryOf(await run('upload', 'demo/uploads.time', rejects))).toMatchObject({ accepted: 1 });
    const query = `{ timestamp: ${Date.UTC(2019, 4, 2)} }`;
    const records = await run('find', 'demo/uploads.time', '--query', query);
    expect(JSON.parse(records.lines[0] ?? '')).toMatchObject({ data: { note: 'soft, 2' } });
  });

  it('verifies a batch without a response, and inserts every row once', async () => {
    const { upload, count } = await setUp(csvOf(3000));
    const before = await count();
    Object.assign(demo.faults, { reset_after_write: 1, fault_times: 1, fault_after: 1 });
    const ended = await upload('--concurrency', '1', '--settle', '0');
    expect(ended.code).toBe(0);
    expect(summaryOf(ended)).toMatchObject({ rows: 3000, accepted: 3000, unknown: 0, pending: 0 });
    expect(await count()).toBe(before + 3000);
  });

  it('exits with 3 when the result of a batch can’t be verified, and resends nothing', async () => {
    const { upload, count } = await setUp(csvOf(3000, (row) => `${row}.1`));
    const before = await count();
    // The service changes values, so that no record can be matched to a row of the file.
    Object.assign(demo.faults, {
      rewrite_values: true,
      fail_after_partial_write: 1,
      fault_after: 2,
    });
    const ended = await upload('--concurrency', '1', '--settle', '0');
    const { accepted, unknown, pending, rejected } = summaryOf(ended);
    expect(ended.code).toBe(3);
    expect(ended.error()).toMatchObject({ code: 'outcome_unknown', details: { rows: unknown } });
    expect({ rejected, sum: accepted + unknown + pending }).toEqual({ rejected: 0, sum: 3000 });
    expect(unknown).toBeGreaterThan(0);
    const stored = (await count()) - before;
    expect(stored).toBeGreaterThan(accepted);
    expect(stored).toBeLessThan(accepted + unknown);
  });

  it('validates the file in a dry run and inserts nothing', async () => {
    const { upload, count } = await setUp(csvOf(1500).replace(/,\d{13},3\.5/, ',yesterday,3.5'));
    const before = await count();
    const ended = await upload('--dry-run');
    expect(ended.code).toBe(3);
    expect(summaryOf(ended)).toMatchObject({ rows: 1500, rejected: 1 });
    expect(await count()).toBe(before);
  });

  it('stopped by Ctrl-C exits with 130 and every row accounted for, and can be resumed', async () => {
    const { start, run, count } = await setUp(csvOf(4000));
    const before = await count();
    demo.faults.latency_ms = 1000;
    const child = start();
    const words = once(child.stderr!, 'data');
    const end = cliEnd(child);
    await words;
    child.kill('SIGINT');
    const ended = await end;
    const { job, rows, accepted, pending, unknown } = summaryOf(ended);
    expect(ended.code).toBe(130);
    expect(ended.error()).toMatchObject({ code: 'cancelled' });
    expect({ rows, unknown, sum: accepted + pending }).toEqual({ rows: 4000, unknown: 0, sum: 4000 });
    demo.faults.latency_ms = 0;
    const resumed = await run('jobs', 'resume', job);
    expect(resumed.code).toBe(0);
    expect(summaryOf(resumed)).toMatchObject({ rows: 4000, accepted: 4000, pending: 0 });
    expect(await count()).toBe(before + 4000);
  });

  it('belongs to one process at a time, and to another when that one is killed', async () => {
    const { start, run, count } = await setUp(csvOf(2000));
    const before = await count();
    const child = start();
    const [words] = (await once(child.stderr!, 'data')) as [Buffer];
    // From here on no response completes, so this process stays busy.
    demo.faults.bandwidth = 1;
    const job = /Job (\S+) /.exec(words.toString())?.[1] ?? '';
    const refused = await run('jobs', 'resume', job);
    expect(refused.code).toBe(1);
    expect(refused.error()).toMatchObject({ code: 'job_busy', details: { job } });
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    demo.faults.bandwidth = 0;
    const resumed = await run('jobs', 'resume', job);
    expect(resumed.code).toBe(0);
    expect(summaryOf(resumed)).toMatchObject({ rows: 2000, accepted: 2000, unknown: 0, pending: 0 });
    expect(await count()).toBe(before + 2000);
  });
});

describe('an invalid upload', () => {
  it.each([
    ['a binary file', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0]), 'file_unsuitable'],
    ['an empty file', '', 'file_unsuitable'],
    ['a file without the columns that the dataset needs', 'depth,rop\n1,2\n', 'invalid_input'],
  ])('of %s exits with 2, and nothing is sent', async (_what, text, code) => {
    const { upload, count, run } = await setUp(text);
    const before = await count();
    const ended = await upload();
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.error()).toMatchObject({ code });
    expect(await count()).toBe(before);
    expect((await run('jobs', 'list')).summary()).toEqual({ jobs: [], older: 0 });
  });

  it.each([
    ['demo/data.actual_survey', 'asset_id'],
    ['demo/sensors.pad', 'metadata.asset_id'],
  ])('of records without a well into %s, whose records have one, names the option', async (dataset, path) => {
    const { run, file } = await setUp(
      'name,md,datetime\ngyro 1,10,2026-01-02T03:04:05Z\ngyro 2,20,2026-01-02T03:04:06Z\n',
    );
    const refused = await run('upload', dataset, file, '--dry-run');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.error()).toMatchObject({ code: 'invalid_input' });
    expect(refused.stderr).toContain(path);
    expect(refused.stderr).toContain('--well');
    const accepted = await run('upload', dataset, file, '--dry-run', '--well', '5002');
    expect(summaryOf(accepted)).toMatchObject({ rows: 2, rejected: 0 });
    const blank = await setUp(
      `name,${path},datetime\na,5001,2026-01-02T03:04:05Z\nb,,2026-01-02T03:04:06Z\n`,
    );
    const ended = await blank.run('upload', dataset, blank.file, '--dry-run');
    expect(summaryOf(ended)).toMatchObject({
      rejected: 1,
      problems: [{ code: 'missing_value', lines: [3] }],
    });
  });

  it('of a file with rows that can be headers names their lines and the options, and sends nothing', async () => {
    const rows = csvOf(5).trim().split('\n').slice(1);
    const words = ['one,two,three,four', 'five,six,seven,eight'];
    const lines = ['version,asset_id,timestamp,rop', ...rows, ...words, ...rows];
    const { upload, count, run } = await setUp(`${lines.join('\n')}\n`);
    const before = await count();
    const ended = await upload();
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.error()).toMatchObject({
      code: 'invalid_input',
      details: { issues: [{ place: { field: 'headerRow' } }] },
    });
    for (const text of ['lines 7 to 8', '--header-row', '--table'])
      expect(JSON.stringify(ended.error())).toContain(text);
    expect(await count()).toBe(before);
    expect((await run('jobs', 'list')).summary()).toEqual({ jobs: [], older: 0 });
    // A header that the user sets makes the words rows, which are rejected.
    expect((await upload('--header-row', '1', '--dry-run')).code).not.toBe(2);
  });

  it('of a file that doesn’t exist is rejected', async () => {
    const { run, work } = await setUp();
    const ended = await run('upload', 'demo/uploads.time', join(work, 'other.csv'));
    expect(ended.code).toBe(2);
    expect(ended.error()).toMatchObject({ code: 'file_unreadable' });
  });

  it.each([
    ['{ columns: {\n  Time: }', { line: 2, column: 9 }],
    ['{ columns: { Time: { too: "timestamp" } } }', { field: 'mapping.columns.Time.to' }],
    ['{ rest: "all" }', { field: 'mapping.rest' }],
  ])('with an invalid mapping file is rejected: %s', async (text, place) => {
    const { upload, work } = await setUp();
    const mapping = join(work, 'mapping.json');
    await writeFile(mapping, text);
    const ended = await upload('--mapping', mapping);
    expect(ended.code).toBe(2);
    expect(ended.error()).toMatchObject({
      code: 'invalid_input',
      details: { issues: [{ place: { file: mapping, ...place } }, ...(text.includes('too') ? [{}] : [])] },
    });
  });

  it.each([
    ['existing', ['--existing', 'replace']],
    ['settle', ['--settle', 'soon']],
    ['max-rejected', ['--max-rejected', '-1']],
    ['delimiter', ['--delimiter', 'dots']],
    ['rejects', ['--rejects', '/no/such/folder/r.csv']],
  ])('with an invalid --%s is rejected', async (_name, args) => {
    const { upload } = await setUp();
    const ended = await upload(...args);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.error()).toMatchObject({ code: 'invalid_input' });
    // The message lists the options in our words, not in those of a library.
    expect(JSON.stringify(ended.error())).not.toMatch(/expected|Invalid|\.\./);
  });

  it('with a read-only key exits with 4', async () => {
    const { file, work } = await setUp();
    const args = ['upload', 'demo/uploads.time', file, '--json', '--data-dir', join(work, 'data')];
    const ended = await runInProcess(args, connectionEnv(demo, 'read'));
    expect(ended.code).toBe(4);
    expect(ended.error()).toMatchObject({ code: 'forbidden' });
  });
});

describe('inspect --into', () => {
  const matchesOf = (run: CliRun) =>
    z
      .object({
        templates: z.array(z.string()),
        columns: z.array(
          z.object({
            name: z.string(),
            match: z.object({ field: z.string(), why: z.string() }).loose().nullable(),
          }),
        ),
      })
      .parse(run.summary());

  it('reports the fields of the only saved template for the header, converted from the units of the file', async () => {
    const { data, file, run } = await setUp(
      'Time,WOB,SPP,Note\n,daN,kPa,\n2026-05-01,9,20000,a\n2026-05-02,8,21000,b\n',
    );
    const { keepTemplate } = createTemplates(data, () => undefined);
    const template = (name: string, header: string[]) =>
      uploadTemplate.parse({
        id: randomUUID(),
        name,
        header,
        units: [null, 'klbf', 'kPa', null],
        mapping: {
          columns: { Time: { to: 'timestamp' }, WOB: { to: 'data.bit_load', unit: 'klbf', fieldUnit: 'kN' } },
          skip: ['Note'],
        },
      });
    const inspect = async () => matchesOf(await run('inspect', file, '--into', 'demo/wits'));
    await keepTemplate(template('Other', ['Time', 'WOB', 'SPP']), {});
    expect(await inspect()).toMatchObject({
      templates: [],
      columns: [{}, { match: { field: 'data.weight_on_bit', why: 'mnemonic WOB' } }, {}, {}],
    });
    await keepTemplate(template('Rig 7', ['Time', 'WOB', 'SPP', 'Note']), {});
    const why = 'template Rig 7';
    expect(await inspect()).toMatchObject({
      templates: ['Rig 7'],
      columns: [
        { match: { field: 'timestamp', why, confidence: 1 } },
        { match: { field: 'data.bit_load', why, unit: 'daN', fieldUnit: 'kN', factor: 0.01 } },
        { match: { field: 'data.standpipe_pressure' } },
        { match: null },
      ],
    });
    // A person has to select one of several.
    await keepTemplate(template('Rig 8', ['Time', 'WOB', 'SPP', 'Note']), {});
    expect(await inspect()).toMatchObject({
      templates: ['Rig 7', 'Rig 8'],
      columns: [{}, { match: { field: 'data.weight_on_bit' } }, {}, {}],
    });
  });
});

describe('inspect', () => {
  it('reports the columns and issues of a file', async () => {
    const { run, file } = await setUp('time;depth;note\ns;m;\n1;2,5;x\n2;;y\n');
    const ended = await run('inspect', file);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(inspection.parse(ended.summary())).toMatchObject({
      delimiter: ';',
      newline: 'LF',
      headerRow: 1,
      unitRow: 2,
      rows: 2,
      columns: [{ name: 'time' }, { name: 'depth', unit: 'm', nulls: 1 }, { name: 'note', type: 'string' }],
    });
    expect(ended.lines).toHaveLength(1);
  });

  it('converts other formats: a compressed LAS file, and a sheet of a workbook by name or number', async () => {
    const { run, file } = await setUp();
    const las = '~V\n VERS. 2.0:\n~W\n WELL. Badger 1H:\n~C\n DEPT.M: depth\n GR.GAPI: gamma\n~A\n1.0 2\n';
    const packed = `${file}.las.gz`;
    await writeFile(packed, gzipSync(las));
    expect(inspection.parse((await run('inspect', packed)).summary())).toMatchObject({
      format: 'las',
      compression: 'gzip',
      tables: [{ name: 'Log', rows: 1, columns: 2 }],
      table: 'Log',
      index: { name: 'DEPT', unit: 'M', kind: 'depth' },
      columns: [
        { name: 'DEPT', unit: 'M' },
        { name: 'GR', unit: 'GAPI' },
      ],
    });
    const book = `${file}.xlsx`;
    const row = (text: string, at: number) =>
      `<row r="${at}"><c r="A${at}" t="inlineStr"><is><t>${text}</t></is></c></row>`;
    const sheet = (name: string) => row(name, 1) + row('x', 2);
    await writeFile(book, workbook({ sheets: { One: sheet('first'), Two: sheet('second') } }));
    for (const option of [
      ['--sheet', 'Two'],
      ['--sheet', '2'],
      ['--table', 'two'],
    ])
      expect(inspection.parse((await run('inspect', book, ...option)).summary())).toMatchObject({
        format: 'xlsx',
        compression: null,
        tables: [{ name: 'One' }, { name: 'Two', rows: 1, columns: 1 }],
        table: 'Two',
        columns: [{ name: 'second' }],
      });
    expect((await run('inspect', book, '--sheet', 'Three')).code).toBe(2);
    const people = await run('inspect', book);
    expect(people.code).toBe(0);
  });

  it('needs no connection, and prints a readable table', async () => {
    const { file, work } = await setUp();
    const { code, stdout } = await runInProcess(['inspect', file, '--data-dir', work]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/name +unit +type +nulls +min +max/);
  });

  it('applies the given file format options', async () => {
    const { run, file } = await setUp('made by a logger\na|b\n1|2\nend|\n');
    const ended = await run(
      'inspect',
      file,
      '--header-row',
      '2',
      '--unit-row',
      '0',
      '--delimiter',
      'pipe',
      '--footer-rows',
      '1',
    );
    expect(inspection.parse(ended.summary())).toMatchObject({ headerRow: 2, unitRow: null, rows: 1 });
    const wrong = await run('inspect', file, '--encoding', 'klingon');
    expect(wrong.code).toBe(2);
    expect(wrong.error()).toMatchObject({ code: 'invalid_input' });
  });

  it('splits lines at column edges, in uploads too, and rejects edges for other formats', async () => {
    const rows = [1, 2].map((n) => `500${n}    1       ${1_600_000_000_000 + n}1${n}.25`);
    const packed = ['asset_idversion timestamp    ROP', ...rows];
    const { run, file, upload } = await setUp(packed.join('\n'));
    const edges = ['--column-edges', '8,16,29'];
    expect(inspection.parse((await run('inspect', file, ...edges)).summary())).toMatchObject({
      format: 'text',
      columnEdges: [8, 16, 29],
      rows: 2,
    });
    expect((await run('inspect', file, '--column-edges', '16,8')).code).toBe(2);
    expect((await run('inspect', file, '--column-edges', '8,,16')).code).toBe(2);
    const book = `${file}.xlsx`;
    await writeFile(book, workbook({ sheets: { One: '' } }));
    expect((await run('inspect', book, ...edges)).code).toBe(2);
    expect((await upload('--dry-run')).code).toBe(2);
    expect(summaryOf(await upload('--dry-run', ...edges))).toMatchObject({ rows: 2, rejected: 0 });
  });

  it('leaves no files behind for a file that it can’t read', async () => {
    const { run, file, work } = await setUp(Buffer.alloc(100));
    const ended = await run('inspect', file);
    expect(ended.code).toBe(2);
    expect(ended.error()).toMatchObject({ code: 'file_unsuitable' });
    expect(await readdir(work)).toEqual(['wits.csv']);
    expect(existsSync(file)).toBe(true);
  });
});
