import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { exportRequest } from '../../../src/shared/export/export.ts';
import type { JsonObject } from '../../../src/shared/json.ts';
import { isStopped } from '../../../src/shared/jobs/job-states.ts';
import type { ExportJob, Job } from '../../../src/shared/jobs/jobs.ts';
import type { Application } from '../application.ts';
import { homeFolder, openStage, runLives, type Ending, type NextStep, type Stage } from '../history.ts';
import type { LateChange, MirrorStory } from '../plan.ts';
import type { Disk } from '../world/disk.ts';
import { staleMs, type Link, type Stored } from '../world/link.ts';
import { Process } from '../world/machine.ts';
import { openRealFolder } from '../world/tables.ts';

// A folder is written, and brought up to date, while records come late, are removed, and move. The oracle reads the log of
// the folder and its files with a few lines of its own, after each life, and compares them with what the service has.

const address = 'demo/uploads.time';
const request = { connection: 'simulated', provider: 'demo', dataset: 'uploads.time', format: 'parquet' };
/** Near the end of a month. */
const start = Date.UTC(2021, 0, 30, 5);
const dayMs = 86_400_000;
const firstWell = 5001;
/** One that has no records at first. */
const otherWell = 5004;
const folder = `${homeFolder}/mirror`;
const log = `${folder}/_delta_log`;
const usersFile = Buffer.from('a file of the user');

function recordsOf({ records, wells, days, wrongTimeEvery }: MirrorStory): JsonObject[] {
  const stepMs = Math.floor((days * dayMs) / records);
  return Array.from({ length: records }, (_, n) => ({
    asset_id: firstWell + (n % wells),
    timestamp: wrongTimeEvery > 0 && n % wrongTimeEvery === 4 ? -3e12 + n : start + n * stepMs,
    version: 1,
    data: { n, text: n % 7 === 0 ? `a "text", ${n}` : null },
  }));
}

/** Values of other types than those before. */
const values = [2.5, 'text', true, 7, '8', null] as const;

function change(link: Link, { kind, place, records }: LateChange): void {
  if (kind !== 'grow' && kind !== 'well') {
    link.change({ kind, place, records });
    return;
  }
  const present = link.present(address);
  const like = present[Math.floor(place * present.length)];
  const time = Number(like?.record['timestamp'] ?? start);
  const added = Array.from({ length: records }, (_, at) => ({
    asset_id: kind === 'well' ? otherWell : (like?.record['asset_id'] ?? firstWell),
    timestamp: time + at * 60_000,
    version: 1,
    data:
      kind === 'well'
        ? { n: 2e6 + at }
        : {
            n: 3e6 + at,
            text: at % 2 === 0 ? at : 'late',
            m: values[Math.floor(place * 60 + at) % values.length] ?? null,
          },
  }));
  link.put(address, added);
}

/** Runs the history. @returns what the oracle objects to; empty: nothing */
export async function runMirror(plan: MirrorStory): Promise<string[]> {
  const stage = openStage(plan);
  const { link, computer, world } = stage;
  const { disk } = computer;
  link.put(address, recordsOf(plan));
  link.changes = plan.changes;
  const objections: string[] = [];
  const files = new Map<string, Buffer>();
  const placeFile = (path: string): void => {
    disk.place(path, usersFile);
    files.set(path, usersFile);
  };
  if (plan.hasFile) placeFile(`${folder}/photo.jpg`);

  /** When each job was started, in milliseconds of the world. */
  const startedAt = new Map<string, number>();
  const startedInCalm = new Set<string>();
  const startsOf = new Map<Application, number>();
  let turns = 0;
  let waiting = plan.lateChanges;
  /** The last version of the log that a job was done with. */
  let doneVersion = -1;

  async function next(app: Application, all: readonly Job[]): Promise<NextStep> {
    turns += 1;
    if (plan.pause?.at === turns) await Process.caller().sleep(plan.pause.days * dayMs);
    const due = waiting.filter(({ at }) => at <= turns || link.isCalm);
    for (const late of due) change(link, late);
    waiting = waiting.filter((late) => !due.includes(late));
    if (!link.isCalm || due.length > 0)
      await Process.caller().sleep(link.isCalm ? 2 * staleMs : world.chance.scale(1000, 400_000));
    if (!plan.hasFile && files.size === 0 && versionsOf(disk).length > 0) {
      placeFile(`${folder}/notes.txt`);
      placeFile(`${folder}/asset_id=${firstWell}/mine.parquet`);
    }
    const stopped = all.filter(({ state }) => isStopped(state)).at(-1);
    if (stopped && stopped.error?.code !== 'invalid_input' && (link.isCalm || !plan.discards))
      return { resume: stopped.id };
    if (all.some(({ id, state }) => startedInCalm.has(id) && state === 'done')) return 'end';
    for (const { id, state } of all)
      if (isStopped(state)) {
        stage.discarded.add(id);
        await app.runner.discard(id);
      }
    const starts = (startsOf.get(app) ?? 0) + 1;
    startsOf.set(app, starts);
    return starts > plan.jobsOfLife && !link.isCalm ? 'end' : 'start';
  }

  async function begin(app: Application): Promise<{ readonly job: string }> {
    const { form, partition, overlapMs, concurrency } = plan;
    const at = world.now;
    const place = { path: folder, name: 'mirror', replaces: form !== 'mirror' };
    const started = await app.export.start(
      exportRequest.parse({
        ...request,
        partition,
        concurrency,
        target: app.files.grantFolder(place).token,
        ...(form === 'mirror' && { mirror: { overlapMs } }),
      }),
      {},
    );
    startedAt.set(started.job, at);
    if (link.isCalm) startedInCalm.add(started.job);
    return started;
  }

  async function judgeJob(job: Job): Promise<void> {
    if (job.kind !== 'export' || job.state !== 'done') return;
    doneVersion = Math.max(doneVersion, lastVersion(disk));
    // Another process may be writing.
    if (plan.isTwice && !link.isCalm) return;
    const began = startedAt.get(job.id);
    const isStill = began !== undefined && lastChange(link) + staleMs < began;
    objections.push(...(await world.outside(judgeResult(plan, stage, job, isStill))));
  }

  const ending = await world.run(
    runLives({
      plan,
      stage,
      isTwice: plan.isTwice,
      start: begin,
      next,
      onStop: judgeJob,
      onEnd() {
        objections.push(...objectionsToFolder(disk));
        if (lastVersion(disk) < doneVersion) objections.push('a version of a job that was done is gone');
        for (const [path, content] of files)
          if (disk.contentOf(path)?.equals(content) !== true)
            objections.push('a file of the user has changed');
      },
    }),
  );
  return [...stage.losses, ...objections, ...judgeEnding(plan, ending, startedInCalm)];
}

function judgeEnding(
  { hasFile }: MirrorStory,
  { all, refused, isEnd }: Ending,
  startedInCalm: ReadonlySet<string>,
): string[] {
  if (hasFile) return all.length > 0 ? ['a folder of the user was written'] : [];
  if (isEnd && all.some(({ id }) => startedInCalm.has(id))) return [];
  const last = all.at(-1);
  return [
    `no update ends although all goes well: ${refused ?? ''} ${last?.state ?? 'no job'} ${last?.error?.code ?? ''} ${last?.error?.message ?? ''}`,
  ];
}

/** When the service last changed, in milliseconds of the world. */
const lastChange = (link: Link): number =>
  link.stored(address).reduce((last, { at, removedAt }) => Math.max(last, at, removedAt ?? 0), 0);

// The folder, as any reader of Delta has it

interface AddedFile {
  readonly path: string;
  readonly size: number;
  readonly partitionValues: Readonly<Record<string, string | null>>;
  readonly stats?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

interface LogLine {
  readonly add?: AddedFile | null;
  readonly remove?: { readonly path: string } | null;
  readonly metaData?: { readonly configuration: Readonly<Record<string, string>> } | null;
}

interface Table {
  readonly files: ReadonlyMap<string, AddedFile>;
  readonly configuration: Readonly<Record<string, string>>;
}

const namesIn = (disk: Disk, path: string): string[] => [...(disk.find(path)?.entries.keys() ?? [])];
const versionsOf = (disk: Disk, name = /^(\d{20})\.json$/): number[] =>
  namesIn(disk, log)
    .flatMap((entry) => {
      const digits = name.exec(entry)?.[1];
      return digits === undefined ? [] : Number(digits);
    })
    .toSorted((a, b) => a - b);
const checkpointsOf = (disk: Disk): number[] => versionsOf(disk, /^(\d{20})\.checkpoint\.parquet$/);
const lastVersion = (disk: Disk): number => versionsOf(disk).at(-1) ?? -1;
const nameOf = (version: number, end: string): string => `${log}/${String(version).padStart(20, '0')}.${end}`;

/** @param checkpoint the lines of the checkpoint to begin with */
function replay(disk: Disk, from: number, checkpoint: readonly string[]): Table {
  const files = new Map<string, AddedFile>();
  let configuration: Table['configuration'] = {};
  const texts = Array.from({ length: lastVersion(disk) - from }, (_, at) => {
    const content = disk.contentOf(nameOf(from + 1 + at, 'json'));
    if (!content) throw new Error(`version ${from + 1 + at} of the log is missing`);
    return content.toString();
  });
  for (const line of [...checkpoint, ...texts.flatMap((text) => text.trimEnd().split('\n'))]) {
    const { add, remove, metaData }: LogLine = JSON.parse(line);
    if (metaData) ({ configuration } = metaData);
    if (add) files.set(decodeURIComponent(add.path), add);
    if (remove) files.delete(decodeURIComponent(remove.path));
  }
  return { files, configuration };
}

/** What the folder lists is there, whole, at any moment at which nobody writes. */
function objectionsToFolder(disk: Disk): string[] {
  const objections: string[] = [];
  const check = (path: string, size: number, sha256: string | undefined): void => {
    const content = disk.contentOf(`${folder}/${path}`);
    if (!content) objections.push('a file of the log is missing');
    else if (content.length !== size) objections.push('a file of the log has another size');
    else if (sha256 !== undefined && createHash('sha256').update(content).digest('hex') !== sha256)
      objections.push('a file of the log has another content');
  };
  try {
    if (versionsOf(disk)[0] === 0)
      for (const [path, { size, tags }] of replay(disk, -1, []).files) check(path, size, digestIn(tags));
  } catch (error) {
    objections.push(`the folder can’t be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return objections;
}

function digestIn(tags: AddedFile['tags']): string | undefined {
  const text = tags?.['wellbench'];
  if (text === undefined) return undefined;
  const { sha256 }: { sha256: string } = JSON.parse(text);
  return sha256;
}

// Its records

/** The engine of the oracle. */
let engine: Promise<DuckDBConnection> | null = null;

async function connect(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(`SET TimeZone = 'UTC'`);
  return connection;
}

/** The rows of a Parquet file, as JSON. */
async function rowsOfParquet(contents: readonly Buffer[]): Promise<string[][]> {
  engine ??= connect();
  const connection = await engine;
  const real = openRealFolder();
  try {
    const all: string[][] = [];
    for (const [at, content] of contents.entries()) {
      const path = `${real.path}/${at}.parquet`;
      writeFileSync(path, content);
      const reader = await connection.runAndReadAll(
        `SELECT CAST(to_json(r) AS VARCHAR) FROM read_parquet('${path}', hive_partitioning = false) AS r`,
      );
      all.push(reader.getRows().map(([json]) => String(json)));
    }
    return all;
  } finally {
    real.remove();
  }
}

interface FileRow {
  readonly partition: Readonly<Record<string, string | null>>;
  readonly cells: Readonly<Record<string, unknown>>;
}

interface FolderRows {
  readonly rows: readonly FileRow[];
  /** The columns of each field. */
  readonly columnsOf: (field: string) => readonly string[];
}

interface StoredColumn {
  readonly path: string;
  readonly fields: readonly { readonly name: string }[];
}

async function readFolder(disk: Disk, objections: string[]): Promise<FolderRows> {
  const contentOf = (path: string): Buffer => disk.contentOf(`${folder}/${path}`) ?? Buffer.alloc(0);
  const checkpoint = checkpointsOf(disk).at(-1) ?? -1;
  const whole = versionsOf(disk)[0] === 0 ? replay(disk, -1, []) : null;
  const [lines = []] =
    checkpoint < 0
      ? []
      : await rowsOfParquet([disk.contentOf(nameOf(checkpoint, 'checkpoint.parquet')) ?? Buffer.alloc(0)]);
  const later = checkpoint < 0 ? null : replay(disk, checkpoint, lines);
  const table = later ?? whole;
  if (!table) throw new Error('the log has no beginning');
  const listed = (of: Table | null): string => JSON.stringify([...(of?.files.keys() ?? [])].toSorted());
  if (whole && later && listed(whole) !== listed(later))
    objections.push('a checkpoint has other files than the commits');
  const files = [...table.files];
  const read = await rowsOfParquet(files.map(([path]) => contentOf(path)));
  const rows = files.flatMap(([path, { partitionValues, stats }], at) => {
    const ofFile = read[at] ?? [];
    const { numRecords }: { numRecords?: number } = JSON.parse(stats ?? '{}');
    if (numRecords !== ofFile.length)
      objections.push('the statistics of a file have another number of records');
    if (JSON.stringify(valuesIn(path)) !== JSON.stringify(partitionValues))
      objections.push('a file is in the folder of another partition');
    return ofFile.map((json) => ({ partition: partitionValues, cells: JSON.parse(json) }));
  });
  const { columns }: { columns: StoredColumn[] } = JSON.parse(
    table.configuration['wellbench.table'] ?? '{"columns":[]}',
  );
  return {
    rows,
    columnsOf: (field) => columns.find(({ path }) => path === field)?.fields.map(({ name }) => name) ?? [],
  };
}

/** The values in the path of a file. */
function valuesIn(path: string): Record<string, string | null> {
  const pairs = path.split('/').slice(0, -1);
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return [name, value === '__HIVE_DEFAULT_PARTITION__' ? null : decodeURIComponent(value)];
    }),
  );
}

const timeOf = (value: unknown): number =>
  typeof value === 'string' ? Date.parse(`${value.replace(' ', 'T')}:00`) : Number(value);

/** What a row says of its record, with the fields in which records differ. */
function rowText({ partition, cells }: FileRow, columnsOf: FolderRows['columnsOf']): string {
  const value = (field: string): string => {
    const names = columnsOf(field);
    return String(
      names.map((name) => cells[name]).find((cell) => cell !== null && cell !== undefined) ?? null,
    );
  };
  return JSON.stringify([
    partition['asset_id'] === undefined ? value('asset_id') : partition['asset_id'],
    timeOf(columnsOf('timestamp').map((name) => cells[name])[0]),
    value('data.n'),
    value('data.text'),
    value('data.m'),
  ]);
}

function recordText({ record }: Stored): string {
  const { data } = record;
  const value = (name: string): string =>
    String((typeof data === 'object' && data !== null && !Array.isArray(data) ? data[name] : null) ?? null);
  return JSON.stringify([
    String(record['asset_id']),
    record['timestamp'],
    value('n'),
    value('text'),
    value('m'),
  ]);
}

const earliest = Date.UTC(1950, 0, 1);

/** @param isStill whether nobody has changed the records since a while before the job began */
async function judgeResult(
  { form, partition }: MirrorStory,
  { link, computer: { disk } }: Stage,
  { result }: ExportJob,
  isStill: boolean,
): Promise<string[]> {
  if (!result) return ['a job that is done has no result'];
  const objections = objectionsToFolder(disk);
  if (objections.length > 0) return objections;
  const { rows, columnsOf } = await readFolder(disk, objections);
  const known = new Map(link.stored(address).map((stored) => [stored.id, stored]));
  const seen = new Set<string>();
  for (const row of rows) {
    const id = String(row.cells['_id']);
    const stored = known.get(id);
    if (!stored) objections.push('a record that never was');
    else if (rowText(row, columnsOf) !== recordText(stored))
      objections.push(`a record that was another: ${rowText(row, columnsOf)}, not ${recordText(stored)}`);
    if (seen.has(id)) objections.push('a record twice');
    seen.add(id);
    const time = Number(stored?.record['timestamp']);
    const date = time < earliest ? null : new Date(time).toISOString();
    for (const [key, length] of [
      ['day', 10],
      ['month', 7],
    ] as const)
      if (partition.some((name) => name === key) && row.partition[key] !== (date?.slice(0, length) ?? null))
        objections.push(`a record is in the partition of another ${key}`);
  }
  if (result.rows !== rows.length)
    objections.push(`the result says ${result.rows} rows, and the folder has ${rows.length}`);
  const verified = result.folder?.verified;
  if (form === 'mirror' && verified !== true && result.warnings.length === 0)
    objections.push('a mirror is not verified, without a word');
  if (!isStill) return objections;
  if (form === 'mirror' && link.isCalm && verified !== true)
    objections.push(`a mirror is not verified although all goes well: ${result.warnings.join(' ')}`);
  if (form === 'mirror' && verified !== true) return objections;
  const present = link.present(address);
  const missing = present.filter(({ id }) => !seen.has(id)).length;
  const removed = rows.length - (present.length - missing);
  if (missing > 0) objections.push(`${missing} of ${present.length} records are missing without a word`);
  if (removed > 0) objections.push(`${removed} records that were removed are there without a word`);
  return objections;
}
