import { AppError } from '../../../shared/errors/errors.ts';
import { claimWork } from '../../core/jobs/claims.ts';
import type { UploadPlan } from '../../core/tables/model/plan.ts';

/**
 * Claims the rows of a file for one job: an upload skips the rows that exist, but not those that another has in flight.
 * @param folder the folder of the job, whose lock this process holds
 * @returns removes the claim, for an upload that sent nothing
 * @throws AppError upload_repeated
 */
export function claimUpload(plan: UploadPlan, folder: string): Promise<() => Promise<void>> {
  const { connection, address, source, fileName: file, existing } = plan;
  const key = JSON.stringify([connection.dataUrl, address.provider, address.dataset, source.sha256]);
  return claimWork(folder, key, ({ job, isRunning, isLater }) => {
    // The existing records were read when this job started: they lack those of the other job.
    if (isRunning || (isLater && existing === 'skip'))
      throw new AppError('upload_repeated', { file, job, isRunning });
  });
}
