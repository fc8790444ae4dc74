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

/** The folders of all jobs: `<data>/jobs/<id>/` with plan.json, summary.json, journal.ndjson, lock. */
export interface JobStore {
  create(kind: JobKind, format: number, plan: unknown, summary: StoredSummary): Promise<LockedFolder>;
  /** @throws AppError job_unknown, job_busy, job_too_new */
  open(id: string): Promise<LockedFolder>;
  /** @throws AppError job_unknown, job_too_new, file_unreadable */
  read(id: string): Promise<StoredJob>;
  /** As `read`, but a job whose files are damaged or too new comes as `unreadable`, with why. @throws AppError job_unknown */
  show(id: string): Promise<StoredJob>;
  /** All of them, the unreadable ones too, the oldest first. @throws AppError file_unreadable when the folder can't be read */
  list(): Promise<StoredJob[]>;
  /** When each job changed last, as its files say; ids without a job may be among them. @throws the system's error */
  stamps(): Promise<Map<string, number>>;
  /** What a job was asked to do, as its engine wrote it. @throws AppError job_unknown, job_too_new, file_unreadable */
  plan(id: string): Promise<unknown>;
  save(id: string, summary: StoredSummary): Promise<void>;
  /** Asks whoever works on the job to stop. */
  askToStop(id: string): Promise<void>;
  stopAsked(id: string): Promise<boolean>;
  /** Whether somebody works on it now. @throws AppError job_unknown for one that was discarded */
  isBusy(id: string): boolean;
  /** Removes a job, a damaged one too. @throws AppError job_unknown, job_busy, job_too_new */
  remove(id: string): Promise<void>;
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

/** Opens the store in the application's data folder. */
export function openJobStore(dataFolder: string, appVersion: string): JobStore {
  const root = join(dataFolder, 'jobs');
  const file = (id: string, name: string): string => {
    if (!jobId.safeParse(id).success) throw new AppError('job_unknown', { job: id });
    return join(root, id, name);
  };
  const tryLock = (id: string): Lock | null => {
    try {
      return takeLock(file(id, 'lock'));
    } catch (error) {
      // It has been discarded meanwhile, with its folder.
      throw isMissing(error) ? new AppError('job_unknown', { job: id }) : error;
    }
  };
  const lock = async (id: string): Promise<Lock> => {
    // Somebody who only looks whether the lock is held holds it for an instant: try again before saying "busy".
    for (let attempt = 1; attempt <= 5; attempt++) {
      const taken = tryLock(id);
      if (taken) return taken;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new AppError('job_busy', { job: id });
  };
  /** A job that has a summary had a plan, unless it is just being made. */
  const lostPlan = async (id: string, error: unknown): Promise<never> => {
    const isLost = isAppError(error, 'job_unknown') && (await stamp(id)) !== null && !store.isBusy(id);
    throw isLost ? unreadableFile('plan.json', id, 'it is missing', error) : error;
  };
  const stamp = (id: string): Promise<number | null> =>
    stat(file(id, 'summary.json')).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    );
  const readPlan = async (id: string): Promise<StoredPlan> => {
    const path = file(id, 'plan.json');
    // A newer version may have put other things into it.
    const { folderFormat: found } = await readJson(path, z.object({ folderFormat: z.int() }), id).catch(
      (error: unknown) => lostPlan(id, error),
    );
    if (found > folderFormat) throw new AppError('job_too_new', { job: id, format: found });
    return readJson(path, storedPlan, id);
  };
  const store: JobStore = {
    async create(kind, format, plan, summary) {
      const id = newId(new Date());
      const stored: StoredPlan = { folderFormat, format, app: appVersion, kind, plan };
      await mkdir(join(root, id), { recursive: true, mode: 0o700 });
      const taken = await lock(id);
      try {
        await store.save(id, summary);
        // The plan comes last: a folder without one is not a job.
        await writeWhole(file(id, 'plan.json'), JSON.stringify(stored));
      } catch (error) {
        taken.release();
        await rm(join(root, id), { recursive: true, force: true }).catch(() => undefined);
        throw error;
      }
      return { id, folder: join(root, id), stored, lock: taken };
    },
    async open(id) {
      await readPlan(id);
      const taken = await lock(id);
      try {
        // Read again under the lock: what was read before it may be old.
        return { id, folder: join(root, id), stored: await readPlan(id), lock: taken };
      } catch (error) {
        taken.release();
        throw error;
      }
    },
    async read(id) {
      const { kind } = await readPlan(id);
      const asStored = (): Promise<StoredSummary> => readJson(file(id, 'summary.json'), storedSummary, id);
      const isUnderWay = ({ state }: StoredSummary): boolean => state === 'running' || state === 'waiting';
      let summary = await asStored();
      const left = isUnderWay(summary) && !store.isBusy(id);
      // It may just have come to its end: what was kept last, before the lock was let go, is what holds.
      if (left) summary = await asStored();
      const abandoned = left && isUnderWay(summary);
      return {
        id,
        kind,
        summary: abandoned ? { ...summary, state: 'interrupted', waitsFor: null } : summary,
      };
    },
    async show(id) {
      try {
        return await store.read(id);
      } catch (error) {
        if (isAppError(error, 'job_unknown')) throw error;
        const plan = await readJson(file(id, 'plan.json'), z.unknown(), id).catch(() => null);
        const summary = await readJson(file(id, 'summary.json'), storedSummary, id).catch(() => null);
        return unreadableJob({ id, plan, summary, appVersion, reason: appErrorFrom(error) });
      }
    },
    async stamps() {
      const names = await readdir(root).catch((cause: unknown) => {
        if (isMissing(cause)) return [];
        throw cause;
      });
      const ids = names.filter((name) => jobId.safeParse(name).success);
      const found = await Promise.all(
        ids.map(async (id): Promise<[string, number][]> => {
          const found = await stamp(id);
          return found === null ? [] : [[id, found]];
        }),
      );
      return new Map(found.flat());
    },
    async list() {
      const names = await readdir(root).catch((cause: unknown) => {
        if (isMissing(cause)) return [];
        throw new AppError('file_unreadable', { file: 'jobs', reason: reasonInWords(cause) }, { cause });
      });
      const ids = names.filter((name) => jobId.safeParse(name).success).sort();
      const jobs = await Promise.all(ids.map((id) => store.show(id).catch(unknownAsNull)));
      return jobs.filter((job) => job !== null);
    },
    plan: async (id) => (await readPlan(id)).plan,
    save: (id, summary) => writeWhole(file(id, 'summary.json'), JSON.stringify(summary)),
    askToStop: (id) => writeWhole(file(id, 'stop'), ''),
    stopAsked: (id) =>
      readFile(file(id, 'stop')).then(
        () => rm(file(id, 'stop'), { force: true }).then(() => true),
        () => false,
      ),
    isBusy(id) {
      try {
        return isLocked(file(id, 'lock'));
      } catch (error) {
        throw isMissing(error) ? new AppError('job_unknown', { job: id }) : error;
      }
    },
    async remove(id) {
      // What is damaged can go; what a newer version wrote is left alone.
      await readPlan(id).catch((error: unknown) => {
        if (!isAppError(error, 'file_unreadable')) throw error;
      });
      const taken = await lock(id);
      taken.release();
      // Out of reach at once: whoever still looks at the job would otherwise put files where others are taken away.
      await renameFile(join(root, id), join(root, `${id}${gone}`)).catch((error: unknown) => {
        throw isMissing(error) ? new AppError('job_unknown', { job: id }) : error;
      });
      const left = (await readdir(root)).filter((name) => name.endsWith(gone));
      // Another process may be clearing the same ones up, and one that writes finishes its file.
      for (const name of left) await rm(join(root, name), { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return store;
}
