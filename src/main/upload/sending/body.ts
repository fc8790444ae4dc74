const newline = 0x0a;
const comma = 0x2c;
const open = 0x5b;
const close = 0x5d;

/**
 * A part of a prepared body as a body of its own. Each record of a body is on its own line, so no JSON is parsed.
 * @param first the first record, counted from 0
 */
export function partOfBody(
  body: Uint8Array<ArrayBuffer>,
  first: number,
  records: number,
  of: number,
): Uint8Array<ArrayBuffer> {
  if (first === 0 && records === of) return body;
  const start = first === 0 ? 1 : lineStart(body, first);
  // Before a line end stands the comma between two records; the last record ends before the closing bracket.
  const end = first + records === of ? body.length - 1 : lineStart(body, first + records) - 2;
  const part = new Uint8Array(end - start + 2);
  part[0] = open;
  part.set(body.subarray(start, end), 1);
  part[part.length - 1] = close;
  return part;
}

function lineStart(body: Uint8Array, record: number): number {
  let at = 0;
  for (let passed = 0; passed < record; passed++) at = body.indexOf(newline, at) + 1;
  if (at === 0 || body[at - 2] !== comma) throw new Error('a body has one record on each line');
  return at;
}
