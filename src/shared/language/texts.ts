import type { Reader, Span } from './reader.ts';

/** What to say of a template that puts values into its text. */
export const filledTemplate =
  'Nothing is put into a text by ${…}. Write the whole text, or use a parameter such as {{ask:name}}.';

const escape = /\\(?:\r\n|[\s\S])/g;
const known = /^\\["'`\\/bfnrtv0ux\r\n\u2028\u2029]/;

/** Refuses an escape that has no meaning: its backslash would silently vanish, and the `\d+` of a pattern become `d+`. */
export function checkEscapes(span: Span, reader: Reader): void {
  const raw = reader.text.slice(span.start, span.end);
  if (!raw.includes('\\')) return;
  const isTemplate = raw.startsWith('`');
  for (const match of raw.matchAll(escape)) {
    const [piece] = match;
    if (known.test(piece) || (isTemplate && /[${]/.test(piece))) continue;
    const start = span.start + match.index;
    reader.refuse(
      { start, end: start + piece.length },
      `${piece} means nothing in a text, and its backslash would be lost. Write \\${piece} for a backslash.`,
    );
  }
}
