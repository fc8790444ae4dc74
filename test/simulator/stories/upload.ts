import { createHash } from 'node:crypto';
import { exportRequest } from '../../../src/shared/export/export.ts';
import { append, maxOf } from '../../../src/shared/lists.ts';
import { isStopped } from '../../../src/shared/jobs/job-states.ts';
import type { Job, UploadJob } from '../../../src/shared/jobs/jobs.ts';
import type { UploadResult } from '../../../src/shared/upload/result.ts';
import { uploadRequest } from '../../../src/shared/upload/upload.ts';
import { targetAt } from '../../../src/main/core/files/files.ts';
import type { JsonObject } from '../../../src/shared/json.ts';
import { manyRecords, type Application } from '../application.ts';
import { dataFolder, homeFolder, openStage, runLives, type Ending, type Stage } from '../history.ts';
import type { FileChange, OtherUpload, UploadStory } from '../plan.ts';
import { staleMs, type Stored } from '../world/link.ts';
import { rowsOfCsv } from '../../support/csv-rows.ts';

// A file is uploaded, whatever happens meanwhile, by one computer or by two. The oracle knows the files, what the service
// stored, and what the jobs say at their end with their rejected rows; it reads nothing else, and uses nothing of the engines.

const dataset = { provider: 'demo', dataset: 'uploads.time' };
const address = 'demo/uploads.time';
const well = 5001;
const start = Date.UTC(2020, 0, 1);
const path = `${homeFolder}/rig 7.csv`;
const rejectsPath = `${homeFolder}/rejected.csv`;
const header = 'asset_id,timestamp,version,data.n';

interface FileRow {
  readonly time: number;
  readonly value: number;
  /** Whether its time can't be read. */
  readonly isBad: boolean;
}

function rowsOf({ rows, repeatEvery, badEvery }: UploadStory): FileRow[] {
  const all: FileRow[] = [];
  for (let n = 0; n < rows; n += 1) {
    const before = all.at(-1);
    const repeats = before && repeatEvery > 0 && n % repeatEvery === 0;
    all.push({
      time: repeats ? before.time : start + n * 1000,
      value: repeats ? before.value : n,
      isBad: badEvery > 0 && n % badEvery === badEvery - 1,
    });
  }
  return all;
}

const moved = (rows: readonly FileRow[], ms: number, by: number): FileRow[] =>
  rows.map((row) => ({ ...row, time: row.time + ms, value: row.value + by }));

/** The rows of a second computer, whose values no changed file has. */
const rowsOfOther: Record<OtherUpload['rows'], (rows: readonly FileRow[]) => FileRow[]> = {
  same: (rows) => [...rows],
  overlap: (rows) => [...moved(rows, -3_600_000, 1e5), ...rows.slice(rows.length >> 1)],
  between: (rows) => moved(rows, 500, 1e5),
  values: (rows) => moved(rows, 0, 1e5),
};

const edited = (rows: readonly FileRow[]): FileRow[] =>
  rows.map((row, at) => (at < rows.length >> 1 ? row : { ...row, value: row.value ^ 1 }));

/** What the rows are after the person has changed the file; null: it is gone. */
const rowsAfter: Record<FileChange['kind'], (rows: readonly FileRow[]) => FileRow[] | null> = {
  edit: edited,
  hidden_edit: edited,
  append: (rows) => [...rows, ...moved(rows.slice(0, 3), 7_200_000, 0)],
  truncate: (rows) => rows.slice(0, Math.ceil(rows.length / 2)),
  replace: (rows) => moved(rows, 0, 1e6),
  delete: () => null,
  touch: (rows) => [...rows],
};

const textOf = ({ time, value, isBad }: FileRow): string =>
  `${well},${isBad ? '"soon, or ""later"""' : time},1,${value}`;

/** What a file has, or had. */
interface Content {
  readonly rows: readonly FileRow[];
  readonly bytes: Buffer;
  readonly sha256: string;
  /** How often it has each row that can be stored. */
  readonly counts: ReadonlyMap<string, number>;
}

function contentOf(rows: readonly FileRow[]): Content {
  const bytes = Buffer.from([header, ...rows.map(textOf), ''].join('\n'));
  const counts = countsOf(rows.filter(({ isBad }) => !isBad).map(keyOfRow));
  return { rows, bytes, sha256: createHash('sha256').update(bytes).digest('hex'), counts };
}

const recordOf = ({ time, value }: FileRow): JsonObject => ({
  asset_id: well,
  timestamp: time,
  version: 1,
  data: { n: value },
});

/** What makes records equal. */
const keyOf = (time: unknown, value: unknown): string => `${String(time)} ${String(value)}`;
const keyOfRow = ({ time, value }: FileRow): string => keyOf(time, value);
const keyOfStored = ({ record }: Stored): string => {
  const data = record['data'];
  return keyOf(
    record['timestamp'],
    typeof data === 'object' && data !== null && 'n' in data ? data['n'] : null,
  );
};

function countsOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Runs the history. @returns what the oracle objects to; empty: nothing */
export async function runUpload(plan: UploadStory): Promise<string[]> {
  const stage = openStage(plan);
  const rows = rowsOf(plan);
  const readable = rows.filter(({ isBad }) => !isBad);
  stage.link.put(address, readable.slice(0, plan.storedBefore).map(recordOf));
  const { other } = plan;
  const one = new Uploader(plan, stage, rows);
  const second =
    other &&
    new Uploader(
      { ...plan, lives: other.lives, existing: other.existing, disk: [], fileChange: null },
      openStage(plan, stage),
      rowsOfOther[other.rows](rows),
    );
  await stage.world.run(Promise.all([one.upload(0), second?.upload(other?.delayMs ?? 0)]));
  return second ? [...one.judge(second.stored), ...second.judge(one.stored)] : one.judge([]);
}

/** Whether an answer or a process was lost, or lied: without that, nothing may be unknown. */
const mayStayUnknown = ({ requests, lives, disk }: UploadStory): boolean =>
  requests.length > 0 ||
  disk.length > 0 ||
  lives.some(({ death, cancelAfterMs }) => death !== null || cancelAfterMs !== null);

/** A computer that uploads a file. */
class Uploader {
  readonly #plan: UploadStory;
  readonly #stage: Stage;
  /** All that its file ever had. */
  readonly #contents: Content[] = [];
  /** The present content; null: no file. */
  #current: Content | null;
  /** When its first job did, in milliseconds of the world. */
  #startedAt = Number.POSITIVE_INFINITY;
  #ending: Ending = { job: null, all: [], refused: null, isEnd: false };
  /** Those for which the jobs were planned. */
  readonly #contentOfJob = new Map<string, Content>();
  readonly #contentOfProcess = new Map<string, Content>();
  /** Those of discarded jobs, too. */
  readonly #ledgers = new Map<string, UploadResult['ledger']>();
  /** Whether reads showed all that was stored when its job stopped. */
  #isShown = false;
  readonly #objections: string[] = [];

  constructor(plan: UploadStory, stage: Stage, rows: readonly FileRow[]) {
    this.#plan = plan;
    this.#stage = stage;
    this.#current = contentOf(rows);
    this.#contents.push(this.#current);
    stage.computer.disk.place(path, this.#current.bytes);
  }

  async upload(delayMs: number): Promise<void> {
    let lives = -1;
    if (delayMs > 0) await this.#stage.world.wait(delayMs);
    this.#ending = await runLives({
      plan: this.#plan,
      stage: this.#stage,
      batchRows: this.#plan.batchRows,
      isTwice: this.#plan.isTwice,
      start: (app) => this.#begin(app),
      onRun: (id, process) => this.#noteRun(id, process),
      onStop: (job) => this.#noteStop(job),
      abandons: (job) => this.#abandons(job),
      afterEnd: (app) => this.#exportAfterwards(app),
      onEnd: () => this.#changeFile((lives += 1)),
    });
  }

  async #begin(app: Application) {
    const { existing, settleSeconds, concurrency, choosesRejects } = this.#plan;
    this.#startedAt = Math.min(this.#startedAt, this.#stage.world.now);
    // An earlier job may have written it.
    const rejects = targetAt(rejectsPath, this.#contents.length > 1);
    return app.upload.start(
      uploadRequest.parse({
        connection: 'simulated',
        ...dataset,
        source: await app.source(path),
        existing,
        settleSeconds,
        concurrency,
        ...(choosesRejects && { rejects: app.files.grantTarget(rejects).token }),
      }),
      {},
    );
  }

  /** Finishes so many other jobs that the upload is an old one, which is removed unless something is lost with it. */
  async #exportAfterwards(app: Application): Promise<void> {
    const { jobs } = this.#plan.retention;
    if (!this.#stage.link.isCalm || jobs > 10) return;
    for (let n = 0; n <= jobs; n += 1) {
      const target = app.files.grantTarget(targetAt(`${homeFolder}/after ${n}.csv`)).token;
      const request = {
        connection: 'simulated',
        ...dataset,
        format: 'csv',
        query: '{"asset_id": 1}',
        target,
      };
      const { job } = await app.export.start(exportRequest.parse(request), {});
      await app.runner.waitUntilStopped(job);
    }
    await app.runner.close();
  }

  /** Lets the person change the file after a life, and some milliseconds. */
  #changeFile(lives: number): void {
    const { world, computer } = this.#stage;
    const { fileChange } = this.#plan;
    const [original] = this.#contents;
    if (fileChange?.after !== lives || !original) return;
    const { kind, delayMs } = fileChange;
    const change = (): void => {
      world.note(`the person changes the file: ${kind}`, computer.name);
      const rows = rowsAfter[kind](original.rows);
      this.#current = rows && contentOf(rows);
      if (kind === 'replace' || kind === 'delete') computer.disk.displace(path);
      if (!this.#current) return;
      const modifiedMs = computer.disk.find(path)?.modifiedMs;
      computer.disk.place(path, this.#current.bytes);
      if (kind === 'hidden_edit') computer.disk.at(path, 'utimes').modifiedMs = modifiedMs ?? 0;
      if (this.#current.sha256 !== original.sha256) this.#contents.push(this.#current);
    };
    // While a job runs, nobody notices such a change.
    world.after(kind === 'hidden_edit' ? 0 : delayMs, change, null);
  }

  #noteRun(id: string, process: string): void {
    const { disk } = this.#stage.computer;
    const text = disk.contentOf(`${dataFolder}/jobs/${id}/plan.json`)?.toString() ?? '{}';
    const { plan }: { plan?: { source: { sha256: string } } } = JSON.parse(text);
    const content = this.#contents.find(({ sha256 }) => sha256 === plan?.source.sha256);
    if (!content) return;
    this.#contentOfJob.set(id, content);
    this.#contentOfProcess.set(process, content);
  }

  /** What a ledger says is always the whole file. */
  #noteStop(job: Job): void {
    if (job.kind !== 'upload' || !job.result) return;
    const { link } = this.#stage;
    const { id, result } = job;
    this.#isShown = link.isCalm || (this.#plan.requests.length === 0 && link.lagMs === 0);
    this.#ledgers.set(id, result.ledger);
    const { accepted, rejected, unknown, pending } = result.ledger;
    const sum = accepted + rejected + unknown + pending;
    const rows = this.#contentOfJob.get(id)?.rows.length;
    if (sum !== rows) this.#objections.push(`the ledger has ${sum} of ${rows} rows`);
  }

  /** A job whose file is another one now, or gone, can't go on. */
  #abandons(job: Job): boolean {
    const { state, error } = job;
    // A process that noticed it may have died at once.
    this.#noteStop(job);
    const isRefused = error?.code === 'file_changed' || error?.code === 'file_unreadable';
    return isStopped(state) && isRefused && (this.#contents.length > 1 || !this.#current);
  }

  /** The records that it stored. */
  get stored(): Stored[] {
    const { link, process } = this.#stage;
    return link.present(address).filter(({ by }) => by.startsWith(`${process} `));
  }

  /** @param others the records that another computer stored */
  judge(others: readonly Stored[]): string[] {
    const { link, computer } = this.#stage;
    const { job, all, refused } = this.#ending;
    const objections = this.#objections;
    append(objections, this.#stage.losses);
    const after = computer.disk.contentOf(path);
    if (this.#current ? !after?.equals(this.#current.bytes) : after)
      objections.push('the file of the user has changed');
    this.#judgeRecords(others);
    if (job?.kind !== 'upload') {
      const isGone = !this.#current && refused?.startsWith('file_unreadable') === true;
      const rows = this.#contents.at(-1)?.rows ?? [];
      // Times that mostly can't be read need a format.
      const isUnclear = rows.filter(({ isBad }) => isBad).length * 2 >= rows.length;
      const asksFormat = refused?.startsWith('invalid_input: mapping.columns.timestamp.format') === true;
      return isGone || (isUnclear && asksFormat)
        ? objections
        : [...objections, `there is no job at the end: ${refused ?? 'no reason'}`];
    }
    const { result, state, error } = job;
    const content = this.#contentOfJob.get(job.id);
    if (!result || !content)
      return [...objections, `the job has no result, or no file: ${state} ${error?.message ?? ''}`];
    for (const one of all)
      if (one.kind === 'upload' && one.result) this.#ledgers.set(one.id, one.result.ledger);
    this.#judgeLedgers(others);
    const { rejected, unknown, pending } = result.ledger;
    if (state === 'done') {
      // Rows of which nothing is known stay so, and are shown; everything else comes to its end.
      if (pending > 0) objections.push(`a job that is done has ${pending} pending rows`);
      const stored = countsOf(link.present(address).map(keyOfStored));
      let missing = 0;
      for (const [key, count] of content.counts) missing += Math.max(0, count - (stored.get(key) ?? 0));
      const bad = content.rows.filter(({ isBad }) => isBad).length;
      if (missing > rejected - bad + unknown)
        objections.push(
          `${missing} rows are not stored, and ${rejected - bad + unknown} of them are said to be rejected or unknown`,
        );
      if (unknown > 0 && !mayStayUnknown(this.#plan))
        objections.push(`${unknown} rows are unknown without a reason`);
      this.#judgeWarning(result, others);
    } else if (state !== 'failed' || (unknown === 0 && rejected === 0))
      objections.push(
        `the job doesn’t end although all goes well: ${state} ${error?.code ?? ''} ${error?.message ?? ''}`,
      );
    this.#judgeRejects(job, content, rejected);
    return objections;
  }

  /** Each record is a row of the file that its job was planned for, and no row is stored more often than it may. */
  #judgeRecords(others: readonly Stored[]): void {
    const isSkipping = this.#plan.existing === 'skip';
    const present = this.#stage.link.present(address);
    const planned = [...new Set(this.#contentOfJob.values())];
    const earlier = countsOf(
      [
        ...present.filter(({ by }) => by === 'somebody else'),
        ...others.filter(({ at }) => at + staleMs < this.#startedAt),
      ].map(keyOfStored),
    );
    for (const stored of this.stored)
      if (this.#contentOfProcess.get(stored.by)?.counts.has(keyOfStored(stored)) !== true)
        this.#objections.push(`a record isn’t a row of the file of its job: ${keyOfStored(stored)}`);
    for (const [key, count] of countsOf(this.stored.map(keyOfStored))) {
      const inFiles = planned.map(({ counts }) => counts.get(key) ?? 0);
      const inFile = inFiles.reduce((sum, one) => (isSkipping ? Math.max(sum, one) : sum + one), 0);
      const most = isSkipping ? Math.max(0, inFile - (earlier.get(key) ?? 0)) : inFile;
      if (count > most) this.#objections.push(`stored ${count} times, at most ${most} expected: ${key}`);
    }
  }

  #judgeLedgers(others: readonly Stored[]): void {
    let [sent, unknown] = [0, 0];
    for (const ledger of this.#ledgers.values()) {
      sent += ledger.accepted - ledger.skipped;
      unknown += ledger.unknown;
    }
    const stored = this.stored.length;
    // A row without an answer may be found as that of another computer: it is stored.
    const contents = [...this.#contentOfJob.values()];
    const alike = others.filter((other) => contents.some(({ counts }) => counts.has(keyOfStored(other))));
    if (stored + alike.length < sent)
      this.#objections.push(`${sent} rows are said to be stored, and ${stored} are`);
    // A job that another one replaced isn't resumed, and can't know of its last rows; one that ended may have been removed
    // as old before anybody read it.
    const isUnread = [...this.#contentOfJob.keys()].some((id) => !this.#ledgers.has(id));
    const isReplaced =
      this.#plan.isTwice && (isUnread || this.#ending.all.some(({ state }) => state !== 'done'));
    if (stored > sent + unknown && !isReplaced)
      this.#objections.push(
        `${stored} rows are stored, and the jobs know of ${sent}, and of ${unknown} unknown ones`,
      );
  }

  /** The file of rejected rows has each of them once, as it was, with its line and a reason. */
  #judgeRejects({ id, artifacts }: UploadJob, { rows }: Content, rejected: number): void {
    const artifact = artifacts.find(({ kind }) => kind === 'rejects');
    const place = this.#plan.choosesRejects ? rejectsPath : `${dataFolder}/jobs/${id}/${artifact?.name}`;
    const content = artifact ? this.#stage.computer.disk.contentOf(place) : Buffer.alloc(0);
    const [first = '', ...lines] = content?.toString().split('\n').slice(0, -1) ?? [];
    const rejects = new Map<number, FileRow>();
    for (const text of lines) {
      const [line = '', code, message] = rowsOfCsv(`${text}\n`)[0]?.slice(-3) ?? [];
      const row = rows[Number(line) - 2];
      if (row && code && message && text.startsWith(`${textOf(row)},${line},`))
        rejects.set(Number(line), row);
      else this.#objections.push(`a rejected row isn’t that of its line, or has no reason: ${text}`);
    }
    const isWhole = content?.length === artifact?.bytes && first.startsWith(`${header},rejected_line,`);
    if (rejects.size !== rejected || lines.length !== rejected || (rejected > 0 && !isWhole))
      this.#objections.push(
        `${rejected} rows are rejected, and the file of them has ${lines.length} in ${content?.length ?? 0} bytes, of which the job knows ${artifact?.bytes ?? 0}`,
      );
    if (rows.some(({ isBad }, at) => isBad && !rejects.has(at + 2)))
      this.#objections.push('a row that can’t be read is not rejected');
    if (this.#ledgers.size > 1) return;
    const inFile = countsOf(rows.map(keyOfRow));
    const all = [...[...rejects.values()].map(keyOfRow), ...this.stored.map(keyOfStored)];
    for (const [key, count] of countsOf(all))
      if (count > (inFile.get(key) ?? 0)) this.#objections.push(`a rejected row is stored: ${key}`);
  }

  /** The upload that stores rows last says that another one stored them too. */
  #judgeWarning({ warnings, ledger }: UploadResult, others: readonly Stored[]): void {
    const hasWarning = warnings.some(({ code }) => code === 'stored_twice');
    const isSkipping = this.#plan.existing === 'skip';
    const { stored } = this;
    const keys = new Set(stored.map(keyOfStored));
    const alike = others.filter((other) => keys.has(keyOfStored(other)));
    if (hasWarning && alike.length === 0 && !this.#plan.isTwice)
      this.#objections.push('rows are said to be stored twice, and none are');
    // With `insert`, rows that others stored before are stored again.
    const since = isSkipping ? 0 : (stored[0]?.at ?? 0);
    const theirs = countsOf(alike.filter(({ at }) => at >= since).map(keyOfStored));
    const own = countsOf(stored.map(keyOfStored));
    const contents = [...this.#contentOfJob.values()];
    // It compares some of its rows, whichever. Equal rows of the file may be stored by either.
    const areTwice = [...own].every(([key, count]) => {
      const inFile = maxOf(contents.map(({ counts }) => counts.get(key) ?? 0));
      return (theirs.get(key) ?? 0) > 0 && count + (theirs.get(key) ?? 0) > inFile;
    });
    const isLast = (stored.at(-1)?.at ?? 0) > (others.at(-1)?.at ?? 0);
    // With `insert`, Wellbench doesn't read more existing records than that, and compares nothing with them.
    const existing = this.#plan.storedBefore + others.length;
    const isCompared = this.#plan.requests.length === 0 && existing <= manyRecords(this.#plan.batchRows);
    // The rows to compare are read from the file, which may have changed since they were sent.
    const isSame = this.#plan.fileChange === null;
    const isRead = isSame && this.#isShown && (isSkipping || isCompared);
    if (areTwice && isLast && isRead && ledger.unknown === 0 && !hasWarning)
      this.#objections.push('all its rows are stored twice, and it doesn’t say so');
  }
}
