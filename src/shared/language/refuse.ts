import { nearest } from './nearest.ts';
import { comparisons, quote, type Reader, type Span } from './reader.ts';

const constants = new Map([
  ['none', 'null'],
  ['nil', 'null'],
  ['null', 'null'],
  ['undefined', 'null'],
  ['true', 'true'],
  ['false', 'false'],
]);

const parameters = new Set(['wells', 'company', 'now', 'today']);

function word(name: string): string {
  if (name === 'undefined') return 'undefined isn’t valid in JSON. Use null, or remove the field.';
  if (name === 'NaN' || name === 'Infinity') return `${name} isn't valid in JSON. Use a number or null.`;
  const constant = constants.get(name.toLowerCase());
  if (constant !== undefined) return `${name} is unknown. Did you mean ${constant}?`;
  if (parameters.has(name)) {
    return `${name} isn't a number, true, false, or null. Did you mean {{${name}}}, or "${name}" as text?`;
  }
  const near = name.length > 3 ? nearest(name, ['true', 'false', 'null']) : undefined;
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return `${name} isn't a number, true, false, or null.${hint} If it is text, put it in quotes: "${name}".`;
}

/** Refuses what would have to be worked out. */
export function refuseSum(span: Span, reader: Reader): null {
  const said = quote(reader.text, span);
  const isDate = /^\d{4}-\d{1,2}-\d{1,2}/.test(said.replaceAll(' ', ''));
  const message = isDate
    ? `A date needs quotes. Did you mean ISODate("${said}")?`
    : 'Expressions aren’t evaluated here. Enter the result, or a parameter such as {{now-24h}}.';
  return reader.refuse(span, message);
}

function number(said: string): string {
  return /^[+-]?0\d+$/.test(said)
    ? `${said} begins with 0. Remove the 0, or put it in quotes if it is text.`
    : `${said} isn't a number. If it is text, put it in quotes: "${said}".`;
}

function character(said: string): string {
  const char = String.fromCodePoint(said.codePointAt(0) ?? 0);
  if (char === '#') return '# doesn’t start a comment. Use // before a comment.';
  if (/[“”„«»‘’‚]/.test(char)) return `${char} isn't a valid quotation mark. Use straight quotes: "…".`;
  return `The character ${char} isn't allowed here. If it is part of a text, put the text in quotes.`;
}

/** Refuses a word that is no value, and says what to write instead. */
export function refuseWord(span: Span, reader: Reader): null {
  const said = quote(reader.text, span);
  const operator = comparisons[said];
  if (operator !== undefined)
    return reader.refuse(span, `${said} isn't supported here. Did you mean {${operator}: …}?`);
  if (said.startsWith('...')) return reader.refuse(span, 'Spread (…) isn’t supported. List the elements.');
  if (/^(?:[+\-!~]|[\w$.]+(?:[+*%&|^<>?]|-.*-|-\d))/.test(said) && !/^[+-]?[\d.]+e/i.test(said))
    return refuseSum(span, reader);
  if (/^[\w$.]+=/.test(said))
    return reader.refuse(span, 'Assignments aren’t supported. Use a colon instead of =.');
  const message = /^\.?\d/.test(said)
    ? number(said)
    : /^[\p{L}_$.]/u.test(said)
      ? word(said)
      : character(said);
  return reader.refuse(span, message);
}
