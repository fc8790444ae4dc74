import type { DatasetAddress } from '../../shared/datasets/datasets.ts';
import { AppError, invalidInput } from '../../shared/errors/errors.ts';
import { isObject, type JsonValue } from '../../shared/json.ts';
import { jsonOf, UnreadableAnswer, type Answer } from '../http/answer.ts';
import type { Http } from '../http/http.ts';
import { inWords, recordsPath } from './paths.ts';
import type { CallOptions, InsertOutcome } from './services.ts';

/** The specification's limit of one insert (section 8). */
export const mostInserted = 1000;

/**
 * Sends one batch exactly once and says what can be known of it.
 * @throws AppError `cancelled` before anything was sent, `invalid_input` for a batch of another size than 1 to 1,000
 */
export async function insertRecords(
  http: Http,
  address: DatasetAddress,
  body: Uint8Array,
  rows: number,
  options: CallOptions = {},
): Promise<InsertOutcome> {
  if (!Number.isInteger(rows) || rows < 1 || rows > mostInserted) {
    throw invalidInput(`An insert takes 1 to ${mostInserted} records.`, { field: 'records' });
  }
  const request = { method: 'POST', path: recordsPath(address), body } as const;
  const sent = await http.send(request, { ...options, what: inWords(address) });
  if (sent.kind === 'not_sent') return { kind: 'not_sent', error: sent.error };
  if (sent.kind === 'lost') return { kind: 'unknown', status: null, error: sent.error };
  return sent.error ? refused(sent.answer.status, sent.retryAfterMs, sent.error) : answered(sent.answer);
}

function refused(status: number, retryAfterMs: number | null, error: AppError): InsertOutcome {
  if (status === 401 || status === 413 || status === 429)
    return { kind: 'not_stored', status, retryAfterMs, error };
  return { kind: 'unknown', status, error };
}

/** Only a 200 promises the three fields; anything else that can't be read leaves the outcome open. */
function answered(answer: Answer): InsertOutcome {
  try {
    const { insertedIds, failedCount, messages } = readInsert(jsonOf(answer));
    return { kind: 'answered', insertedIds, failedCount, messages };
  } catch (error) {
    const problem = error instanceof UnreadableAnswer ? error.problem : 'it can’t be read';
    return {
      kind: 'unknown',
      status: answer.status,
      error: new AppError('bad_answer', { service: 'data', problem }),
    };
  }
}

function readInsert(value: JsonValue): { insertedIds: string[]; failedCount: number; messages: JsonValue[] } {
  if (!isObject(value)) throw new UnreadableAnswer('it isn’t a response to an insert');
  const ids = value['inserted_ids'];
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) {
    throw new UnreadableAnswer('it doesn’t list the inserted records');
  }
  const failed = value['failed_count'] ?? 0;
  const failedCount = typeof failed === 'string' && /^\d+$/.test(failed) ? Number(failed) : failed;
  if (typeof failedCount !== 'number' || !Number.isInteger(failedCount)) {
    throw new UnreadableAnswer('it doesn’t report the number of failed records');
  }
  const messages = value['messages'];
  return {
    insertedIds: ids,
    failedCount,
    messages: Array.isArray(messages) ? messages : messages ? [messages] : [],
  };
}
