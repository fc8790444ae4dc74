import { AppError } from '../../../shared/errors/errors.ts';
import { parseJson } from '../../../shared/json.ts';
import type { JsonValue } from '../../../shared/json.ts';

const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma] = [code('"'), code('\\'), code(',')];
const opening = new Set([code('{'), code('[')]);
const closing = new Set([code('}'), code(']')]);

/** The end of a string. @param start the position behind its first quote */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}

/** Parts of the text of a JSON array between the commas of its elements. */
function* elementTexts(array: string): Generator<string> {
  let depth = 0;
  let start = 0;
  for (let at = 0; at < array.length; at++) {
    const character = array.charCodeAt(at);
    if (character === quote) at = endOfString(array, at + 1) - 1;
    else if (opening.has(character)) depth++;
    else if (closing.has(character)) depth--;
    else if (character === comma && depth === 0) {
      yield array.slice(start, at);
      start = at + 1;
    }
  }
  yield array.slice(start);
}

/**
 * The records of a page, parsed one by one: parsed at once, a page of large records takes ten times its size.
 * @param text JSON of the page, as the service sent it
 * @throws AppError `bad_answer` if it isn’t a list of records
 */
export function* pageRecords(text: string): Generator<JsonValue> {
  const list = text.trim();
  if (!list.startsWith('[') || !list.endsWith(']'))
    throw new AppError('bad_answer', { service: 'data', problem: 'it isn’t a list of records' });
  if (list.slice(1, -1).trim() === '') return;
  try {
    for (const element of elementTexts(list.slice(1, -1))) yield parseJson(element);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new AppError('bad_answer', { service: 'data', problem: 'it isn’t a list of records' }, { cause });
  }
}
