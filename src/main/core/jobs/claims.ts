import { maxOf } from '../../../shared/lists.ts';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { AppError } from '../../../shared/errors/errors.ts';
import { jsonOrNull } from '../../../shared/json.ts';
import { jobId } from '../../../shared/jobs/jobs.ts';
import { writeWhole } from '../files/disk.ts';
import { isLocked, withFileLock } from '../files/lock.ts';
import { mapBounded } from '../files/map-bounded.ts';
import { readOwnText } from '../files/regular-file.ts';
import { readdir } from '../../world/files.ts';

/**
 * `turn`: a job that claims the same work later has a higher number. `isIdle`: its job has done none of the work: it was
 * refused, or stopped before.
 */
const claimFile = z.object({ key: z.string(), turn: z.int(), isIdle: z.boolean().default(false) });
type Claim = z.infer<typeof claimFile>;

const lockTimeoutMs = 10_000;
const claimName = 'claim.json';

/** The claim in a job's folder; null: none, or a damaged one. */
async function readClaim(folder: string): Promise<Claim | null> {
  const text = await readOwnText(join(folder, claimName), claimName).catch(() => null);
  return claimFile.safeParse(jsonOrNull(text ?? '')).data ?? null;
}

const writeClaim = (folder: string, claim: Claim): Promise<void> =>
  writeWhole(join(folder, claimName), JSON.stringify(claim));

/** The jobs that claimed some work, with their folders. */
async function claimsOf(root: string, key: string, except?: string) {
  const jobs = (await readdir(root)).filter((name) => jobId.safeParse(name).success);
  const claims = await mapBounded(jobs, async (job) => {
    const folder = join(root, job);
    const claim = folder === except ? null : await readClaim(folder);
    return claim?.key === key ? [{ ...claim, job, folder }] : [];
  });
  return claims.flat();
}

/**
 * The job that began some work last; null: none did.
 * @param root the folder of all jobs
 * @throws Error of the file system if the folder can't be listed
 */
export async function lastClaimant(root: string, key: string): Promise<string | null> {
  const claims = (await claimsOf(root, key)).filter(({ isIdle }) => !isIdle);
  return claims.toSorted((a, b) => b.turn - a.turn)[0]?.job ?? null;
}

/** Whether a process runs the job of a folder. */
function isRunning(folder: string): boolean {
  try {
    return isLocked(join(folder, 'lock'));
  } catch {
    // It was discarded meanwhile.
    return false;
  }
}

/** Another job that claimed the same work. */
interface OtherClaim {
  readonly job: string;
  readonly isRunning: boolean;
  /** Whether it began the work after this job claimed it. */
  readonly isLater: boolean;
  /** Whether this job had begun the work before. */
  readonly hasBegun: boolean;
}

/**
 * Claims work that only one job of a data folder may do at a time. A claim counts while its job runs, and ends with its
 * process in any way, because the system then releases the lock of the job. It stays in the job's folder, so that a
 * resumed job finds those that did the same work after it.
 * @param folder the folder of the job, whose lock this process holds
 * @param key the same for the same work
 * @param check throws to refuse the work because of another job
 * @returns notes that the job did none of the work, so that it prevents no other
 * @throws AppError `job_busy` if another process keeps the list of claims locked; errors of `check`
 */
export async function claimWork(
  folder: string,
  key: string,
  check: (other: OtherClaim) => void,
): Promise<() => Promise<void>> {
  const root = dirname(folder);
  let turn = 0;
  const busy = (): Error => new AppError('job_busy', { job: basename(folder) });
  await withFileLock(join(root, 'claims.lock'), lockTimeoutMs, busy, async () => {
    const earlier = await readClaim(folder);
    const otherClaims = await claimsOf(root, key, folder);
    try {
      for (const other of otherClaims.filter(({ isIdle }) => !isIdle))
        check({
          job: other.job,
          isRunning: isRunning(other.folder),
          isLater: earlier !== null && earlier.turn < other.turn,
          hasBegun: earlier !== null && !earlier.isIdle,
        });
    } catch (error) {
      // A refused job is before all others: what they do counts as done since.
      if (!earlier) await writeClaim(folder, { key, turn: 0, isIdle: true });
      throw error;
    }
    turn = Math.max(0, maxOf(otherClaims.map((other) => other.turn))) + 1;
    await writeClaim(folder, { key, turn, isIdle: false });
  });
  // Without the note, the job counts as one that began, which prevents more, never less.
  return () => writeClaim(folder, { key, turn, isIdle: true }).catch(() => undefined);
}
