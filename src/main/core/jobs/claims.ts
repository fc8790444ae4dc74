import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { AppError } from '../../../shared/errors/errors.ts';
import { jsonOrNull } from '../../../shared/json.ts';
import { jobId } from '../../../shared/jobs/jobs.ts';
import { writeWhole } from '../files/disk.ts';
import { isLocked, withFileLock } from '../files/lock.ts';
import { mapBounded } from '../files/map-bounded.ts';
import { readOwnText } from '../files/regular-file.ts';

/** `turn`: a job that claims the same work later has a higher number. */
const claimFile = z.object({ key: z.string(), turn: z.int() });
type Claim = z.infer<typeof claimFile>;

const lockTimeoutMs = 10_000;

/** The claim in a job's folder; null: none, or a damaged one. */
async function readClaim(folder: string): Promise<Claim | null> {
  const text = await readOwnText(join(folder, 'claim.json'), 'claim.json').catch(() => null);
  return claimFile.safeParse(jsonOrNull(text ?? '')).data ?? null;
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
  /** Whether it claimed the work after this job did. */
  readonly isLater: boolean;
}

/**
 * Claims work that only one job of a data folder may do at a time. A claim counts while its job runs, and ends with its
 * process in any way, because the system then releases the lock of the job. It stays in the job's folder, so that a
 * resumed job finds those that did the same work after it.
 * @param folder the folder of the job, whose lock this process holds
 * @param key the same for the same work
 * @param check throws to refuse the work because of another job
 * @returns removes the claim, for a job that did nothing
 * @throws AppError `job_busy` if another process keeps the list of claims locked; errors of `check`
 */
export async function claimWork(
  folder: string,
  key: string,
  check: (other: OtherClaim) => void,
): Promise<() => Promise<void>> {
  const root = dirname(folder);
  const busy = (): Error => new AppError('job_busy', { job: basename(folder) });
  await withFileLock(join(root, 'claims.lock'), lockTimeoutMs, busy, async () => {
    const earlier = await readClaim(folder);
    let turn = 1;
    const jobs = (await readdir(root)).filter((name) => jobId.safeParse(name).success);
    const claims = await mapBounded(jobs, async (job) => ({ job, claim: await readClaim(join(root, job)) }));
    for (const { job, claim: other } of claims) {
      const otherFolder = join(root, job);
      if (otherFolder === folder || other?.key !== key) continue;
      turn = Math.max(turn, other.turn + 1);
      check({
        job,
        isRunning: isRunning(otherFolder),
        isLater: earlier !== null && earlier.turn < other.turn,
      });
    }
    await writeWhole(join(folder, 'claim.json'), JSON.stringify({ key, turn } satisfies Claim));
  });
  return () => rm(join(folder, 'claim.json'), { force: true });
}
