import { placesIn, type Span } from '../reader.ts';
import type { Finding, QuickFix, Severity } from './finding.ts';

/** What a rule says of a piece. */
export interface Remark {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly fix?: QuickFix | undefined;
}

/** Gathers what the rules find in one text, with line and column. */
export interface Notes {
  readonly note: (span: Span, remark: Remark) => void;
  /** In the order of the text. */
  readonly findings: () => Finding[];
}

/** How many findings of one text are told; nobody reads more, and a broken file has thousands. */
const most = 200;

export function makeNotes(text: string): Notes {
  const placeOf = placesIn(text, '');
  const found: Finding[] = [];
  return {
    note({ start, end }, { severity, code, message, fix }) {
      if (found.length >= most) return;
      const { line, column } = placeOf(start);
      found.push({ severity, code, message, start, end, line, column, ...(fix ? { fix } : {}) });
    },
    findings: () => found.toSorted((a, b) => a.start - b.start),
  };
}

/** A fix that puts something in a piece's place. */
export function replaceBy({ start, end }: Span, text: string, title = `Write ${text}`): QuickFix {
  return { title, edits: [{ start, end, text }] };
}
