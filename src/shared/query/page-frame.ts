/**
 * Stands between the JSON of an answer and the records of its page in one binary frame of the browser host's socket; no
 * UTF-8 text holds this byte.
 */
export const pageDelimiter = 0xff;

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Whether an answer of the RPC library carries a page: it travels as bytes, every other as JSON text. */
export const hasRecords = (answer: unknown): boolean =>
  ['body', 'json', 'records'].reduce(member, answer) instanceof Uint8Array;
