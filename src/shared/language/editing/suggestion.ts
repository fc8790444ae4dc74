import type { Span } from '../reader.ts';

/** A suggestion while typing. */
export interface Suggestion {
  readonly label: string;
  readonly kind: 'field' | 'operator' | 'stage' | 'parameter' | 'value' | 'well';
  /** Shown beside the label: type and unit. */
  readonly detail?: string;
  /** Shown below the list for the selected suggestion. */
  readonly says?: string;
  readonly replace: Span;
  readonly insert: string;
  /** The caret positions in `insert`, in the order of Tab; default: its end. */
  readonly stops?: readonly number[];
  /** What the typed piece is compared with, where that is not the label. */
  readonly matches?: string;
  /** Whether further suggestions are shown at once. */
  readonly continues?: boolean;
}

/** Converts a text with `|` at each caret position. */
export function withStops(marked: string): Pick<Suggestion, 'insert' | 'stops'> {
  const pieces = marked.split('|');
  const insert = pieces.join('');
  if (pieces.length === 1) return { insert };
  return { insert, stops: pieces.slice(1).map((_, at) => pieces.slice(0, at + 1).join('').length) };
}
