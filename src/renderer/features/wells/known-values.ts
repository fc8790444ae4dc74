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

export const noKnownValues: KnownValues = {
  fields: new Set(),
  words: { status: new Set(), state: new Set(), visibility: new Set(), area: new Set() },
  ids: {
    companyId: new Set(),
    programId: new Set(),
    padId: new Set(),
    rigId: new Set(),
    fracFleetId: new Set(),
    drilloutUnitId: new Set(),
  },
};

const newValues = ['lastActiveAt', 'startedAt', 'position', 'apiNumber'] as const;

/** Adds the values of more wells. Fast enough to run while a long list loads. */
export function addKnownValues(values: KnownValues, wells: readonly Well[]): KnownValues {
  if (wells.length === 0) return values;
  const fields = new Set(values.fields);
  const words = { ...values.words };
  const ids = { ...values.ids };
  for (const field of wordFields) {
    const added = new Set<string>();
    for (const well of wells) {
      const value = well[field];
      if (value !== null) added.add(value);
    }
    if (added.size > 0) fields.add(field);
    if (!added.isSubsetOf(words[field])) words[field] = words[field].union(added);
  }
  for (const field of relatedFields) {
    const more = new Set<number>();
    for (const well of wells) {
      const value = well[field];
      if (value !== null) more.add(value);
    }
    if (more.size > 0) fields.add(field);
    if (!more.isSubsetOf(ids[field])) ids[field] = ids[field].union(more);
  }
  for (const field of newValues)
    if (!fields.has(field) && wells.some((well) => well[field] !== null)) fields.add(field);
  return { fields, words, ids };
}
