import { nearestWord } from './nearest.ts';
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
  const suggestion = name.length > 3 ? nearestWord(name, ['true', 'false', 'null']) : undefined;
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  return `${name} isn't a number, true, false, or null.${hint} If it is text, put it in quotes: "${name}".`;
}

/** Refuses an expression that would have to be calculated. */
export function refuseSum(span: Span, reader: Reader): null {
  const source = quote(reader.text, span);
  const isDate = /^\d{4}-\d{1,2}-\d{1,2}/.test(source.replaceAll(' ', ''));
  const message = isDate
    ? `A date needs quotes. Did you mean ISODate("${source}")?`
    : 'Expressions aren’t evaluated here. Enter the result, or a parameter such as {{now-24h}}.';
  return reader.refuse(span, message);
}

function number(source: string): string {
  return /^[+-]?0\d+$/.test(source)
    ? `${source} begins with 0. Remove the 0, or put it in quotes if it is text.`
    : `${source} isn't a number. If it is text, put it in quotes: "${source}".`;
}

function character(source: string): string {
  const char = String.fromCodePoint(source.codePointAt(0) ?? 0);
  if (char === '#') return '# doesn’t start a comment. Use // before a comment.';
  if (/[“”„«»‘’‚]/.test(char)) return `${char} isn't a valid quotation mark. Use straight quotes: "…".`;
  return `The character ${char} isn't allowed here. If it is part of a text, put the text in quotes.`;
}

/** Refuses a word that isn't a value, with a suggestion. */
export function refuseWord(span: Span, reader: Reader): null {
  const source = quote(reader.text, span);
  const operator = comparisons.get(source);
  if (operator !== undefined)
    return reader.refuse(span, `${source} isn't supported here. Did you mean {${operator}: …}?`);
  if (source.startsWith('...')) return reader.refuse(span, 'Spread (…) isn’t supported. List the elements.');
  if (/^(?:[+\-!~]|[\w$.]+(?:[+*%&|^<>?]|-.*-|-\d))/.test(source) && !/^[+-]?[\d.]+e/i.test(source))
    return refuseSum(span, reader);
  if (/^[\w$.]+=/.test(source))
    return reader.refuse(span, 'Assignments aren’t supported. Use a colon instead of =.');
  const message = /^\.?\d/.test(source)
    ? number(source)
    : /^[\p{L}_$.]/u.test(source)
      ? word(source)
      : character(source);
  return reader.refuse(span, message);
}
