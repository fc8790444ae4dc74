/**
 * Separates the JSON of a response from the records in a binary frame of the browser host's socket; no UTF-8
 * text contains this byte.
 */
export const pageDelimiter = 0xff;

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Whether an RPC response has a page: it is sent as bytes, others as JSON text. */
export const hasRecords = (answer: unknown): boolean =>
  ['body', 'json', 'records'].reduce(member, answer) instanceof Uint8Array;
