import { AppError } from '../../../shared/errors/errors.ts';
import { parseJson, type JsonValue } from '../../../shared/json.ts';

/**
 * The records of a page.
 * @param json text, or its bytes in UTF-8
 * @throws SyntaxError; AppError `internal` when it is no array
 */
export function recordsIn(json: string | Uint8Array): JsonValue[] {
  const records = parseJson(typeof json === 'string' ? json : new TextDecoder().decode(json));
  if (!Array.isArray(records))
    throw new AppError('internal', { problem: 'the answer is not an array of records' });
  return records;
}
