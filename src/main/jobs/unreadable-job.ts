import * as z from 'zod';
import { AppError } from '../../shared/errors/errors.ts';
import { jobFacts, jobKinds } from '../../shared/jobs/jobs.ts';
import { noProgress } from './progress.ts';
import type { StoredJob, StoredSummary } from './store.ts';

/** The parts of a plan that say which job it is, as far as they can be read. */
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

/** When a job was made, by its id. */
const startOf = (id: string): string => {
  const parts = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)/.exec(id)?.slice(1) ?? [];
  const [year, month, day, hour, minute, second] = parts;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  return Number.isNaN(Date.parse(iso)) ? new Date(0).toISOString() : iso;
};

interface UnreadableOptions {
  readonly id: string;
  /** The content of its plan; null: there is none that can be read. */
  readonly plan: unknown;
  /** What was shown of it last; null: that can't be read either. */
  readonly summary: StoredSummary | null;
  /** Of this application. */
  readonly appVersion: string;
  readonly reason: AppError;
}

/** A job whose files are damaged, or were written by a newer version, as a list shows it: with what is still known. */
export function unreadableJob({ id, plan, summary: last, appVersion, reason }: UnreadableOptions): StoredJob {
  const known = planParts.parse(plan);
  const isNewer = known.app.localeCompare(appVersion, 'en', { numeric: true }) > 0;
  const error =
    isNewer && reason.is('file_unreadable')
      ? new AppError('job_too_new', { job: id, format: known.format })
      : reason;
  const started = startOf(id);
  const summary = {
    state: 'unreadable' as const,
    address: known.plan?.address ?? last?.address ?? { provider: 'unknown', dataset: 'unknown' },
    connection: known.plan?.connection.name ?? last?.connection ?? '',
    file: known.plan?.fileName ?? last?.file ?? id,
    started,
    updated: started,
    progress: last?.progress ?? noProgress,
    error: error.toBody(),
    waitsFor: null,
    artifacts: [],
    result: null,
  };
  return { id, kind: known.kind ?? 'export', summary };
}
