// Reading files of other formats, each in its own process: `node test/bench/sources.ts [ROWS] [ROUNDS]`. Rates are of
// CPU time, including Node's threads, so that they hold for one core whatever else the machine does.
import { execFile } from 'node:child_process';
import { createWriteStream, readSync, openSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { writeXlsxStream } from 'hucre';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { openSource } from '../../src/main/core/tables/reading/source.ts';
import { adapters } from '../../src/main/core/tables/sources/readers.ts';
import { dlisFile, numbersChannel } from '../main/features/upload/support/dlis-files.ts';
import { data, format, lisFile, lisValue } from '../main/features/upload/support/lis-files.ts';
import { attempt, median, printFigure } from './support/figures.ts';

const columns = 12;
const names = ['Time', 'Well', ...Array.from({ length: columns - 2 }, (_, at) => `CH${at}`)];

/** The cost of reading a file. */
interface Cost {
  readonly rows: number;
  readonly cpuMs: number;
  /** In addition to that of the process before it read. */
  readonly residentBytes: number;
}

/** Reads a file in its detected format, and prints the {@link Cost}. */
async function readOne(path: string): Promise<void> {
  const start = Buffer.alloc(64 << 10);
  const length = readSync(openSync(path, 'r'), start);
  const adapter = adapters.find((each) => each.recognize(start.subarray(0, length), path));
  if (!adapter) throw new Error(`no format fits ${path}`);
  const idleKb = process.resourceUsage().maxRSS;
  const before = process.cpuUsage();
  using source = openSource(path, path);
  const file = await adapter.open(source, {});
  let rows = 0;
  for await (const batch of file.readRows(0)) rows += batch.length;
  file.close?.();
  const { user, system } = process.cpuUsage(before);
  const residentBytes = (process.resourceUsage().maxRSS - idleKb) * 1024;
  console.log(JSON.stringify({ rows, cpuMs: (user + system) / 1000, residentBytes } satisfies Cost));
}

async function costOf(path: string): Promise<Cost> {
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, 'read', path]);
  return JSON.parse(stdout) as Cost;
}

/** A value of a row, as text of varying length. */
const channel = (row: number, at: number): number => Math.round(Math.sin(row * (at + 1)) * 1e6) / 1000;

function* rowsOf(rows: number): Generator<(Date | string | number)[]> {
  for (let row = 0; row < rows; row++)
    yield [
      new Date(1_600_000_000_000 + row * 5000),
      `15/9-F-${row % 40}`,
      ...Array.from({ length: columns - 2 }, (_, at) => channel(row, at)),
    ];
}

/** Text of one line for each row, in chunks of 1,000 rows. */
function* lines(
  rows: number,
  before: string,
  line: (row: number) => string,
  after: string,
): Generator<string> {
  yield before;
  for (let row = 0; row < rows; row += 1000)
    yield Array.from({ length: Math.min(1000, rows - row) }, (_, at) => line(row + at)).join('');
  yield after;
}

const values = (row: number, separator: string): string =>
  Array.from({ length: columns - 1 }, (_, at) => channel(row, at).toFixed(3)).join(separator);

/** Curves of a well log: the depth, and channels of 32 bits. */
const logged = names.slice(1);

/** Writers of each file format. */
const writers: Readonly<Record<string, (path: string, rows: number) => Promise<void>>> = {
  las: (path, rows) => {
    const curves = ['DEPT', ...names.slice(1)].map((name) => ` ${name}.M : ${name}\n`).join('');
    const head = `~Version\n VERS. 2.0 :\n WRAP. NO :\n~Well\n NULL. -999.25 :\n~Curve\n${curves}~A\n`;
    const text = lines(rows, head, (row) => ` ${(row / 8).toFixed(4)}  ${values(row, '  ')}\n`, '');
    return pipeline(Readable.from(text), createWriteStream(path));
  },
  xml: (path, rows) => {
    const head = `<?xml version="1.0"?><logs xmlns="http://www.witsml.org/schemas/1series"><log><name>Log</name><logData><mnemonicList>${names.join(',')}</mnemonicList>`;
    const line = (row: number): string => `<data>2026-01-01T00:00:00.000Z,${values(row, ',')}</data>\n`;
    return pipeline(
      Readable.from(lines(rows, head, line, '</logData></log></logs>')),
      createWriteStream(path),
    );
  },
  xlsx: (path, rows) => {
    const format = names.map((header, at) => ({
      header,
      ...(at === 0 ? { numFmt: 'yyyy-mm-dd hh:mm:ss' } : {}),
    }));
    const stream = writeXlsxStream(rowsOf(rows), { name: 'Data', columns: format });
    return pipeline(Readable.from(stream), createWriteStream(path));
  },
  json: (path, rows) => {
    const line = (row: number): string =>
      `${row === 0 ? '' : ',\n'}{"_id":"${row}","data":{${names
        .slice(1)
        .map((name, at) => `"${name}":${channel(row, at)}`)
        .join(',')}}}`;
    return pipeline(Readable.from(lines(rows, '[\n', line, '\n]\n')), createWriteStream(path));
  },
  dlis: (path, rows) => {
    const channels = logged.map((name, at) =>
      numbersChannel(
        name,
        Array.from({ length: rows }, (_, row) => (at === 0 ? row / 8 : channel(row, at))),
        'm',
      ),
    );
    return writeFile(path, dlisFile([{ frames: [{ name: 'MAIN', indexType: 'BOREHOLE-DEPTH', channels }] }]));
  },
  lis: (path, rows) => {
    const records = Array.from({ length: Math.ceil(rows / 20) }, (_, record) =>
      data(
        ...Array.from(
          { length: Math.min(20, rows - record * 20) },
          (_frame, frame) => record * 20 + frame,
        ).flatMap((row) => logged.map((_name, at) => lisValue.float(at === 0 ? row / 8 : channel(row, at)))),
      ),
    );
    const curves = logged.map((_, at) => ({ name: `CH${at}`, unit: 'M', code: 68, size: 4 }));
    return writeFile(path, lisFile([[format(curves), ...records]]));
  },
  parquet: (path, rows) => {
    const columnData = names.slice(2).map((name, at) => ({
      name,
      data: Array.from({ length: rows }, (_, row) => channel(row, at)),
    }));
    return writeFile(path, new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 16_000 })));
  },
};

/** The goal: bytes or rows per second of one core. */
const goals: Readonly<
  Record<string, { readonly name: string; readonly unit: 'MB/s' | 'rows/s'; readonly goal: string }>
> = {
  las: { name: 'reading LAS', unit: 'MB/s', goal: '≥ 20' },
  xml: { name: 'reading WITSML', unit: 'MB/s', goal: '≥ 20' },
  xlsx: { name: `reading .xlsx, rows × ${columns}`, unit: 'rows/s', goal: '≥ 40000' },
  dlis: { name: 'reading DLIS', unit: 'MB/s', goal: '≥ 25' },
  lis: { name: 'reading LIS', unit: 'MB/s', goal: '≥ 25' },
  json: { name: 'reading a JSON array', unit: 'MB/s', goal: '' },
  parquet: { name: 'reading Parquet', unit: 'rows/s', goal: '' },
};

async function measureAll(rows: number, rounds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'wellbench-bench-'));
  try {
    for (const [ending, { name, unit, goal }] of Object.entries(goals))
      await attempt(name, async () => {
        const path = join(folder, `table.${ending}`);
        await writers[ending]?.(path, rows);
        const costs: Cost[] = [];
        for (let round = 0; round < rounds; round++) costs.push(await costOf(path));
        if (costs.some((cost) => cost.rows !== rows))
          throw new Error(`${costs[0]?.rows} of ${rows} rows were read`);
        const size = unit === 'MB/s' ? statSync(path).size / 1e6 : rows;
        const ours = median(costs.map(({ cpuMs }) => size / (cpuMs / 1000)));
        printFigure({ name: `${name}, in a second of one core`, ours, floor: null, unit, goal });
        const memory = Math.max(...costs.map(({ residentBytes }) => residentBytes)) / 1e6;
        printFigure({
          name: `${name}, resident memory over idle`,
          ours: memory,
          floor: null,
          unit: 'MB',
          goal: '≤ 250',
        });
        await rm(path);
      });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[2] === 'read') await readOne(process.argv[3] ?? '');
else await measureAll(Number(process.argv[2] ?? 300_000), Number(process.argv[3] ?? 3));
