import type { Synonyms } from '../../../shared/channels/channels.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';
import type { JobRunner, JobStore } from '../../core/jobs/jobs.ts';
import {
  createProposals,
  planUpload,
  type PlanDependencies,
  createValidation,
  uploadPlan,
  type UploadPlan,
} from '../../core/mapping/mapping.ts';
import type { FixCalls } from './fixes/send-fixed.ts';
import type { TemplateCalls } from './templates.ts';
import { isDeepStrictEqual } from 'node:util';
import { AppError, invalidInput, planParts, type ErrorDetails } from '../../../shared/errors/errors.ts';
import { isActive } from '../../../shared/jobs/job-states.ts';
import { uploadClaim } from './run.ts';

type ValidationDependencies = Parameters<typeof createValidation>[0];

interface UploadDependencies extends PlanDependencies, Omit<ValidationDependencies, keyof PlanDependencies> {
  readonly runner: Pick<JobRunner, 'start'>;
  readonly store: Pick<JobStore, 'related' | 'plan' | 'read' | 'claimant'>;
  /** The names of channels that the user has added. */
  readonly synonyms: () => Promise<Synonyms>;
  /** Stores units of fields that have none. */
  readonly rememberUnits?: (of: DatasetAddress, units: Readonly<Record<string, string>>) => Promise<void>;
}

/** Procedures for a file to upload: validate it, and send it as a job. */
export function createUpload(
  dependencies: UploadDependencies,
): Omit<
  ModuleHandlers<(typeof calls)['upload']>,
  TemplateCalls | FixCalls | 'lastMapping' | 'keepLastMapping'
> {
  const validation = createValidation(dependencies);
  return {
    ...validation,
    ...createProposals({ ...dependencies, inspect: validation.inspect }),
    async start(request, context) {
      const plan = await planUpload(request, dependencies, context);
      const { rememberUnits, store } = dependencies;
      if (request.checked !== undefined) await requireChecked(plan, request.checked, store);
      if (!request.dryRun) await refuseUnfinished(plan, store, request.again);
      const { id } = await dependencies.runner.start('upload', plan, context.signal);
      // An upload without remembered units is better than none.
      if (!request.dryRun) await rememberUnits?.(plan.address, plan.newUnits).catch(() => undefined);
      if (request.rejects !== undefined) dependencies.files.endTarget(request.rejects);
      return { job: id };
    },
  };
}

type PlanPart = ErrorDetails<'upload_changed'>['parts'][number];

/** A plan as it is stored: without what is undefined. */
const asStored = (plan: UploadPlan): UploadPlan => uploadPlan.parse(JSON.parse(JSON.stringify(plan)));

/** What a plan would store, by its parts. */
const contentOf = (plan: UploadPlan): Record<PlanPart, unknown> => ({
  file: [plan.connection.id, plan.address, plan.source.sha256, plan.layout, plan.newline],
  mapping: plan.mapping,
  // The rules have the wells of names, and the fields of the dataset.
  wells: plan.rules,
  existing: plan.existing,
});

/** What the rows of a file become, however its mapping is written, and whatever the dataset has by now. */
const recordsOf = ({ rules: { columns, constants, nulls, fold } }: UploadPlan): unknown[] => [
  columns,
  constants,
  nulls,
  fold,
];

/** The parts in which a plan would store something else than an earlier one, as that is stored. */
function changedParts(plan: UploadPlan, earlier: UploadPlan): PlanPart[] {
  const [current, before] = [contentOf(asStored(plan)), contentOf(earlier)];
  return planParts.filter((part) => !isDeepStrictEqual(current[part], before[part]));
}

/**
 * Refuses a plan that would store something else than was checked to its end.
 * @param check the job that checked it
 * @throws AppError upload_changed; invalid_input if the check didn't end; job_unknown if it was discarded
 */
async function requireChecked(
  plan: UploadPlan,
  check: string,
  store: Pick<JobStore, 'read' | 'plan'>,
): Promise<void> {
  const { kind, summary } = await store.read(check);
  const checked = uploadPlan.safeParse(await store.plan(check)).data;
  if (kind !== 'upload' || summary.state !== 'done' || !checked?.dryRun)
    throw invalidInput('The check of the file didn’t end. Check the file again, then send it.');
  const parts = changedParts(plan, checked);
  if (parts.length > 0) throw new AppError('upload_changed', { file: plan.fileName, parts });
}

/**
 * Refuses a second upload of a file while an earlier one can be resumed, which sends only the remaining rows.
 * @param again whether the user does so on purpose; one that runs is refused in any case
 * @throws AppError upload_repeated
 */
async function refuseUnfinished(
  plan: UploadPlan,
  store: Pick<JobStore, 'claimant' | 'plan'>,
  again: boolean,
): Promise<void> {
  const earlier = await store.claimant(uploadClaim(plan));
  if (!earlier || earlier.summary.state === 'done') return;
  const isRunning = isActive(earlier.summary.state);
  if (again && !isRunning) return;
  const stored = uploadPlan.safeParse(await store.plan(earlier.id).catch(() => null)).data;
  const isOther =
    !isRunning && stored !== undefined && !isDeepStrictEqual(recordsOf(asStored(plan)), recordsOf(stored));
  const details = { file: plan.fileName, job: earlier.id, isRunning, isUnfinished: true };
  throw new AppError('upload_repeated', isOther ? { ...details, isOther } : details);
}
