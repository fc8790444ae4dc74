import { createHash } from 'node:crypto';
import { AppError, planParts } from '../../../shared/errors/errors.ts';
import type { PlanFingerprint } from '../../../shared/upload/upload.ts';
import type { UploadPlan } from '../../core/tables/model/plan.ts';

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

/**
 * Refuses a plan that would store something else than was checked.
 * @throws AppError upload_changed
 */
export function requireChecked(plan: UploadPlan, checked: PlanFingerprint): void {
  const current = fingerprintOf(plan);
  const parts = planParts.filter((part) => current[part] !== checked[part]);
  if (parts.length > 0) throw new AppError('upload_changed', { file: plan.fileName, parts });
}
