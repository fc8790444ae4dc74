import type { Synonyms } from '../../../shared/channels/channels.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';
import type { JobRunner } from '../../core/jobs/runner.ts';
import { createProposals } from '../../core/mapping/matching/proposals.ts';
import type { FixCalls } from './fixes/send-fixed.ts';
import type { TemplateCalls } from './templates.ts';
import { planUpload, type PlanDependencies } from '../../core/mapping/plan-upload.ts';
import { createValidation, type ValidationDependencies } from '../../core/mapping/validation.ts';
import { createHash } from 'node:crypto';
import { AppError, planParts } from '../../../shared/errors/errors.ts';
import type { PlanFingerprint } from '../../../shared/upload/upload.ts';
import type { UploadPlan } from '../../core/tables/model/plan.ts';

interface UploadDependencies extends PlanDependencies, Omit<ValidationDependencies, keyof PlanDependencies> {
  readonly runner: Pick<JobRunner, 'start'>;
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
      if (request.checked) requireChecked(plan, request.checked);
      const { rememberUnits } = dependencies;
      const { id } = await dependencies.runner.start('upload', plan);
      // An upload without remembered units is better than none.
      if (!request.dryRun) await rememberUnits?.(plan.address, plan.newUnits).catch(() => undefined);
      if (request.rejects !== undefined) dependencies.files.endTarget(request.rejects);
      return { job: id, fingerprint: fingerprintOf(plan) };
    },
  };
}

/** The same for the same content, in whatever order its keys are. */
const canonicalText = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

const hashOf = (value: unknown): string =>
  createHash('sha256').update(canonicalText(value)).digest('base64url').slice(0, 22);

/** What a plan would store, by its parts: two plans that store other records have other fingerprints. */
export const fingerprintOf = (plan: UploadPlan): PlanFingerprint => ({
  file: hashOf([plan.connection.id, plan.address, plan.source.sha256, plan.layout, plan.newline]),
  mapping: hashOf(plan.mapping),
  // The rules have the wells of names, and the fields of the dataset.
  wells: hashOf(plan.rules),
  existing: hashOf(plan.existing),
});

/** Refuses a plan that would store something else than was checked. @throws AppError upload_changed */
export function requireChecked(plan: UploadPlan, checked: PlanFingerprint): void {
  const current = fingerprintOf(plan);
  const parts = planParts.filter((part) => current[part] !== checked[part]);
  if (parts.length > 0) throw new AppError('upload_changed', { file: plan.fileName, parts });
}
