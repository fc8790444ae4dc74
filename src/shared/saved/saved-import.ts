import type { SavedQuery, SharedQuery } from './saved.ts';

const same = (a: SharedQuery, b: SharedQuery): boolean =>
  a.folder === b.folder && a.name === b.name && a.provider === b.provider && a.dataset === b.dataset;
// Answers are not handed on, so they tell nothing apart.
const asksTheSame = (a: SharedQuery, b: SharedQuery): boolean =>
  JSON.stringify({ ...a.question, answers: {} }) === JSON.stringify({ ...b.question, answers: {} });

/** What an import comes to beside what is saved already. */
export interface Compared {
  readonly added: SharedQuery[];
  /** Of the same name in the same folder, but they ask something else. */
  readonly conflicts: { readonly theirs: SharedQuery; readonly ours: SavedQuery }[];
  /** Saved already, word for word. */
  readonly known: SharedQuery[];
}

/** Compares queries of a file with those that are saved. */
export function compareSaved(theirs: readonly SharedQuery[], ours: readonly SavedQuery[]): Compared {
  const compared: Compared = { added: [], conflicts: [], known: [] };
  for (const one of theirs) {
    const found = ours.find((each) => same(each, one));
    if (!found) compared.added.push(one);
    else if (asksTheSame(found, one)) compared.known.push(one);
    else compared.conflicts.push({ theirs: one, ours: found });
  }
  return compared;
}

export interface Stamp {
  readonly newId: () => string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** The queries to put for an import, conflicts decided: both are kept under two names, or theirs takes ours' place. */
export function decided(
  { added, conflicts }: Compared,
  choice: 'both' | 'replace',
  ours: readonly SavedQuery[],
  { newId, now }: Stamp,
): SavedQuery[] {
  const fresh = (one: SharedQuery): SavedQuery => ({ ...one, id: newId(), changedAt: now });
  const settled: SavedQuery[] = added.map(fresh);
  for (const { theirs, ours: own } of conflicts) {
    if (choice === 'replace') settled.push({ ...theirs, id: own.id, changedAt: now });
    else settled.push(fresh({ ...theirs, name: freeName(theirs, [...ours, ...settled]) }));
  }
  return settled;
}

/** The name with the first number that nobody has: `Rate of penetration (2)`. */
export function freeName(one: SharedQuery, others: readonly SharedQuery[]): string {
  for (let number = 2; ; number += 1) {
    const name = `${one.name.slice(0, 190)} (${number})`;
    if (!others.some((other) => other.folder === one.folder && other.name === name)) return name;
  }
}
