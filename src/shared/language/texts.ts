import type { Reader, Span } from './reader.ts';

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
};
const escape = /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|(\r\n|[\s\S]))/gi;

function isClosed(source: string): boolean {
  let at = source.length - 2;
  while (source[at] === '\\') at--;
  return source.length > 1 && source.endsWith(source.charAt(0)) && (source.length - at) % 2 === 0;
}

/** The value of a quoted text, whose closing quote may be missing. */
export function unquote(source: string): string {
  const inside = source.slice(1, isClosed(source) ? -1 : undefined);
  const lines = source.startsWith('`') ? inside.replaceAll(/\r\n?/g, '\n') : inside;
  if (!lines.includes('\\')) return lines;
  return lines.replace(escape, (_all, wide?: string, four?: string, two?: string, other = '') => {
    const code = wide ?? four ?? two;
    if (code !== undefined) return String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff));
    return escapes[other] ?? (/^[\r\n\u2028\u2029]/.test(other) ? '' : other);
  });
}

const broken = /^\\(?:[1-9]|0\d|x(?![\da-f]{2})|u(?![\da-f]{4}|\{0*(?:10|[\da-f])?[\da-f]{1,4}\}))/i;
const knownEscape = /^\\["'`\\/bfnrtv0ux\r\n\u2028\u2029]/;

/**
 * Refuses a text that is not closed, a template that puts values into its text, and escapes without a meaning: their
 * backslash would silently vanish, and the `\d+` of a pattern become `d+`.
 */
export function checkText(span: Span, reader: Reader): void {
  const source = reader.text.slice(span.start, span.end);
  const isTemplate = source.startsWith('`');
  if (!isClosed(source)) {
    reader.refuse(span, `This text isn’t closed. Add ${source.charAt(0)} at its end.`);
  } else if (isTemplate && /\$\{/.test(source.replaceAll(/\\[\s\S]/g, ''))) {
    reader.refuse(
      span,
      '${…} isn’t evaluated. Enter the whole text, or use a parameter such as {{ask:name}}.',
    );
  } else if (source.includes('\\')) {
    for (const { 0: piece, index } of source.matchAll(/\\(?:\r\n|[\s\S])/g)) {
      const start = span.start + index;
      const at = { start, end: start + piece.length };
      if (broken.test(source.slice(index, index + 20)))
        reader.refuse(at, "This escape can't be read. Write \\\\ for a backslash.");
      else if (!knownEscape.test(piece) && !(isTemplate && /[${]/.test(piece)))
        reader.refuse(
          at,
          `${piece} isn’t a valid escape, and its backslash would be lost. Write \\${piece} for a backslash.`,
        );
    }
  }
}
