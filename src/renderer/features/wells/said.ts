import type { Well } from '../../../shared/wells/wells.ts';
import { relatedFields, wordFields, type RelatedField, type WordField } from './filter.ts';

/** What the listed wells say of themselves. */
export interface Said {
  /** The fields that at least one well has a value in. */
  readonly fields: ReadonlySet<keyof Well>;
  /** The values of fields that a filter can be chosen from. */
  readonly words: Readonly<Record<WordField, ReadonlySet<string>>>;
  readonly ids: Readonly<Record<RelatedField, ReadonlySet<number>>>;
}

export const nothingSaid: Said = {
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

const others = ['lastActiveAt', 'startedAt', 'position', 'apiNumber'] as const;

/** What is known with some more wells. Quick: it is done while a long list comes in. */
export function learn(said: Said, wells: readonly Well[]): Said {
  if (wells.length === 0) return said;
  const fields = new Set(said.fields);
  const words = { ...said.words };
  const ids = { ...said.ids };
  for (const field of wordFields) {
    const more = new Set<string>();
    for (const well of wells) {
      const value = well[field];
      if (value !== null) more.add(value);
    }
    if (more.size > 0) fields.add(field);
    if (!more.isSubsetOf(words[field])) words[field] = words[field].union(more);
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
  for (const field of others)
    if (!fields.has(field) && wells.some((well) => well[field] !== null)) fields.add(field);
  return { fields, words, ids };
}
