/** What a look over a JSON text found, without parsing it. */
export interface Shape {
  /** Whether everything that was opened is closed again: false for a text that was cut off. */
  readonly whole: boolean;
  readonly kind: 'array' | 'object' | 'other';
  /** Items of the outermost array or object. */
  readonly items: number;
  /** Whether a character stands outside strings that JSON does not have there, as the `N` of `NaN`. */
  readonly strange: boolean;
}

const byteClass = { plain: 0, space: 1, quote: 2, open: 3, close: 4, comma: 5, strange: 6 } as const;
const classes = new Uint8Array(256).fill(byteClass.strange);
for (const char of 'truefalsn0123456789+-.eE:') classes[char.charCodeAt(0)] = byteClass.plain;
for (const char of ' \t\r\n') classes[char.charCodeAt(0)] = byteClass.space;
for (const char of '[{') classes[char.charCodeAt(0)] = byteClass.open;
for (const char of ']}') classes[char.charCodeAt(0)] = byteClass.close;
classes[0x22] = byteClass.quote;
classes[0x2c] = byteClass.comma;

/**
 * Looks over the UTF-8 bytes of a JSON text: is it whole, and how many items has its outermost array?
 * Several times cheaper than parsing and makes no garbage, so that a page of 10,000 records, which travels on as text,
 * does not stall the event loop.
 */
export function shapeOf(bytes: Uint8Array): Shape {
  const { length } = bytes;
  let depth = 0;
  let items = 0;
  let ended = false;
  let strange = false;
  let i = 0;
  while (i < length && classes[bytes[i]!] === byteClass.space) i += 1;
  const first = bytes[i];
  const kind = first === 0x5b ? 'array' : first === 0x7b ? 'object' : 'other';
  for (; i < length; i += 1) {
    const type = classes[bytes[i]!]!;
    if (type === byteClass.space) continue;
    if (ended) strange = true;
    if (type === byteClass.close) {
      depth -= 1;
      if (depth <= 0) ended = true;
      continue;
    }
    if (depth === 1 && (items === 0 || type === byteClass.comma)) items += 1;
    if (type === byteClass.open) depth += 1;
    else if (type === byteClass.quote) i = endOfString(bytes, i);
    else if (type === byteClass.strange) strange = true;
  }
  const whole = kind === 'other' ? length > 0 && i === length : ended && depth === 0;
  return { whole, kind, items, strange };
}

/** The index of the closing quote; beyond the end when there is none. */
function endOfString(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  let i = start + 1;
  while (i < length) {
    const byte = bytes[i]!;
    if (byte === 0x22) return i;
    i += byte === 0x5c ? 2 : 1;
  }
  return length + 1;
}
