/**
 * The values of a list: `texts`, such as names; `words`, such as ids and paths, which seldom have blanks or commas; or
 * `decimals`, numbers with decimal commas.
 */
export type ListOf = 'texts' | 'words' | 'decimals';

/** Marks of encoding and direction, and characters without a width. */
const invisible = /[\0\u200B-\u200F\u202A-\u202E\u2060\uFEFF]/g;
const unusualBlanks = /[\u00A0\u2007\u202F]/g;
const lineEnds = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/** A value in quotes that fills its place, also as the formula by which a file of Excel protects a text: `="0012"`. */
const quotedValue = (separators: string) =>
  new RegExp(`(?<=^|[${separators}]) *(=?"(?:[^"]|"")+"|'(?:[^'\\n]|'')+') *(?=[${separators}]|$)`, 'g');
const plainQuoted = quotedValue('\\n\\t,;');
const quotedValues = { texts: plainQuoted, words: quotedValue('\\n\\t,; '), decimals: plainQuoted };
/** A comma between digits is part of a number. */
const besideDecimals = /[\n\t;]|,(?!\d)|(?<!\d),/;

function unquoted(value: string): string {
  const [quote = ''] = value.replace(/^=/, '');
  const inside = value.slice(value.indexOf(quote) + 1, -1).replaceAll(quote + quote, quote);
  return inside.replaceAll(/ *\n */g, ' ').trim();
}

const withoutEnds = (text: string): string => text.replace(/^[\s,;]+/, '').replace(/[\s,;]+$/, '');

/** @param text without the values in quotes */
function separatorIn(text: string, kind: ListOf): RegExp {
  if (kind === 'decimals') return besideDecimals;
  if (kind === 'words') return /[\n\t]/.test(text) ? /[\n\t,;]/ : /[\s,;]/;
  const isContinued = /, *\n/.test(text);
  const hasNumbersOnly = /^[\d\s,-]*$/.test(text) && !/\d,\d/.test(text);
  return isContinued || hasNumbersOnly || !/[\n\t;]/.test(text) ? /[\n\t,;]/ : /[\n\t;]/;
}

/**
 * The values of a list as people type it, or paste it from a spreadsheet, a query, or a message: each once, as text, in
 * its order.
 *
 * Line ends, tabs, and semicolons always separate. Commas separate `words`, and `texts` in a list without the others:
 * in a column they are part of names, such as `Smith, A #1`, unless a line ends with one, or all values are whole numbers.
 * Commas that aren't between digits separate `decimals`. Blanks separate `words` in one line. In single or double quotes,
 * all of them are part of the value; a line end in a cell is a blank. Blanks around values, invisible characters, and the
 * apostrophe before texts of Excel are dropped.
 */
export function readList(text: string, kind: ListOf = 'texts'): string[] {
  const plain = text.replace(invisible, '').replace(unusualBlanks, ' ').replace(lineEnds, '\n');
  // Values in quotes, at the odd places, and the texts between them.
  const parts = plain.split(quotedValues[kind]);
  const between = parts.filter((_, at) => at % 2 === 0);
  const separator = separatorIn(withoutEnds(between.join('0')), kind);
  const values = parts.flatMap((part, at) =>
    at % 2 === 1
      ? [unquoted(part)]
      : part.split(separator).map((value) => withoutEnds(value).replace(/^'(?=.)/, '')),
  );
  return [...new Set(values.filter((value) => value !== ''))];
}

/** A list in one line that {@link readList} reads as these values. */
export const writeList = (values: readonly string[], kind: ListOf = 'texts'): string =>
  values
    .map((value) =>
      /^["'=]/.test(value) ||
      (kind === 'decimals' ? besideDecimals : /[\n\t,;]/).test(value) ||
      (kind === 'words' && value.includes(' '))
        ? `"${value.replaceAll('"', '""')}"`
        : value,
    )
    .join(kind === 'decimals' ? '; ' : ', ');
