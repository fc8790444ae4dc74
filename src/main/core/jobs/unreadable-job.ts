import * as z from 'zod';
import { AppError } from '../../../shared/errors/errors.ts';
import { jobFacts, jobKinds } from '../../../shared/jobs/jobs.ts';
import { noProgress } from './progress.ts';
import type { StoredJob, StoredSummary } from './job-files.ts';

/** The parts of a plan that identify the job, as far as they can be read. */
const planParts = z
  .object({
    kind: z.enum(jobKinds).optional().catch(undefined),
    app: z.string().catch(''),
    format: z.int().catch(0),
    plan: z
      .object({
        address: jobFacts.address,
        connection: z.object({ name: z.string() }),
        fileName: z.string(),
      })
      .optional()
      .catch(undefined),
  })
  .catch({ app: '', format: 0 });

/** The creation time of a job, from its id: ISO 8601, UTC. */
export const startTimeOf = (id: string): string => {
  const parts = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(\d{3})/.exec(id)?.slice(1) ?? [];
  const [year, month, day, hour, minute, second, millisecond] = parts;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`;
  return Number.isNaN(Date.parse(iso)) ? new Date(0).toISOString() : iso;
};

interface UnreadableOptions {
  readonly id: string;
  /** Content of its plan; null if unreadable. */
  readonly plan: unknown;
  /** Its last summary; null if unreadable. */
  readonly summary: StoredSummary | null;
  readonly appVersion: string;
  readonly reason: AppError;
}

/** A job with damaged files, or files of a newer version, as a list shows it. */
export function unreadableJob({
  id,
  plan,
  summary: lastSummary,
  appVersion,
  reason,
}: UnreadableOptions): StoredJob {
  const knownParts = planParts.parse(plan);
  const isNewer = knownParts.app.localeCompare(appVersion, 'en', { numeric: true }) > 0;
  const error =
    isNewer && reason.is('file_unreadable')
      ? new AppError('job_too_new', { job: id, format: knownParts.format })
      : reason;
  const started = startTimeOf(id);
  const summary = {
    state: 'unreadable' as const,
    address: knownParts.plan?.address ?? lastSummary?.address ?? { provider: 'unknown', dataset: 'unknown' },
    connection: knownParts.plan?.connection.name ?? lastSummary?.connection ?? '',
    file: knownParts.plan?.fileName ?? lastSummary?.file ?? id,
    started,
    updated: started,
    progress: lastSummary?.progress ?? noProgress,
    error: error.toBody(),
    waitsFor: null,
    artifacts: [],
    result: null,
  };
  return { id, kind: knownParts.kind ?? 'export', summary };
}
