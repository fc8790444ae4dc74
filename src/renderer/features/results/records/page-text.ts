import { AppError } from '../../../../shared/errors.ts';
import { parseJson, type JsonValue } from '../../../../shared/json.ts';

/** @throws SyntaxError; AppError `internal` when it is no array */
export function recordsIn(text: string): JsonValue[] {
  const records = parseJson(text);
  if (!Array.isArray(records))
    throw new AppError('internal', { problem: 'the answer is not an array of records' });
  return records;
}

/** A page of records cut in two, each an array of its own. */
export interface CutPage {
  readonly first: string;
  /** How long that is as a part of the whole. */
  readonly length: number;
  readonly rest: () => string;
}

/**
 * Cuts the first records off a page without reading the others, which takes longer than drawing some.
 * @returns null: the page has no more than these
 */
export function cutAfter(text: string, records: number): CutPage | null {
  const start = text.indexOf('[');
  let depth = 0;
  let left = records;
  for (let at = start; at >= 0 && at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"') at = endOfString(text, at);
    else if (letter === '[' || letter === '{') depth += 1;
    else if (letter === ']' || letter === '}') depth -= 1;
    else if (letter === ',' && depth === 1) {
      left -= 1;
      if (left > 0) continue;
      const end = at;
      return { first: `${text.slice(start, end)}]`, length: end, rest: () => `[${text.slice(end + 1)}` };
    }
    if (depth <= 0) return null;
  }
  return null;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at += 1;
  }
  return text.length;
}
