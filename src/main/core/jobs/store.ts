import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import * as z from 'zod';
import { AppError, isAppError } from '../../../shared/errors/errors.ts';
import { isActive } from '../../../shared/jobs/job-states.ts';
import { jobFacts, jobId, jobKinds, type JobKind } from '../../../shared/jobs/jobs.ts';
import type { jobPageQuery } from '../../../shared/contract/jobs.ts';
import { mapEach, maxOf } from '../../../shared/lists.ts';
import { ledger } from '../../../shared/upload/result.ts';
import { renameFile, writeWhole, createFolder } from '../files/disk.ts';
import { appErrorFrom, isMissing, readFailureReason } from '../files/file-errors.ts';
import { isLocked, takeLock, withFileLock, type Lock } from '../files/lock.ts';
import { readOwnText } from '../files/regular-file.ts';
import { writeText } from '../files/shared-file.ts';
import { factsOf, hasKeys, idOf, JobIndex, keyOf, lineOf, type LookUp } from './job-index.ts';
import { noProgress } from './waits.ts';
import { readdir, rm, stat } from '../../world/files.ts';
import { randomBytes, randomNumber } from '../../world/random.ts';
import { sleep, wallMs } from '../../world/time.ts';

/** Files that are open at a time: a process may have few descriptors. */
const maxConcurrent = 16;

/** The results of work with files, in order. @throws the first error of `work` */
export const mapBounded = <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> =>
  mapEach(items, maxConcurrent, work);

// A job is its folder `<data>/jobs/<id>/`; jobs that are done have a line in the index beside them. What is shown of a job
// is always read from its folder.

/** Version of the folder's own files; plan and journal have the engine's version. */
const folderFormat = 1;

const storedPlan = z.object({
  folderFormat: z.int(),
  format: z.int(),
  app: z.string(),
  kind: z.enum(jobKinds),
  plan: z.unknown(),
});
type StoredPlan = z.infer<typeof storedPlan>;

/** What lists show of a job; rewritten at each change. A resume uses the journal. */
const storedSummary = z.object({
  ...jobFacts,
  artifacts: z.array(z.object({ kind: z.enum(['result', 'manifest', 'rejects']), path: z.string() })),
  result: z.unknown(),
});
export type StoredSummary = z.infer<typeof storedSummary>;

export interface StoredJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly summary: StoredSummary;
}

/** A job's folder with its lock held. */
export interface LockedFolder {
  readonly id: string;
  readonly folder: string;
  readonly stored: StoredPlan;
  readonly lock: Lock;
}

/** The error of work on a job's files: if they are missing, it was discarded in the meantime, perhaps by another window. */
export const missingAsUnknown = (error: unknown, job: string): unknown =>
  isMissing(error) ? new AppError('job_unknown', { job }) : error;

/** The error for a file of a job that can't be read. */
export const unreadableFile = (name: string, job: string, reason: string, cause: unknown): AppError =>
  new AppError('file_unreadable', { file: `${name} of job ${job}`, reason }, { cause });

/** @throws AppError `job_unknown` if it is missing, `file_unreadable` if it is damaged */
async function readJson<T>(path: string, schema: z.ZodType<T>, job: string): Promise<T> {
  const text = await readOwnText(path, `${basename(path)} of job ${job}`);
  if (text === null) throw new AppError('job_unknown', { job });
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw unreadableFile(basename(path), job, 'it is damaged', cause);
  }
}

/** @throws AppError `job_unknown` if the job was discarded in the meantime */
function missingAsDiscarded<T>(id: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw missingAsUnknown(error, id);
  }
}

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

/** The creation time of a job, from its id, in Unix milliseconds. */
function startMsOf(id: string): number {
  const [, year, month, day, hour, minute, second, ms] =
    /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(\d{3})/.exec(id) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`) || 0;
}

/**
 * Ids sort in the order of creation, by its time (UTC, in milliseconds), also after the clock was set back.
 * @param newest the last of the ids so far
 */
function createId(now: Date, newest: string | undefined): string {
  const newestMs = newest === undefined ? Number.NEGATIVE_INFINITY : startMsOf(newest);
  const [day = '', time = ''] = new Date(Math.max(now.getTime(), newestMs + 1))
    .toISOString()
    .replace(/[-:.Z]/g, '')
    .split('T');
  return `${day}-${time}-${randomBytes(3).toString('hex')}`;
}

/** The parts of a plan that identify the job, as far as they can be read. */
const planParts = z
  .object({
    kind: z.enum(jobKinds).optional().catch(undefined),
    app: z.string().catch(''),
    format: z.int().catch(0),
    plan: z
      .object({
        address: jobFacts.address,
        connection: z.object({ id: z.string().optional(), name: z.string() }),
        fileName: z.string(),
      })
      .optional()
      .catch(undefined),
  })
  .catch({ app: '', format: 0 });

/**
 * A job with damaged files, or files of a newer version, as a list shows it.
 * @param plan content of its plan; null if unreadable
 * @param last its last summary; null if unreadable
 * @param reason null: it was discarded
 */
function unreadableJob(
  id: string,
  plan: unknown,
  last: StoredSummary | null,
  reason: AppError | null,
): StoredJob {
  const { kind = 'export', plan: head } = planParts.parse(plan);
  const started = new Date(startMsOf(id)).toISOString();
  const summary: StoredSummary = {
    state: reason ? 'unreadable' : 'discarded',
    address: head?.address ?? last?.address ?? { provider: 'unknown', dataset: 'unknown' },
    connection: head?.connection.name ?? last?.connection ?? '',
    connectionId: head?.connection.id ?? last?.connectionId,
    file: head?.fileName ?? last?.file ?? id,
    started,
    updated: started,
    progress: last?.progress ?? noProgress,
    error: reason?.toBody() ?? null,
    waitsFor: null,
    artifacts: [],
    result: null,
  };
  return { id, kind, summary };
}

/** A removed job, of which only the id is known. */
export const discardedJob = (id: string): StoredJob => unreadableJob(id, null, null, null);

/**
 * `turn`: a job that claims the same work later has a higher number. `isIdle`: its job has done none of the work: it was
 * refused, or stopped before. `overtakenBy`: a removed job that did the work after it.
 */
const claimFile = z.object({
  key: z.string(),
  turn: z.int(),
  isIdle: z.boolean(),
  overtakenBy: z.string().optional(),
});
type Claim = z.infer<typeof claimFile>;
const isClaim = (claim: Claim | 'damaged' | null): claim is Claim => claim !== null && claim !== 'damaged';

/** Another job that claimed the same work. */
interface OtherClaim {
  readonly job: string;
  readonly isRunning: boolean;
  /** Whether it began the work after this job claimed it. */
  readonly isLater: boolean;
  /** Whether this job had begun the work before. */
  readonly hasBegun: boolean;
}
/** Throws to refuse work because of another job. */
export type CheckClaim = (other: OtherClaim) => void;

const claimLockMs = 10_000;

/** Which finished jobs are kept. */
export interface Retention {
  /** How many, the newest ones. */
  readonly jobs: number;
  /** Of these, those that ended in the last days. */
  readonly days: number;
  /** How many stay even if a clock makes them old; default: 20. */
  readonly last?: number;
}
const dayMs = 86_400_000;

const uploadCounts = z.object({
  ledger: ledger.pick({ unknown: true, rejected: true }),
  dryRun: z.boolean().default(false),
});

const isInside = (folder: string, path: string): boolean => {
  const from = relative(folder, path);
  return !from.startsWith('..') && !isAbsolute(from);
};

/** Whether nothing is lost with a job: it has nothing to resume, no unknown rows, and no rejected rows that only it has. */
function isRemovable({ kind, summary }: StoredJob, folder: string): boolean {
  if (summary.state !== 'done') return false;
  if (kind !== 'upload') return true;
  const { data } = uploadCounts.safeParse(summary.result);
  if (!data || data.ledger.unknown > 0) return false;
  // The rows of a check are all in its file.
  if (data.dryRun) return true;
  const isSaved = summary.artifacts.some((file) => file.kind === 'rejects' && !isInside(folder, file.path));
  return data.ledger.rejected === 0 || isSaved;
}

const summaryKeys = ({ parent, artifacts }: StoredSummary): string[] => [
  ...(parent ? [keyOf('parent', parent.job)] : []),
  ...artifacts.filter(({ kind }) => kind === 'rejects').map(({ path }) => keyOf('rejects', basename(path))),
];

/** Lines of the index that are compared with their folders after each job. */
const checkedLines = 50;
/** Some jobs, oldest first, and how many finished ones are older. */
export interface JobPage<J> {
  readonly jobs: J[];
  readonly older: number;
}

export type PageOptions = z.infer<typeof jobPageQuery>;

const pageSize = 100;

/** What a poll compares: when the summaries of finished jobs were written, and those of the others. */
interface SeenJobs {
  readonly folderMs: number;
  readonly finished: Map<string, number>;
  readonly otherIds: readonly string[];
  readonly otherTimes: Map<string, number>;
}

/** The coarsest time of a folder, in milliseconds: two changes within it can't be told apart. */
const coarsestTimeMs = 3000;
/** Some drives don't keep the time of a folder: once in this number of polls, it is listed although its time is the same. */
const pollsPerListing = 150;

/** Suffix of the folder of a removed job; a crash can leave one. */
const removedSuffix = '.gone';

/** The folders of all jobs: `<data>/jobs/<id>/` with plan.json, summary.json, journal.ndjson, claim.json, and lock. */
export class JobStore {
  readonly #root: string;
  readonly #appVersion: string;
  readonly #index: JobIndex;
  /** Summaries that could not be written, such as on a full disk. */
  readonly #unsaved = new Map<string, StoredSummary>();
  #seen: SeenJobs | null = null;
  #polls = 0;
  #hasSwept = false;

  constructor(dataFolder: string, appVersion: string) {
    this.#root = join(dataFolder, 'jobs');
    this.#index = new JobIndex(join(dataFolder, 'jobs.index'));
    this.#appVersion = appVersion;
  }

  /**
   * Creates a job's folder and locks it.
   * @param format version of the plan
   * @throws AppError `disk_full`, `file_unwritable`; other errors of the file system
   */
  async create(kind: JobKind, format: number, plan: unknown, summary: StoredSummary): Promise<LockedFolder> {
    const id = createId(new Date(wallMs()), (await this.#ids()).at(-1));
    const folder = join(this.#root, id);
    const stored: StoredPlan = { folderFormat, format, app: this.#appVersion, kind, plan };
    await createFolder(folder);
    const lock = await this.#lock(id);
    try {
      await writeText(this.#file(id, 'plan.json'), JSON.stringify(stored));
      // Written last: a folder without one isn't a job, but what a power loss left of its creation.
      await this.save({ id, kind, summary });
    } catch (error) {
      lock.release();
      await this.#removeFolder(id).catch(() => undefined);
      throw error;
    }
    return { id, folder, stored, lock };
  }

  /** Locks a job. @throws AppError `job_unknown`, `job_busy`, `job_too_new`, `file_unreadable` */
  async open(id: string): Promise<LockedFolder> {
    await this.#readPlan(id);
    const lock = await this.#lock(id);
    try {
      // Read again under the lock, because it may have changed.
      return { id, folder: join(this.#root, id), stored: await this.#readPlan(id), lock };
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** @throws AppError `job_unknown`, `job_too_new`, `file_unreadable` */
  async read(id: string): Promise<StoredJob> {
    const { kind } = await this.#readPlan(id);
    const readSummary = (): Promise<StoredSummary> =>
      readJson(this.#file(id, 'summary.json'), storedSummary, id);
    const summary = await readSummary();
    if (!isActive(summary.state) || this.isBusy(id)) return { id, kind, summary };
    // It may have ended in between: the summary was saved before the lock was released.
    const latest = await readSummary();
    if (!isActive(latest.state)) return { id, kind, summary: latest };
    const unsaved = this.#unsaved.get(id);
    if (unsaved && !isActive(unsaved.state)) return { id, kind, summary: unsaved };
    return { id, kind, summary: { ...latest, state: 'interrupted', waitsFor: null } };
  }

  /**
   * As `read`, but a job with damaged or newer files is returned as `unreadable`, with the reason.
   * @throws AppError `job_unknown`
   */
  async show(id: string): Promise<StoredJob> {
    try {
      return await this.read(id);
    } catch (error) {
      if (isAppError(error, 'job_unknown')) throw error;
      const plan = await readJson(this.#file(id, 'plan.json'), z.unknown(), id).catch(() => null);
      const summary = await readJson(this.#file(id, 'summary.json'), storedSummary, id).catch(() => null);
      const { app, format } = planParts.parse(plan);
      const isNewer = app.localeCompare(this.#appVersion, 'en', { numeric: true }) > 0;
      const reason =
        isNewer && isAppError(error, 'file_unreadable')
          ? new AppError('job_too_new', { job: id, format })
          : error;
      return unreadableJob(id, plan, summary, appErrorFrom(reason));
    }
  }

  /** @throws AppError `job_unknown`, `job_too_new`, `file_unreadable` */
  async plan(id: string): Promise<unknown> {
    return (await this.#readPlan(id)).plan;
  }

  /**
   * Reads a file of a job.
   * @param path absolute, or in its folder
   * @throws AppError `job_unknown` if it is missing, `file_unreadable` if it is damaged
   */
  file<T>(id: string, path: string, schema: z.ZodType<T>): Promise<T> {
    return readJson(resolve(this.folder(id), path), schema, id);
  }

  /** @throws AppError `job_unknown` */
  folder(id: string): string {
    return dirname(this.#file(id, 'plan.json'));
  }

  /**
   * The newest finished jobs, and all that aren't done, unreadable ones included.
   * @throws AppError `file_unreadable` when the folder can't be read
   */
  async page({ finished: limit = pageSize }: PageOptions = {}): Promise<JobPage<StoredJob>> {
    const { finished, unfinished } = await this.#scan();
    const older = Math.max(0, finished.length - limit);
    const shown = await this.#showAll(finished.slice(older).map(idOf));
    await this.#index.drop(shown.filter(({ summary }) => summary.state !== 'done').map(({ id }) => id));
    return { jobs: [...unfinished, ...shown].sort(byId), older };
  }

  /**
   * The uploads of rejected rows of a job (`parent`), or the jobs whose files of rejected rows have one of these names
   * (`rejects`), oldest first.
   * @throws AppError as {@link page}
   */
  async related(by: Exclude<LookUp, 'claim'>, ...texts: string[]): Promise<StoredJob[]> {
    const keys = texts.map((text) => keyOf(by, text));
    const { finished, unfinished } = await this.#scan();
    const hits = finished.filter((line) => keys.some((key) => line.includes(key)));
    const openJobs = unfinished.filter(({ summary }) =>
      summaryKeys(summary).some((key) => keys.includes(key)),
    );
    return [...(await this.#showAll(hits.map(idOf))), ...openJobs].sort(byId);
  }

  /**
   * The jobs that are new or changed since the last call, and those that were removed; the first call returns none.
   * @throws Error of the file system
   */
  async changes(): Promise<{ readonly changed: string[]; readonly removed: string[] }> {
    const before = this.#seen;
    const folderMs = await stat(this.#root).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    const isListed =
      before !== null &&
      before.folderMs === folderMs &&
      Math.abs(wallMs() - folderMs) > coarsestTimeMs &&
      this.#polls % pollsPerListing !== 0;
    this.#polls += 1;
    const { finished, otherIds } = isListed ? before : await this.#lookAtAll();
    const written = await mapBounded(otherIds, async (id) => [id, await this.#writtenMs(id)] as const);
    const otherTimes = new Map(written.flatMap(([id, ms]) => (ms === null ? [] : [[id, ms] as const])));
    this.#seen = { folderMs, finished, otherIds, otherTimes };
    if (!before) return { changed: [], removed: [] };
    const earlier = (id: string): number | undefined => before.otherTimes.get(id) ?? before.finished.get(id);
    const ids = [...(isListed ? [] : before.finished.keys()), ...before.otherTimes.keys()];
    return {
      changed: [...(isListed ? [] : finished), ...otherTimes].flatMap(([id, ms]) =>
        ms === earlier(id) ? [] : [id],
      ),
      removed: ids.filter((id) => !finished.has(id) && !otherTimes.has(id)),
    };
  }

  /** @throws AppError `disk_full`, `file_unwritable`; this process has the summary in memory */
  async save(job: StoredJob): Promise<void> {
    const { id, summary } = job;
    this.#unsaved.set(id, summary);
    await writeText(this.#file(id, 'summary.json'), JSON.stringify(summary));
    this.#unsaved.delete(id);
    if (summary.state === 'done') await this.#addLines([job]);
  }

  /** Requests the process that runs the job to stop it. @throws Error of the file system */
  requestStop(id: string): Promise<void> {
    return writeWhole(this.#file(id, 'stop'), '');
  }

  takeStopRequest(id: string): Promise<boolean> {
    return rm(this.#file(id, 'stop')).then(
      () => true,
      () => false,
    );
  }

  /** Whether a process runs the job. @throws AppError `job_unknown` for a discarded job */
  isBusy(id: string): boolean {
    return missingAsDiscarded(id, () => isLocked(this.#file(id, 'lock')));
  }

  /**
   * Removes a job, damaged or not. Jobs that can be resumed still find that it did their work after them.
   * @throws AppError `job_unknown`, `job_busy`, `job_too_new`, `disk_full`, `file_unwritable`
   */
  async remove(id: string): Promise<void> {
    // A damaged job can be removed; one of a newer version can't.
    await this.#readPlan(id).catch((error: unknown) => {
      if (!isAppError(error, 'file_unreadable')) throw error;
    });
    const lock = await this.#lock(id);
    try {
      const claim = await this.#readClaim(id);
      if (isClaim(claim) && !claim.isIdle) await this.#noteOvertaken(id, claim);
    } finally {
      // Until now, nobody can resume the job. Windows removes no folder with an open file.
      lock.release();
    }
    await this.#removeFolder(id);
    this.#seen?.finished.delete(id);
    this.#seen?.otherTimes.delete(id);
  }

  /**
   * Claims work that only one job of a data folder may do at a time. A claim counts while its job runs, and ends with its
   * process in any way, because the system then releases the lock of the job. It stays in the job's folder, so that a
   * resumed job finds those that did the same work after it.
   * @param id of the job, whose lock this process holds
   * @param key the same for the same work
   * @param check throws to refuse the work because of another job
   * @returns notes that the job did none of the work, so that it prevents no other
   * @throws AppError `job_busy` if another process keeps the claims locked; errors of `check`
   */
  async claim(id: string, key: string, check: CheckClaim): Promise<() => Promise<void>> {
    let turn = 0;
    await this.#withClaims(id, async () => {
      const claimBefore = await this.#readClaim(id);
      const earlier = isClaim(claimBefore) ? claimBefore : null;
      const otherClaims = (await this.#claims(key)).filter(({ job }) => job !== id);
      const removed = earlier?.overtakenBy;
      const isAfterAll = { turn: Number.POSITIVE_INFINITY, isIdle: false };
      const checkedClaims = removed ? [...otherClaims, { ...isAfterAll, job: removed }] : otherClaims;
      try {
        for (const other of checkedClaims.filter(({ isIdle }) => !isIdle))
          check({
            job: other.job,
            isRunning: this.#isRunning(other.job),
            isLater: earlier !== null && earlier.turn < other.turn,
            hasBegun: earlier !== null && !earlier.isIdle,
          });
      } catch (error) {
        // A refused job is before all others: what they do counts as done since.
        if (!earlier) await this.#writeClaim(id, { key, turn: 0, isIdle: true });
        throw error;
      }
      turn = Math.max(0, maxOf(otherClaims.map((other) => other.turn))) + 1;
      await this.#writeClaim(id, { key, turn, isIdle: false });
    });
    // Without the note, the job counts as one that began, which prevents more, never less.
    return () => this.#writeClaim(id, { key, turn, isIdle: true }).catch(() => undefined);
  }

  /** The job that began work under a claim last; null: none did, it was removed, or its files can't be read. */
  async claimant(key: string): Promise<StoredJob | null> {
    try {
      const claims = (await this.#claims(key)).filter(({ isIdle }) => !isIdle);
      const last = claims.toSorted((a, b) => b.turn - a.turn)[0];
      return last && last.overtakenBy === undefined ? await this.read(last.job) : null;
    } catch {
      return null;
    }
  }

  /**
   * The finished jobs that aren't kept and with which nothing is lost.
   * @returns their ids, oldest first
   * @throws AppError as {@link page}
   */
  async removable({ jobs, days, last = 20 }: Retention): Promise<string[]> {
    const { finished, unfinished } = await this.#scan();
    const from = Math.floor(randomNumber() * Math.max(1, finished.length - checkedLines));
    const wrong = await this.#wrongLines(finished.slice(from, from + checkedLines));
    const oldestMs = wallMs() - days * dayMs;
    const older = finished.slice(0, Math.max(0, finished.length - last));
    const surplus = older.filter((line, at) => {
      const isSurplus = at < finished.length - jobs;
      // Most started lately, so that they ended lately.
      if (!isSurplus && startMsOf(idOf(line)) >= oldestMs) return false;
      const { canRemove, endedMs } = factsOf(line);
      return canRemove && (isSurplus || endedMs < oldestMs) && !wrong.includes(idOf(line));
    });
    if (surplus.length === 0) return [];
    // A job that can be resumed must find those that did the same work after it; if what it claimed can't be read, all
    // that are looked up by anything.
    const claims = await mapBounded(unfinished, ({ id }) => this.#readClaim(id));
    const isAnyDamaged = claims.includes('damaged');
    const claimed = claims.flatMap((claim) => (isClaim(claim) ? [keyOf('claim', claim.key)] : []));
    const isClaimed = (line: string): boolean =>
      isAnyDamaged ? hasKeys(line) : claimed.some((key) => line.includes(key));
    return surplus.filter((line) => !isClaimed(line)).map(idOf);
  }

  /** Whether nothing is lost with a job, as its folder says. @throws AppError as {@link read} */
  async isRemovable(id: string): Promise<boolean> {
    return (await this.#readClaim(id)) !== 'damaged' && isRemovable(await this.read(id), this.folder(id));
  }

  /**
   * Compares the index with the folders of its jobs, which takes a moment for thousands: a folder that came back from a
   * backup may have a job that isn't done. {@link removable} compares some.
   * @throws AppError as {@link page}
   */
  async checkIndex(): Promise<void> {
    await this.#wrongLines((await this.#split()).finished);
  }

  /** The jobs whose lines aren't right, which are dropped. */
  async #wrongLines(lines: readonly string[]): Promise<string[]> {
    const wrong = await mapBounded(lines, async (line) => {
      const isRight = (await this.#writtenMs(idOf(line))) === factsOf(line).writtenMs;
      return isRight ? [] : [idOf(line)];
    });
    await this.#index.drop(wrong.flat());
    return wrong.flat();
  }

  /** The ids of all jobs, oldest first; may include ids without a job. @throws Error of the file system */
  async #ids(): Promise<string[]> {
    const names = await readdir(this.#root).catch((cause: unknown) => {
      if (isMissing(cause)) return [];
      throw cause;
    });
    // Other files have an ending.
    return names.filter((name) => !name.includes('.')).sort();
  }

  async #lookAtAll(): Promise<Pick<SeenJobs, 'finished' | 'otherIds'>> {
    const { finished, otherIds } = await this.#index.split(await this.#ids());
    return { finished: new Map(finished.map((line) => [idOf(line), factsOf(line).writtenMs])), otherIds };
  }

  /** The lines of the index, and the ids of the jobs without one. @throws AppError `file_unreadable` */
  async #split() {
    const ids = await this.#ids().catch((cause: unknown) => {
      throw new AppError('file_unreadable', { file: 'jobs', reason: readFailureReason(cause) }, { cause });
    });
    return this.#index.split(ids);
  }

  /**
   * All jobs: the lines of those that are done, and the others. Both oldest first.
   * @throws AppError `file_unreadable` when the folder can't be read
   */
  async #scan() {
    const { finished, otherIds } = await this.#split();
    const jobs = await this.#showAll(otherIds);
    const isDone = ({ summary }: StoredJob): boolean => summary.state === 'done';
    const added = await this.#addLines(jobs.filter(isDone));
    return {
      finished: added.length === 0 ? finished : [...finished, ...added].sort(),
      unfinished: jobs.filter((job) => !isDone(job)),
    };
  }

  /** Those of the jobs that still exist. */
  async #showAll(ids: readonly string[]): Promise<StoredJob[]> {
    const jobs = await mapBounded(ids, (id) =>
      this.show(id).catch((error: unknown) => {
        // A folder without a plan isn't a job, or was discarded in the meantime.
        if (isAppError(error, 'job_unknown')) return null;
        throw error;
      }),
    );
    return jobs.filter((job) => job !== null);
  }

  /** Adds jobs that are done to the index. Never fails. */
  async #addLines(jobs: readonly StoredJob[]): Promise<string[]> {
    const lines = await mapBounded(jobs, async (job): Promise<string> => {
      const { id, summary } = job;
      const claim = job.kind === 'upload' ? await this.#readClaim(id) : null;
      const keys = [...(isClaim(claim) ? [keyOf('claim', claim.key)] : []), ...summaryKeys(summary)];
      const facts = {
        writtenMs: (await this.#writtenMs(id)) ?? 0,
        endedMs: Math.max(0, Date.parse(summary.updated) || 0),
        // A repeated upload may have to know of it.
        canRemove: claim !== 'damaged' && isRemovable(job, this.folder(id)),
      };
      return lineOf(id, facts, keys);
    });
    await this.#index.add(lines);
    return lines;
  }

  /** Null: there is none; `damaged`: it can't be read. */
  #readClaim(id: string): Promise<Claim | 'damaged' | null> {
    return this.file(id, 'claim.json', claimFile).catch((error: unknown) =>
      isAppError(error, 'job_unknown') ? null : 'damaged',
    );
  }

  #writeClaim(id: string, claim: Claim): Promise<void> {
    return writeWhole(this.#file(id, 'claim.json'), JSON.stringify(claim));
  }

  /** The claims of some work, with their jobs. */
  async #claims(key: string) {
    const { finished, unfinished } = await this.#scan();
    const hits = finished.filter((line) => line.includes(keyOf('claim', key))).map(idOf);
    const ids = [...hits, ...unfinished.map(({ id }) => id)];
    const claims = await mapBounded(ids, async (job) => {
      const claim = await this.#readClaim(job);
      return isClaim(claim) && claim.key === key ? [{ ...claim, job }] : [];
    });
    return claims.flat();
  }

  #withClaims(id: string, work: () => Promise<void>): Promise<void> {
    const busy = (): Error => new AppError('job_busy', { job: id });
    return withFileLock(join(this.#root, 'claims.lock'), claimLockMs, busy, work);
  }

  /** Notes with the jobs that can be resumed, and claimed the same work before a job, that it did the work after them. */
  #noteOvertaken(id: string, { key, turn }: Claim): Promise<void> {
    return this.#withClaims(id, async () => {
      const { unfinished } = await this.#scan();
      for (const other of unfinished) {
        const claim = other.id === id ? null : await this.#readClaim(other.id);
        if (isClaim(claim) && claim.key === key && claim.turn < turn)
          await this.#writeClaim(other.id, { ...claim, overtakenBy: id });
      }
    }).catch((error: unknown) => {
      throw appErrorFrom(error);
    });
  }

  #isRunning(id: string): boolean {
    try {
      return this.isBusy(id);
    } catch {
      // It was discarded meanwhile.
      return false;
    }
  }

  /** @throws AppError `job_unknown` */
  async #removeFolder(id: string): Promise<void> {
    const root = this.#root;
    // Renamed first: a process that still reads the job must not create files in a folder that is being removed, and a
    // power loss must not leave a part of it.
    await renameFile(join(root, id), join(root, `${id}${removedSuffix}`)).catch((error: unknown) => {
      throw missingAsUnknown(error, id);
    });
    // A crash leaves some; they are looked for once.
    const names = this.#hasSwept ? [`${id}${removedSuffix}`] : await readdir(root);
    this.#hasSwept = true;
    const removedFolders = names.filter((name) => name.endsWith(removedSuffix));
    // Another process may remove the same folders, or finish writing a file in them.
    for (const name of removedFolders)
      await rm(join(root, name), { recursive: true, force: true, maxRetries: 5 });
  }

  #file(id: string, name: string): string {
    if (!jobId.safeParse(id).success) throw new AppError('job_unknown', { job: id });
    return join(this.#root, id, name);
  }

  async #lock(id: string): Promise<Lock> {
    // A process that only tests the lock holds it for an instant, so it is tried several times.
    for (let attempt = 1; attempt <= 5; attempt++) {
      const lock = missingAsDiscarded(id, () => takeLock(this.#file(id, 'lock')));
      if (lock) return lock;
      await sleep(20);
    }
    throw new AppError('job_busy', { job: id });
  }

  /** When the summary was written, in Unix milliseconds; null: there is none. */
  #writtenMs(id: string): Promise<number | null> {
    return stat(this.#file(id, 'summary.json')).then(
      ({ mtimeMs }) => Math.trunc(mtimeMs),
      () => null,
    );
  }

  async #readPlan(id: string): Promise<StoredPlan> {
    const anyPlan = z.looseObject({ folderFormat: z.int() });
    const content = await readJson(this.#file(id, 'plan.json'), anyPlan, id).catch(async (error: unknown) => {
      // A job with a summary had a plan, which is written before.
      const isLost = isAppError(error, 'job_unknown') && (await this.#writtenMs(id)) !== null;
      throw isLost ? unreadableFile('plan.json', id, 'it is missing', error) : error;
    });
    // A newer version may have other fields.
    if (content.folderFormat > folderFormat)
      throw new AppError('job_too_new', { job: id, format: content.folderFormat });
    const { data, error } = storedPlan.safeParse(content);
    if (!data) throw unreadableFile('plan.json', id, 'it is damaged', error);
    return data;
  }
}
