import type { Well } from '../../../shared/wells/wells.ts';
import { relatedFields, wordFields, type RelatedField, type WordField } from './filter.ts';

/** The values that occur in the listed wells. */
export interface KnownValues {
  /** The fields with a value in at least one well. */
  readonly fields: ReadonlySet<keyof Well>;
  /** The values of fields with a filter. */
  readonly words: Readonly<Record<WordField, ReadonlySet<string>>>;
  readonly ids: Readonly<Record<RelatedField, ReadonlySet<number>>>;
}

/** Fields that the service filters too, by a range or a text. */
const otherFields = ['lastActiveAt', 'startedAt', 'position', 'apiNumber'] as const;

/** Fast enough to run while a long list loads. */
export function knownValuesOf(wells: readonly Well[]): KnownValues {
  const words = {
    status: new Set<string>(),
    state: new Set<string>(),
    visibility: new Set<string>(),
    area: new Set<string>(),
  };
  const ids = {
    companyId: new Set<number>(),
    programId: new Set<number>(),
    padId: new Set<number>(),
    rigId: new Set<number>(),
    fracFleetId: new Set<number>(),
    drilloutUnitId: new Set<number>(),
  };
  for (const well of wells) {
    for (const field of wordFields) if (well[field] !== null) words[field].add(well[field]);
    for (const field of relatedFields) if (well[field] !== null) ids[field].add(well[field]);
  }
  const fields = new Set<keyof Well>([
    ...wordFields.filter((field) => words[field].size > 0),
    ...relatedFields.filter((field) => ids[field].size > 0),
    ...otherFields.filter((field) => wells.some((well) => well[field] !== null)),
  ]);
  return { fields, words, ids };
}
