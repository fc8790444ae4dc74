import { isSignificant, scan } from '../scan.ts';
import { nameOf } from '../scope.ts';
import { appendItem, prependItem, removeItem, replaceSpan } from './edits.ts';
import { objectIn, textOf, type Entry, type ObjectOutline } from './outline.ts';

/** Why a picker can't tell, or write, the condition on a path. */
export type Odd =
  /** The text is no object, or can't be read. */
  | 'unreadable'
  /** The path stands more than once, or inside `$or` and its like. */
  | 'several'
  /** The condition is of a kind that the picker does not know. */
  | 'other';

/** The condition of a query on one path: its text, that there is none, or why that can't be told. */
export type Condition =
  | { readonly kind: 'none' }
  | { readonly kind: 'found'; readonly value: string }
  | { readonly kind: 'odd'; readonly why: Odd };

interface Place {
  readonly outline: ObjectOutline;
  readonly entry: Entry | null;
  readonly at: number;
}

// A blank query asks for everything, as an empty object does.
const orEmpty = (text: string) => (text.trim() === '' ? '{}' : text);

/** How often a path stands as a name anywhere in the text, also inside other conditions. */
function timesNamed(text: string, path: string): number {
  const pieces = [...scan(text)].filter(isSignificant);
  return pieces.filter(({ kind, start, end }, at) => {
    if (pieces[at + 1]?.kind !== 'colon') return false;
    const said = text.slice(start, end);
    return (kind === 'text' ? said.slice(1, -1) : said) === path;
  }).length;
}

function placeOf(text: string, path: string): Place | Odd {
  const outline = objectIn(text);
  if (!outline) return 'unreadable';
  const at = outline.items.findIndex(({ key }) => key === path);
  if (timesNamed(text, path) > (at < 0 ? 0 : 1)) return 'several';
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
 * The query with another condition on a path; null takes it out. Only the characters of that condition change. Null
 * where there is no telling where it stands.
 * @param where a new condition goes
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
