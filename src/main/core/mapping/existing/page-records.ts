import { AppError } from '../../../../shared/errors/errors.ts';
import { parseJson } from '../../../../shared/json.ts';
import type { JsonValue } from '../../../../shared/json.ts';
import { endOfValue, skipSpace } from '../../records/json-text.ts';

const notList = (cause?: unknown): AppError =>
  new AppError('bad_answer', { service: 'data', problem: 'it isn’t a list of records' }, { cause });

function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (cause) {
    throw notList(cause);
  }
}

const [comma, opening, closing] = [0x2c, 0x5b, 0x5d];

/**
 * The records of a page, parsed one by one: parsed at once, a page of large records takes ten times its size.
 * @param text JSON of the page, as the service sent it
 * @throws AppError `bad_answer` if it isn’t a list of records
 */
export function* pageRecords(text: string): Generator<JsonValue> {
  const bytes = Buffer.from(text);
  const start = skipSpace(bytes, 0);
  if (bytes[start] !== opening) throw notList();
  let at = skipSpace(bytes, start + 1);
  while (bytes[at] !== closing) {
    const end = endOfValue(bytes, at);
    if (end < 0) throw notList();
    yield parsed(bytes.toString('utf8', at, end));
    at = skipSpace(bytes, end);
    if (bytes[at] !== comma) break;
    at = skipSpace(bytes, at + 1);
    if (bytes[at] === closing) throw notList();
  }
  if (bytes[at] !== closing || skipSpace(bytes, at + 1) < bytes.length) throw notList();
}
