import { dirname, join } from 'node:path';
import * as z from 'zod';
import { AppError, isAppError } from '../../../shared/errors/errors.ts';
import { isActive } from '../../../shared/jobs/job-states.ts';
import { jobId, type JobKind } from '../../../shared/jobs/jobs.ts';
import { renameFile, writeWhole } from '../files/disk.ts';
import { writeText } from '../files/shared-file.ts';
import { createFolder } from '../files/flush.ts';
import { appErrorFrom, isMissing, readFailureReason } from '../files/file-errors.ts';
import { isLocked, takeLock, type Lock } from '../files/lock.ts';
import { mapBounded } from '../files/map-bounded.ts';
import { lastClaimant } from './claims.ts';
import {
  folderFormat,
  missingAsUnknown,
  readJson,
  storedPlan,
  storedSummary,
  unreadableFile,
  type LockedFolder,
  type StoredJob,
  type StoredPlan,
  type StoredSummary,
} from './job-files.ts';
import { startTimeOf, unreadableJob } from './unreadable-job.ts';
import { readdir, readFile, rm, stat } from '../../world/files.ts';
import { sleep, wallMs } from '../../world/time.ts';
import { randomBytes } from '../../world/random.ts';

/** A folder without a plan isn't a job, or was discarded in the meantime. */
function unknownAsNull(error: unknown): null {
  if (isAppError(error, 'job_unknown')) return null;
  throw error;
}

/** Suffix of the folder of a removed job; a crash can leave one. */
const removedSuffix = '.gone';

/**
 * Ids sort in the order of creation, by its time (UTC, in milliseconds), also after the clock was set back.
 * @param newest the last of the ids so far
 */
function createId(now: Date, newest: string | undefined): string {
  const newestMs = newest === undefined ? Number.NEGATIVE_INFINITY : Date.parse(startTimeOf(newest));
  const [day = '', time = ''] = new Date(Math.max(now.getTime(), newestMs + 1))
    .toISOString()
    .replace(/[-:.Z]/g, '')
    .split('T');
  return `${day}-${time}-${randomBytes(3).toString('hex')}`;
}

/** The folders of all jobs: `<data>/jobs/<id>/` with plan.json, summary.json, journal.ndjson, and lock. */
export class JobStore {
  readonly #root: string;
  readonly #appVersion: string;
  /** Summaries that could not be written, such as on a full disk. */
  readonly #unsaved = new Map<string, StoredSummary>();
  /** Jobs that are done, and the times of their last changes: nothing changes them any more. */
  readonly #done = new Set<string>();
  readonly #finalStamps = new Map<string, number>();
  #hasSwept = false;

  constructor(dataFolder: string, appVersion: string) {
    this.#root = join(dataFolder, 'jobs');
    this.#appVersion = appVersion;
  }

  /**
   * Creates a job's folder and locks it.
   * @param format version of the plan
   * @throws AppError `disk_full`, `file_unwritable`; other errors of the file system
   */
  async create(kind: JobKind, format: number, plan: unknown, summary: StoredSummary): Promise<LockedFolder> {
    const id = createId(new Date(wallMs()), (await this.ids()).at(-1));
    const folder = join(this.#root, id);
    const stored: StoredPlan = { folderFormat, format, app: this.#appVersion, kind, plan };
    await createFolder(folder);
    const lock = await this.#lock(id);
    try {
      await writeText(this.#file(id, 'plan.json'), JSON.stringify(stored));
      // Written last: a folder without one isn't a job, but what a power loss left of its creation.
      await this.save(id, summary);
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
    if (summary.state === 'done') this.#done.add(id);
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
      const appVersion = this.#appVersion;
      return unreadableJob({ id, plan, summary, appVersion, reason: appErrorFrom(error) });
    }
  }

  /** The ids of all jobs, oldest first; may include ids without a job. @throws Error of the file system */
  async ids(): Promise<string[]> {
    const names = await readdir(this.#root).catch((cause: unknown) => {
      if (isMissing(cause)) return [];
      throw cause;
    });
    return names.filter((name) => jobId.safeParse(name).success).sort();
  }

  /** The modification time of each job; may include ids without a job. @throws Error of the file system */
  async stamps(): Promise<Map<string, number>> {
    const stamps = await mapBounded(await this.ids(), async (id) => {
      const stamp = this.#finalStamps.get(id) ?? (await this.#stamp(id));
      if (stamp !== null && this.#done.has(id)) this.#finalStamps.set(id, stamp);
      return [id, stamp] as const;
    });
    return new Map(stamps.flatMap(([id, stamp]) => (stamp === null ? [] : [[id, stamp]])));
  }

  /**
   * All jobs, unreadable ones included, oldest first.
   * @throws AppError `file_unreadable` when the folder can't be read
   */
  async list(): Promise<StoredJob[]> {
    const ids = await this.ids().catch((cause: unknown) => {
      throw new AppError('file_unreadable', { file: 'jobs', reason: readFailureReason(cause) }, { cause });
    });
    const jobs = await mapBounded(ids, (id) => this.show(id).catch(unknownAsNull));
    return jobs.filter((job) => job !== null);
  }

  /**
   * @param id of a job
   * @returns its folder
   * @throws AppError `job_unknown`
   */
  folder(id: string): string {
    return dirname(this.#file(id, 'plan.json'));
  }

  /** The job that began work under a claim last; null: none did, or its files can't be read. */
  async claimant(key: string): Promise<StoredJob | null> {
    try {
      const id = await lastClaimant(this.#root, key);
      return id === null ? null : await this.read(id);
    } catch {
      return null;
    }
  }

  /** The plan of a job. @throws AppError `job_unknown`, `job_too_new`, `file_unreadable` */
  async plan(id: string): Promise<unknown> {
    return (await this.#readPlan(id)).plan;
  }

  /** @throws AppError `disk_full`, `file_unwritable`; this process has the summary in memory */
  async save(id: string, summary: StoredSummary): Promise<void> {
    this.#unsaved.set(id, summary);
    await writeText(this.#file(id, 'summary.json'), JSON.stringify(summary));
    this.#unsaved.delete(id);
  }

  /** Requests the process that runs the job to stop it. @throws Error of the file system */
  requestStop(id: string): Promise<void> {
    return writeWhole(this.#file(id, 'stop'), '');
  }

  takeStopRequest(id: string): Promise<boolean> {
    const file = this.#file(id, 'stop');
    return readFile(file).then(
      () => rm(file, { force: true }).then(() => true),
      () => false,
    );
  }

  /** Whether a process runs the job. @throws AppError `job_unknown` for a discarded job */
  isBusy(id: string): boolean {
    return missingAsDiscarded(id, () => isLocked(this.#file(id, 'lock')));
  }

  /** Removes a job, damaged or not. @throws AppError `job_unknown`, `job_busy`, `job_too_new` */
  async remove(id: string): Promise<void> {
    // A damaged job can be removed; one of a newer version can't.
    await this.#readPlan(id).catch((error: unknown) => {
      if (!isAppError(error, 'file_unreadable')) throw error;
    });
    (await this.#lock(id)).release();
    await this.#removeFolder(id);
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

  #stamp(id: string): Promise<number | null> {
    return stat(this.#file(id, 'summary.json')).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    );
  }

  async #readPlan(id: string): Promise<StoredPlan> {
    const anyPlan = z.looseObject({ folderFormat: z.int() });
    const content = await readJson(this.#file(id, 'plan.json'), anyPlan, id).catch((error: unknown) =>
      this.#explainMissingPlan(id, error),
    );
    // A newer version may have other fields.
    if (content.folderFormat > folderFormat)
      throw new AppError('job_too_new', { job: id, format: content.folderFormat });
    const { data, error } = storedPlan.safeParse(content);
    if (!data) throw unreadableFile('plan.json', id, 'it is damaged', error);
    return data;
  }

  /** A job with a summary had a plan, which is written before. */
  async #explainMissingPlan(id: string, error: unknown): Promise<never> {
    const isLost = isAppError(error, 'job_unknown') && (await this.#stamp(id)) !== null;
    throw isLost ? unreadableFile('plan.json', id, 'it is missing', error) : error;
  }
}

/** Runs work on a job's files. @throws AppError `job_unknown` if the job was discarded in the meantime */
function missingAsDiscarded<T>(id: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw missingAsUnknown(error, id);
  }
}
