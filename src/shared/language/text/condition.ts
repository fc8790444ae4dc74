import { isSignificant, scan } from '../scan.ts';
import { nameOf } from '../scope.ts';
import { appendItem, prependItem, removeItem, replaceSpan } from './edits.ts';
import { objectOutlineOf, textOf, type Entry, type ObjectOutline } from './outline.ts';

/** Why a picker can't read or edit the condition on a path. */
export type UnreadableReason =
  /** The text isn't an object, or can't be parsed. */
  | 'unreadable'
  /** The path occurs more than once, or inside `$or` and similar operators. */
  | 'several'
  /** The condition is of a kind that the picker doesn't support. */
  | 'other';

/** The condition of a query on a path: its text, none, or why it can't be read. */
export type Condition =
  | { readonly kind: 'none' }
  | { readonly kind: 'found'; readonly value: string }
  | { readonly kind: 'odd'; readonly why: UnreadableReason };

interface Place {
  readonly outline: ObjectOutline;
  readonly entry: Entry | null;
  readonly at: number;
}

// A blank query matches everything, as an empty object.
const orEmpty = (text: string) => (text.trim() === '' ? '{}' : text);

/** How often a path occurs as a name, at any depth. */
function countNames(text: string, path: string): number {
  const pieces = [...scan(text)].filter(isSignificant);
  return pieces.filter(({ kind, start, end }, at) => {
    if (pieces[at + 1]?.kind !== 'colon') return false;
    const source = text.slice(start, end);
    return (kind === 'text' ? source.slice(1, -1) : source) === path;
  }).length;
}

function placeOf(text: string, path: string): Place | UnreadableReason {
  const outline = objectOutlineOf(text);
  if (!outline) return 'unreadable';
  const at = outline.items.findIndex(({ key }) => key === path);
  if (countNames(text, path) > (at < 0 ? 0 : 1)) return 'several';
  return { outline, at, entry: outline.items[at] ?? null };
}

/** The condition of a query, or a $match, on a path. */
export function conditionOn(query: string, path: string): Condition {
  const text = orEmpty(query);
  const place = placeOf(text, path);
  if (typeof place === 'string') return { kind: 'odd', why: place };
  return place.entry ? { kind: 'found', value: textOf(text, place.entry.value) } : { kind: 'none' };
}

/**
 * Replaces the condition on a path; null removes it. Only its characters change.
 * @param where the place of a new condition
 * @returns null if the condition can't be located
 */
export function withCondition(
  query: string,
  path: string,
  value: string | null,
  where: 'first' | 'last' = 'first',
): string | null {
  const text = orEmpty(query);
  const place = placeOf(text, path);
  if (typeof place === 'string') return null;
  const { outline, entry, at } = place;
  if (value === null) return entry ? removeItem(text, outline, at) : query;
  if (entry) return replaceSpan(text, entry.value, value);
  const written = `${nameOf(path)}: ${value}`;
  return where === 'first' ? prependItem(text, outline, written) : appendItem(text, outline, written);
}
