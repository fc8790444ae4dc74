const newline = 0x0a;
const comma = 0x2c;
const open = 0x5b;
const close = 0x5d;

/**
 * Some records of a prepared body as a body of their own. Each record of a body is on its own line, so no JSON is parsed.
 * @param places of the records, counted from 0, in order
 * @param of how many records the body has
 */
export function recordsOfBody(body: Uint8Array, places: readonly number[], of: number): Uint8Array {
  if (places.length === of) return body;
  const pieces: Uint8Array[] = [];
  let start = 1;
  for (let record = 0, next = 0; next < places.length; record++) {
    const isLast = record === of - 1;
    // Before a line end stands the comma between two records; the last record ends before the closing bracket.
    const end = isLast ? body.length - 1 : body.indexOf(newline, start) - 1;
    if (!isLast && body[end] !== comma) throw new Error('a body has one record on each line');
    if (places[next] === record) {
      pieces.push(Uint8Array.of(next === 0 ? open : comma), body.subarray(start, end));
      next++;
    }
    start = end + 2;
  }
  pieces.push(Uint8Array.of(close));
  return Buffer.concat(pieces);
}
