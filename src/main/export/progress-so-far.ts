import type { WindowRule } from '../paging/rule.ts';
import type { ExportEntry } from './plan.ts';
import type { Checkpoint, Finished } from './writing/spec.ts';

/** What the journal tells of an export. */
export interface SoFar {
  /** When it began, ISO 8601. */
  readonly began: string | null;
  /** Path of the incomplete file. */
  readonly partial: string | null;
  /** How pages are cut; undefined: not surveyed yet. `why` says why there are no windows. */
  readonly surveyed: { readonly rule: WindowRule | null; readonly why: string | null } | undefined;
  /** What a count at the start said. */
  readonly counted: number | null;
  /** Each page written since everything was read anew last. */
  readonly checkpoints: readonly Checkpoint[];
  readonly finished: { readonly file: Finished; readonly rows: number } | null;
}

const nothing: SoFar = {
  began: null,
  partial: null,
  surveyed: undefined,
  counted: null,
  checkpoints: [],
  finished: null,
};

function after(before: SoFar, entry: ExportEntry): SoFar {
  if (entry.kind === 'began') return { ...before, began: before.began ?? entry.at, partial: entry.partial };
  if (entry.kind === 'surveyed') return { ...before, surveyed: { rule: entry.rule, why: entry.why } };
  if (entry.kind === 'counted') return { ...before, counted: entry.count };
  if (entry.kind === 'gaveUp') return { ...before, surveyed: { rule: null, why: entry.why }, finished: null };
  if (entry.kind === 'page' || entry.kind === 'anew') return { ...before, finished: null };
  return { ...before, finished: { file: entry.file, rows: entry.rows } };
}

/** Reads the journal. */
export function soFar(entries: readonly ExportEntry[]): SoFar {
  const last = entries.findLastIndex(({ kind }) => kind === 'gaveUp' || kind === 'anew');
  const pages = entries.slice(last + 1).flatMap((entry) => (entry.kind === 'page' ? [entry.checkpoint] : []));
  return { ...entries.reduce(after, nothing), checkpoints: pages };
}
