import { AppError } from '../../../../shared/errors.ts';
import { parseJson, type JsonValue } from '../../../../shared/json.ts';

/** @throws SyntaxError; AppError `internal` when it is no array */
export function recordsIn(text: string): JsonValue[] {
  const records = parseJson(text);
  if (!Array.isArray(records))
    throw new AppError('internal', { problem: 'the answer is not an array of records' });
  return records;
}
