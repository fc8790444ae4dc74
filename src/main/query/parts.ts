import { setImmediate } from 'node:timers/promises';
import type { RecordPart } from '../../shared/query.ts';
import { endOfItems } from '../http/whole-json.ts';
import type { RecordsAnswer } from '../services/services.ts';

/** More than a screen, and as many as are looked at for how wide a column is. */
const firstRecords = 200;

/**
 * An answer in parts: the first records are on their way before the others, megabytes of them, are made into a message.
 * @param ms from the request to the whole answer
 */
export async function* partsOf(answer: RecordsAnswer, ms: number): AsyncGenerator<RecordPart> {
  const { count, total } = answer;
  const bytes = Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength);
  const said = { part: 'first', count, total, ms, bytes: bytes.length } as const;
  const end = endOfItems(bytes, firstRecords);
  if (end === null) {
    yield { ...said, records: answer.text, whole: true };
    return;
  }
  yield { ...said, records: `${bytes.toString('utf8', bytes.indexOf('['), end)}]`, whole: false };
  // A message is written once the calls of this turn have returned.
  await setImmediate();
  yield { part: 'others', records: `[${bytes.toString('utf8', end + 1)}` };
}
