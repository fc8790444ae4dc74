const newline = 0x0a;
const comma = 0x2c;
const open = 0x5b;
const close = 0x5d;

/**
 * A body with only some records of a prepared body. Each record is on its own line, so no JSON is parsed.
 * @param places indexes of the records, from 0, in ascending order
 * @param of number of records in the body
 * @throws Error if a record isn't on one line
 */
export function recordsOfBody(body: Uint8Array, places: readonly number[], of: number): Uint8Array {
  if (places.length === of) return body;
  const pieces: Uint8Array[] = [];
  let start = 1;
  for (let record = 0, next = 0; next < places.length; record++) {
    const isLast = record === of - 1;
    // A comma precedes each line end between records; the last record ends before the closing bracket.
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
