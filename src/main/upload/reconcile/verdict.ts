import type { AckedPart } from '../ledger/acked-parts.ts';
import type { UnknownPart } from '../ledger/batch-state.ts';
import type { Match } from './match.ts';
import type { RowPrint } from '../preparing/prints.ts';

/** A part whose fate is unknown, with what its rows are recognised by. */
export interface Suspect {
  readonly unknown: UnknownPart;
  readonly rows: readonly { readonly place: number; readonly print: RowPrint }[];
  /** The ids that its answer named, without saying of which rows. */
  readonly answeredIds: ReadonlySet<string>;
}

/** What one read showed of a suspect. */
export interface Look {
  readonly suspect: Suspect;
  readonly match: Match;
  /** Whether the read showed what it must. */
  readonly shown: boolean;
}

/** What can be said of a part after a look: all of it is known, its answer told which part of it, or it stays open. */
export type Verdict = 'certain' | 'told' | 'open';

const sameMatch = (a: Match, b: Match): boolean =>
  a.stored.size === b.stored.size && [...a.stored].every(([place, id]) => b.stored.get(place) === id);

/** Whether a batch was acked after the part became unknown: only then does a read that shows it tell what is missing. */
const isWitnessed = ({ since }: UnknownPart, witness: AckedPart | null): boolean =>
  witness !== null && witness.left > since;

/**
 * Judges a part. A row that is found is stored; that one is missing is certain only when two reads agree that show a
 * batch acked later, or when the answer itself counted the missing ones.
 * @param earlier the look before this one
 * @param witness the batch acked last; null: there is none, or the comparison is not proven
 */
export function verdictOn(
  { suspect, match, shown }: Look,
  earlier: Look | undefined,
  witness: AckedPart | null,
): Verdict {
  if (match.missing.length === 0) return 'certain';
  const { unknown, answeredIds } = suspect;
  const { answer } = unknown;
  const isTold =
    answer !== undefined &&
    match.recognised === answeredIds.size &&
    match.stored.size === match.recognised &&
    match.missing.length === answer.failed;
  if (isTold) return 'told';
  const agree = shown && earlier?.shown === true && sameMatch(match, earlier.match);
  return isWitnessed(unknown, witness) && !match.doubtful && agree ? 'certain' : 'open';
}

/**
 * Whether a further read can settle it. Without a batch acked later missing rows stay unknown, but a write that
 * commits late may still turn up: that is worth one read more. What was refused does not commit late.
 * @param read how many reads came before this look
 * @param witness as for {@link verdictOn}
 */
export function isHopeful(
  { suspect: { unknown }, match }: Look,
  read: number,
  witness: AckedPart | null,
): boolean {
  const mayBeLate = unknown.status === null || unknown.status >= 500;
  return !match.doubtful && (isWitnessed(unknown, witness) || (read === 0 && mayBeLate));
}
