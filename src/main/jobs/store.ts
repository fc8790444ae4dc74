import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { AppError, isAppError } from '../../shared/errors/errors.ts';
import { jobFacts, jobId, jobKinds } from '../../shared/jobs/jobs.ts';
import type { JobKind } from '../../shared/jobs/jobs.ts';
import { renameFile, writeWhole } from '../files/disk.ts';
import { appErrorFrom, isMissing, reasonInWords } from '../files/file-errors.ts';
import { isLocked, takeLock } from '../files/lock.ts';
import type { Lock } from '../files/lock.ts';
import { unreadableJob } from './unreadable-job.ts';

/** Version of the folder's own files; plan and journal have the engine's. */
const folderFormat = 1;

const storedPlan = z.object({
  folderFormat: z.int(),
  format: z.int(),
  app: z.string(),
  kind: z.enum(jobKinds),
  plan: z.unknown(),
});
type StoredPlan = z.infer<typeof storedPlan>;

/** The name of a job's journal in its folder. */
export const journalName = 'journal.ndjson';

/** What a list shows of a job, written whole each time it changes; the journal is what a resume goes by. */
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

/** A folder without a plan is no job, and one that was discarded meanwhile is none any more. */
function unknownAsNull(error: unknown): null {
  if (isAppError(error, 'job_unknown')) return null;
  throw error;
}

/** Behind the name of a folder whose job is no more; a crash may leave one. */
const gone = '.gone';

/** Ids sort by the time they were made (UTC, to the millisecond). */
const newId = (now: Date): string => {
  const [day = '', time = ''] = now
    .toISOString()
    .replace(/[-:.Z]/g, '')
    .split('T');
  return `${day}-${time}-${randomBytes(3).toString('hex')}`;
};

const unreadableFile = (name: string, job: string, reason: string, cause: unknown): AppError =>
  new AppError('file_unreadable', { file: `${name} of job ${job}`, reason }, { cause });

async function readJson<T>(path: string, schema: z.ZodType<T>, job: string): Promise<T> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) throw new AppError('job_unknown', { job });
    throw error;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw unreadableFile(basename(path), job, 'it is damaged', cause);
  }
}

/** The folders of all jobs: `<data>/jobs/<id>/` with plan.json, summary.json, journal.ndjson, lock. */
export class JobStore {
  readonly #root: string;
  readonly #appVersion: string;

  constructor(dataFolder: string, appVersion: string) {
    this.#root = join(dataFolder, 'jobs');
    this.#appVersion = appVersion;
  }

  async create(kind: JobKind, format: number, plan: unknown, summary: StoredSummary): Promise<LockedFolder> {
    const id = newId(new Date());
    const folder = join(this.#root, id);
    const stored: StoredPlan = { folderFormat, format, app: this.#appVersion, kind, plan };
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = await this.#lock(id);
    try {
      await this.save(id, summary);
      // The plan comes last: a folder without one is not a job.
      await writeWhole(this.#file(id, 'plan.json'), JSON.stringify(stored));
    } catch (error) {
      lock.release();
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
      throw error;
    }
    return { id, folder, stored, lock };
  }

  /** @throws AppError job_unknown, job_busy, job_too_new */
  async open(id: string): Promise<LockedFolder> {
    await this.#readPlan(id);
    const lock = await this.#lock(id);
    try {
      // Read again under the lock: what was read before it may be old.
      return { id, folder: join(this.#root, id), stored: await this.#readPlan(id), lock };
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** @throws AppError job_unknown, job_too_new, file_unreadable */
  async read(id: string): Promise<StoredJob> {
    const { kind } = await this.#readPlan(id);
    const readSummary = (): Promise<StoredSummary> =>
      readJson(this.#file(id, 'summary.json'), storedSummary, id);
    const isUnderWay = ({ state }: StoredSummary): boolean => state === 'running' || state === 'waiting';
    const summary = await readSummary();
    if (!isUnderWay(summary) || this.isBusy(id)) return { id, kind, summary };
    // It may just have come to its end: what was kept last, before the lock was let go, is what holds.
    const last = await readSummary();
    if (!isUnderWay(last)) return { id, kind, summary: last };
    return { id, kind, summary: { ...last, state: 'interrupted', waitsFor: null } };
  }

  /** As `read`, but a job whose files are damaged or too new comes as `unreadable`, with why. @throws AppError job_unknown */
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

  async #ids(): Promise<string[]> {
    const names = await readdir(this.#root).catch((cause: unknown) => {
      if (isMissing(cause)) return [];
      throw cause;
    });
    return names.filter((name) => jobId.safeParse(name).success).sort();
  }

  /** When each job changed last, as its files say; ids without a job may be among them. @throws the system's error */
  async stamps(): Promise<Map<string, number>> {
    const ids = await this.#ids();
    const stamps = await Promise.all(ids.map(async (id) => [id, await this.#stamp(id)] as const));
    return new Map(stamps.flatMap(([id, stamp]) => (stamp === null ? [] : [[id, stamp]])));
  }

  /** All of them, the unreadable ones too, the oldest first. @throws AppError file_unreadable when the folder can't be read */
  async list(): Promise<StoredJob[]> {
    const ids = await this.#ids().catch((cause: unknown) => {
      throw new AppError('file_unreadable', { file: 'jobs', reason: reasonInWords(cause) }, { cause });
    });
    const jobs = await Promise.all(ids.map((id) => this.show(id).catch(unknownAsNull)));
    return jobs.filter((job) => job !== null);
  }

  /** What a job was asked to do, as its engine wrote it. @throws AppError job_unknown, job_too_new, file_unreadable */
  async plan(id: string): Promise<unknown> {
    return (await this.#readPlan(id)).plan;
  }

  save(id: string, summary: StoredSummary): Promise<void> {
    return writeWhole(this.#file(id, 'summary.json'), JSON.stringify(summary));
  }

  /** Asks whoever works on the job to stop. */
  askToStop(id: string): Promise<void> {
    return writeWhole(this.#file(id, 'stop'), '');
  }

  stopAsked(id: string): Promise<boolean> {
    const file = this.#file(id, 'stop');
    return readFile(file).then(
      () => rm(file, { force: true }).then(() => true),
      () => false,
    );
  }

  /** Whether somebody works on it now. @throws AppError job_unknown for one that was discarded */
  isBusy(id: string): boolean {
    return orDiscarded(id, () => isLocked(this.#file(id, 'lock')));
  }

  /** Removes a job, a damaged one too. @throws AppError job_unknown, job_busy, job_too_new */
  async remove(id: string): Promise<void> {
    // What is damaged can go; what a newer version wrote is left alone.
    await this.#readPlan(id).catch((error: unknown) => {
      if (!isAppError(error, 'file_unreadable')) throw error;
    });
    (await this.#lock(id)).release();
    const root = this.#root;
    // Out of reach at once: whoever still looks at the job would otherwise put files where others are taken away.
    await renameFile(join(root, id), join(root, `${id}${gone}`)).catch((error: unknown) => {
      throw isMissing(error) ? new AppError('job_unknown', { job: id }) : error;
    });
    const left = (await readdir(root)).filter((name) => name.endsWith(gone));
    // Another process may be clearing the same ones up, and one that writes finishes its file.
    for (const name of left) await rm(join(root, name), { recursive: true, force: true, maxRetries: 5 });
  }

  #file(id: string, name: string): string {
    if (!jobId.safeParse(id).success) throw new AppError('job_unknown', { job: id });
    return join(this.#root, id, name);
  }

  async #lock(id: string): Promise<Lock> {
    // Somebody who only looks whether the lock is held holds it for an instant: try again before saying "busy".
    for (let attempt = 1; attempt <= 5; attempt++) {
      const lock = orDiscarded(id, () => takeLock(this.#file(id, 'lock')));
      if (lock) return lock;
      await new Promise((resolve) => setTimeout(resolve, 20));
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
    const path = this.#file(id, 'plan.json');
    // A newer version may have put other things into it.
    const head = await readJson(path, z.object({ folderFormat: z.int() }), id).catch((error: unknown) =>
      this.#lostPlan(id, error),
    );
    if (head.folderFormat > folderFormat)
      throw new AppError('job_too_new', { job: id, format: head.folderFormat });
    return readJson(path, storedPlan, id);
  }

  /** A job that has a summary had a plan, unless it is just being made. */
  async #lostPlan(id: string, error: unknown): Promise<never> {
    const isLost = isAppError(error, 'job_unknown') && (await this.#stamp(id)) !== null && !this.isBusy(id);
    throw isLost ? unreadableFile('plan.json', id, 'it is missing', error) : error;
  }
}

/** What the work gives. @throws AppError job_unknown where the job was discarded meanwhile, with its folder */
function orDiscarded<T>(id: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isMissing(error) ? new AppError('job_unknown', { job: id }) : error;
  }
}
