import { parseParameter } from '../parameter.ts';
import { refuseQuoted } from '../parameters.ts';
import { createReader, type Bound, type Reader, type Span } from '../reader.ts';
import { read, type Found } from '../relaxed.ts';
import type { Parameter } from '../parameter.ts';

/** A parsed text with a value for each parameter. */
export interface LintReading {
  readonly found: Found | null;
  /** What is wrong, with the whole piece that is. */
  readonly problems: readonly { readonly message: string; readonly span: Span }[];
}

// Any value of the right kind: whether a text can be read does not depend on which one.
function somethingFor(parameter: Parameter, selectedIds: readonly number[]): Bound {
  if (parameter.kind === 'wells') return { kind: 'wells', ids: selectedIds.length > 0 ? selectedIds : [0] };
  if (parameter.kind === 'company') return { kind: 'value', value: 0 };
  if (parameter.kind === 'moment' || parameter.type === 'date') return { kind: 'date', ms: 0 };
  if (parameter.type === 'boolean') return { kind: 'value', value: true };
  return { kind: 'value', value: parameter.type === 'text' ? '' : 0 };
}

/**
 * Reads a text as it will be read when it is sent; what is wrong with it is given, not thrown.
 * @param selectedIds the asset ids that `{{wells}}` stands for; none: one is taken
 */
export function readForLint(text: string, selectedIds: readonly number[]): LintReading {
  const reader: Reader = createReader(text, '', (written, span, refuse) => {
    const parameter = parseParameter(written);
    return typeof parameter === 'string' ? refuse(span, parameter) : somethingFor(parameter, selectedIds);
  });
  if (text.includes('{{')) refuseQuoted(reader);
  const value = read(reader);
  const problems = reader.issues.map(({ message }, at) => ({
    message,
    span: widened(text, reader.spans[at] ?? { start: 0, end: 0 }),
  }));
  return { found: value, problems };
}

/** A visible span: for a missing token, the character at its place or before it. */
function widened(text: string, { start, end }: Span): Span {
  if (end > start) return { start, end };
  const word = /^[\w$.]+/.exec(text.slice(start, start + 60));
  if (word) return { start, end: start + word[0].length };
  return start < text.length ? { start, end: start + 1 } : { start: Math.max(0, start - 1), end: start };
}
