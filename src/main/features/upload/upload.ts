import type { Synonyms } from '../../../shared/channels/channels.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';
import type { JobRunner } from '../../core/jobs/runner.ts';
import { createProposals } from '../../core/mapping/matching/proposals.ts';
import { fingerprintOf, requireChecked } from './plan-fingerprint.ts';
import type { TemplateCalls } from './templates.ts';
import { planUpload, type PlanDependencies } from '../../core/mapping/plan-upload.ts';
import { createValidation, type ValidationDependencies } from '../../core/mapping/validation.ts';

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
): Omit<ModuleHandlers<(typeof calls)['upload']>, TemplateCalls | 'lastMapping' | 'keepLastMapping'> {
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
