import { isObject, stringifyJson } from '../../../../shared/json.ts';
import type { JsonValue } from '../../../../shared/json.ts';
import type { InsertOutcome } from '../../../core/wire/services/services.ts';
import { problem } from '../../../core/tables/model/problems.ts';

type InsertSummary = Extract<InsertOutcome, { kind: 'answered' }>;

/** The result of each record according to a response: the indexes of rejected ones, or why it is unknown. */
export type ResponseReading =
  | { readonly known: true; readonly refused: readonly { readonly at: number; readonly message: string }[] }
  | { readonly known: false; readonly cause: string };

const maxMessageLength = 300;

/** The text of a message from the service, whatever its shape. */
export function messageText(message: JsonValue | undefined): string {
  if (message === undefined || message === null) return '';
  if (typeof message === 'string') return message.slice(0, maxMessageLength);
  if (!isObject(message)) return stringifyJson(message).slice(0, maxMessageLength);
  for (const name of ['message', 'error', 'detail', 'details', 'reason', 'msg', 'errmsg']) {
    const inner = message[name];
    if (inner !== undefined && inner !== null) return messageText(Array.isArray(inner) ? inner[0] : inner);
  }
  return messageText(Object.values(message).find((value) => typeof value === 'string'));
}

/** The index of the record that a message refers to, from 0; null if it names none. */
function indexOf(message: JsonValue): number | null {
  if (!isObject(message)) return null;
  const index = message['index'];
  return typeof index === 'number' && Number.isInteger(index) ? index : null;
}

/** Whether these are distinct indexes of records. */
const arePlaces = (places: readonly (number | null)[], records: number): places is number[] =>
  places.every((place) => place !== null && place >= 0 && place < records) &&
  new Set(places).size === places.length;

/**
 * Interprets the response to an insert (specification, section 4.1). The shape of `messages` isn't specified: they
 * identify the records that were not stored only if each names its record and their number equals the failed count.
 */
export function readResponse(
  { insertedIds, failedCount, messages }: InsertSummary,
  records: number,
): ResponseReading {
  const stored = insertedIds.length;
  if (stored + failedCount !== records || failedCount < 0)
    return {
      known: false,
      cause: `of ${records} records the service reports ${stored} were stored and ${failedCount} were not`,
    };
  if (failedCount === 0) return { known: true, refused: [] };
  const places = messages.map(indexOf);
  if (places.length === failedCount && arePlaces(places, records))
    return {
      known: true,
      refused: places.map((at, index) => ({ at, message: messageText(messages[index]) })),
    };
  if (stored === 0)
    return {
      known: true,
      refused: Array.from({ length: records }, (_, at) => ({
        at,
        message: messageText(messages[at] ?? messages[0]),
      })),
    };
  return {
    known: false,
    cause: `the service stored ${stored} of ${records} records and didn’t report which`,
  };
}

/** The message for a record that the service did not store. */
export const refusedMessage = (said: string): string => problem('refused', null, said).message;
