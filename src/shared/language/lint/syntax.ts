import { parseParameter, type Parameter } from '../parameter.ts';
import { refuseQuoted } from '../parameters.ts';
import { createReader, type Bound, type Span } from '../reader.ts';
import { read } from '../relaxed.ts';

/** Why a text can't be read, and the whole piece that is wrong. */
interface SyntaxProblem {
  readonly message: string;
  readonly span: Span;
}

// Any value of the right kind: whether a text can be read does not depend on which one.
function exampleOf(parameter: Parameter, selectedIds: readonly number[]): Bound {
  if (parameter.kind === 'wells') return { kind: 'wells', ids: selectedIds.length > 0 ? selectedIds : [0] };
  if (parameter.kind === 'company') return { kind: 'value', value: 0 };
  if (parameter.kind === 'moment' || parameter.type === 'date') return { kind: 'date', ms: 0 };
  if (parameter.type === 'boolean') return { kind: 'value', value: true };
  return { kind: 'value', value: parameter.type === 'text' ? '' : 0 };
}

/**
 * Reads a text as it will be read when it is sent. Never throws.
 * @param selectedIds the asset ids that `{{wells}}` stands for; none: as with one
 */
export function syntaxProblems(text: string, selectedIds: readonly number[]): SyntaxProblem[] {
  const reader = createReader(text, '', (written, span, refuse) => {
    const parameter = parseParameter(written);
    return typeof parameter === 'string' ? refuse(span, parameter) : exampleOf(parameter, selectedIds);
  });
  if (text.includes('{{')) refuseQuoted(reader);
  read(reader);
  return reader.issues.map(({ message }, at) => ({
    message,
    span: widened(text, reader.spans[at] ?? { start: 0, end: 0 }),
  }));
}

/** A visible span: for a missing token, the character at its place or before it. */
function widened(text: string, { start, end }: Span): Span {
  if (end > start) return { start, end };
  const word = /^[\w$.]+/.exec(text.slice(start, start + 60));
  if (word) return { start, end: start + word[0].length };
  return start < text.length ? { start, end: start + 1 } : { start: Math.max(0, start - 1), end: start };
}
