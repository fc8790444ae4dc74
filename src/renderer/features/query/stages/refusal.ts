import { stages as knownStages, writingStages } from '../../../../shared/language/catalogue/stages.ts';

/** Why a service will not run a stage, in short. */
export type Refusal = 'writes' | 'unknown' | 'unreadable';

/** Why the service will not run a stage with this operator; null: nothing is known against it. */
export function refusalOf(operator: string | null): Refusal | null {
  if (operator === null) return 'unreadable';
  if (writingStages.has(operator)) return 'writes';
  return knownStages.has(operator) ? null : 'unknown';
}
