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
  if (name === 'undefined') return 'undefined has no form in JSON. Write null, or leave the field out.';
  if (name === 'NaN' || name === 'Infinity') return `${name} has no form in JSON. Write a number, or null.`;
  const constant = constants.get(name.toLowerCase());
  if (constant !== undefined) return `${name} is not known. Did you mean ${constant}?`;
  if (parameters.has(name)) {
    return `${name} is neither a number nor true, false or null. Did you mean {{${name}}}, or "${name}" as text?`;
  }
  const near = name.length > 3 ? nearest(name, ['true', 'false', 'null']) : undefined;
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return `${name} is neither a number nor true, false or null.${hint} If it is text, put it in quotes: "${name}".`;
}

/** Refuses what would have to be worked out. */
export function refuseSum(span: Span, reader: Reader): null {
  const said = quote(reader.text, span);
  const isDate = /^\d{4}-\d{1,2}-\d{1,2}/.test(said.replaceAll(' ', ''));
  const message = isDate
    ? `A date needs quotes. Did you mean ISODate("${said}")?`
    : 'Nothing is worked out here. Write the result itself, or a parameter such as {{now-24h}}.';
  return reader.refuse(span, message);
}

function number(said: string): string {
  return /^[+-]?0\d+$/.test(said)
    ? `${said} begins with a 0. Leave the 0 out, or put it in quotes if it is text.`
    : `${said} is not a number. If it is text, put it in quotes: "${said}".`;
}

function character(said: string): string {
  const char = String.fromCodePoint(said.codePointAt(0) ?? 0);
  if (char === '#') return 'The sign # begins no comment here. Write // before a comment.';
  if (/[“”„«»‘’‚]/.test(char)) return `${char} is not a quote that JSON knows. Use straight quotes: "…".`;
  return `The character ${char} can't stand here. If it belongs to a text, put the text in quotes.`;
}

/** Refuses a word that is no value, and says what to write instead. */
export function refuseWord(span: Span, reader: Reader): null {
  const said = quote(reader.text, span);
  const operator = comparisons[said];
  if (operator !== undefined)
    return reader.refuse(span, `${said} is not known here. Did you mean {${operator}: …}?`);
  if (said.startsWith('...'))
    return reader.refuse(span, 'Three dots are not known here. Write the elements themselves.');
  if (/^(?:[+\-!~]|[\w$.]+(?:[+*%&|^<>?]|-.*-|-\d))/.test(said) && !/^[+-]?[\d.]+e/i.test(said))
    return refuseSum(span, reader);
  if (/^[\w$.]+=/.test(said))
    return reader.refuse(span, 'Nothing is assigned here. Write a colon instead of =.');
  const message = /^\.?\d/.test(said)
    ? number(said)
    : /^[\p{L}_$.]/u.test(said)
      ? word(said)
      : character(said);
  return reader.refuse(span, message);
}
