import type { Span } from '../reader.ts';

/** `error` stops the run; `warning` explains what will most likely come of it. */
export type Severity = 'error' | 'warning';

/** A change of a text. Edits of one fix do not overlap; offsets are those of the text before all of them. */
export interface TextEdit extends Span {
  readonly text: string;
}

export interface QuickFix {
  /** What it does: “Write 1”. */
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** Something that is wrong with a text, or most likely not meant. */
export interface Finding extends Span {
  readonly severity: Severity;
  /** Which rule, such as `sort_direction`; the same for all findings of one kind. */
  readonly code: string;
  /** What is wrong, and what to do. */
  readonly message: string;
  /** Of `start`; both from 1. */
  readonly line: number;
  readonly column: number;
  readonly fix?: QuickFix;
}

/** The text after a fix. */
export function applyFix(text: string, { edits }: QuickFix): string {
  let done = 0;
  let result = '';
  for (const { start, end, text: by } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(done, start) + by;
    done = end;
  }
  return result + text.slice(done);
}
