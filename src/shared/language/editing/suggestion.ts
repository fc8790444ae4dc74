import type { Span } from '../reader.ts';

/** What is offered while typing. */
export interface Suggestion {
  readonly label: string;
  readonly kind: 'field' | 'operator' | 'stage' | 'parameter' | 'value' | 'well';
  /** Beside the label: type and unit. */
  readonly detail?: string;
  /** Below the list, for the one that is chosen. */
  readonly says?: string;
  readonly replace: Span;
  readonly insert: string;
  /** Where in `insert` typing goes on, at one place after the other by Tab; its end where it is absent. */
  readonly stops?: readonly number[];
  /** What the typed piece is compared with, where that is not the label. */
  readonly matches?: string;
  /** Whether what may follow is offered at once. */
  readonly goesOn?: boolean;
}

/** A text with `|` at each place where typing goes on. */
export function withStops(marked: string): Pick<Suggestion, 'insert' | 'stops'> {
  const pieces = marked.split('|');
  const insert = pieces.join('');
  if (pieces.length === 1) return { insert };
  return { insert, stops: pieces.slice(1).map((_, at) => pieces.slice(0, at + 1).join('').length) };
}
