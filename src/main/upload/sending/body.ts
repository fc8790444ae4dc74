const newline = 0x0a;
const comma = 0x2c;
const open = 0x5b;
const close = 0x5d;

/**
 * A part of a prepared body as a body of its own. Each record of a body is on its own line, so no JSON is parsed.
 * @param first the first record, counted from 0
 */
export function partOfBody(body: Uint8Array, first: number, records: number, of: number): Uint8Array {
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

/** Single records of a prepared body as a body of their own: those at these places, which are in order. */
export function recordsOfBody(body: Uint8Array, places: readonly number[], of: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  let start = 1;
  let next = 0;
  for (let record = 0; record < of && next < places.length; record++) {
    const last = record === of - 1;
    const end = last ? body.length - 1 : body.indexOf(newline, start) - 1;
    if (!last && body[end] !== comma) throw new Error('a body has one record on each line');
    if (places[next] === record) {
      pieces.push(Uint8Array.of(next === 0 ? open : comma), body.subarray(start, end));
      next++;
    }
    start = end + 2;
  }
  pieces.push(Uint8Array.of(close));
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function lineStart(body: Uint8Array, record: number): number {
  let at = 0;
  for (let passed = 0; passed < record; passed++) at = body.indexOf(newline, at) + 1;
  if (at === 0 || body[at - 2] !== comma) throw new Error('a body has one record on each line');
  return at;
}
