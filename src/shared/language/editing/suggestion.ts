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
  /** Where in `insert` typing goes on; its end where it is absent. */
  readonly caret?: number;
  /** What the typed piece is compared with, where that is not the label. */
  readonly matches?: string;
  /** Whether what may follow is offered at once. */
  readonly goesOn?: boolean;
}

/** A text with `|` where typing goes on. */
export function withCaret(marked: string): Pick<Suggestion, 'insert' | 'caret'> {
  const at = marked.indexOf('|');
  return at < 0 ? { insert: marked } : { insert: marked.slice(0, at) + marked.slice(at + 1), caret: at };
}
