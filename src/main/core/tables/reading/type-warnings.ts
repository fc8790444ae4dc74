import { quantitiesOf } from '../../../../shared/channels/units.ts';
import type { FileWarning } from '../../../../shared/upload/upload.ts';
import type { WarningCode } from '../../../../shared/upload/warnings.ts';
import { isDecimalNumber } from './cells.ts';
import type { ColumnFacts, ColumnType } from './column-facts.ts';
import { valueCount, type JudgedType } from './column-type.ts';

/** A warning about a column: words that follow its name, and the affected rows. */
export type WarningText = readonly [
  code: WarningCode,
  line: number | null | undefined,
  words: string,
  count: number,
  about?: Pick<FileWarning, 'cell' | 'cells' | 'digits'>,
];

const typeNames: Readonly<Record<ColumnType['type'], string>> = {
  integer: 'numbers',
  number: 'numbers',
  boolean: 'true or false',
  time: 'times',
  string: 'text',
  empty: 'blank',
};

const maxListed = 5;

/** The most frequent of the words among numbers; none: there are too many. */
const listedWords = ({ words }: ColumnFacts): (readonly [text: string, count: number])[] =>
  [...(words ?? [])].toSorted(([, a], [, b]) => b - a).slice(0, maxListed);

/** Words with their counts: `“Bad Input” (3), “No Data” (2), and others (1)`. */
function wordsInWords(words: ReturnType<typeof listedWords>, total: number): string {
  const rest = words.reduce((left, [, count]) => left - count, total);
  return [
    ...words.map(([text, count]) => `“${text}” (${count})`),
    ...(rest > 0 ? [`and others (${rest})`] : []),
  ].join(', ');
}

/** The share of numbers from which a column of text may be one of numbers. */
const minNumberShare = 1 / 3;

/** A column that is read as text, although many of its values are numbers: status words, or results below a limit. */
export function mixedTypes(facts: ColumnFacts, { type }: ColumnType): WarningText[] {
  const { counts, firsts } = facts;
  if (type !== 'string') return [];
  const otherTexts = counts.text + counts.time + counts.date + counts.boolean;
  const otherCount = otherTexts + counts.label;
  const values = valueCount(counts);
  const numbers = values - otherCount - counts.code;
  // Numbers among codes such as 101H are codes.
  const isName = otherTexts === 0 && otherCount > numbers / 10;
  const isProse = facts.words === null && otherCount > numbers;
  const first = firsts.text ?? firsts.label ?? firsts.time ?? firsts.date ?? firsts.boolean;
  if (!first || isName || isProse || numbers === 0 || numbers < values * minNumberShare) return [];
  const words = listedWords(facts);
  const which =
    words.length === 0
      ? `${otherCount} values such as “${first.text.slice(0, 60)}”`
      : wordsInWords(words, otherCount);
  const share = Math.max(1, Math.floor((numbers / values) * 100));
  const says = ` is read as text: ${share}% of its values are numbers, but not ${which}. To store numbers, add these texts to "nulls" in a mapping.`;
  const cells = words.map(([text]) => text);
  return [
    ['mixed_types', first.line, says, otherCount, { cell: first.text, ...(cells.length > 1 && { cells }) }],
  ];
}

/** Values that differ from the type of their column: too few to change it. */
export function exceptionWarnings(
  facts: ColumnFacts,
  { type, exceptions, exception, values }: JudgedType,
): WarningText[] {
  if (exceptions === 0 || !exception) return [];
  const words = type === 'number' || type === 'integer' ? listedWords(facts) : [];
  const cells = words.map(([text]) => text);
  const which =
    cells.length > 1 ? `: ${wordsInWords(words, exceptions)}` : `, such as “${exception.text.slice(0, 60)}”`;
  const what = `: ${exceptions} of ${values} values ${exceptions === 1 ? 'is' : 'are'} not ${typeNames[type]}${which}.`;
  const next =
    type === 'time'
      ? ''
      : ` ${exceptions === 1 ? 'Its row is' : 'Their rows are'} rejected unless you treat it as null or read the column as text.`;
  const about = { cell: exception.text, ...(cells.length > 1 && { cells }) };
  return [['type_exceptions', exception.line, what + next, exceptions, about]];
}

/** A number with blanks or points between its thousands, another minus, or brackets, and a text behind a blank. */
const numberInText =
  /^(?:[+\-\u2212]|\((?=.*\)$))? ?(?:\d{1,3}(?:[.,\u00a0\u202f ']\d{3}){1,4}|\d+)(?:[.,]\d+)?(?:\s?(?:%|°[CF]?)|\s(?<word>\S{1,8}))?\)?$/u;

/** Notations of numbers that aren't decimal, and what they are. */
const otherNotations = [
  { what: 'feet and inches', pattern: /^\d{1,6}' ?-? ?\d{1,2}(?:\.\d+| \d+\/\d+)?(?:"|'')$/ },
  { what: 'feet', pattern: /^\d{1,3}(?:,?\d{3})*(?:\.\d+)?'$/ },
  { what: 'fractions', pattern: /^\d{1,4}[ -]\d{1,2}\/\d{1,2} ?"?$/ },
  { what: 'exponents of Fortran', pattern: /^[+-]?(?:\d+\.\d*|\.\d+)[Dd][+-]?\d{1,3}$/ },
] as const;

const notationOfText = (text: string): string | undefined =>
  otherNotations.find(({ pattern }) => pattern.test(text))?.what;

function looksLikeNumber(text: string | null | undefined): boolean {
  const match = numberInText.exec(text ?? '');
  // Plain digits are text on purpose, such as API numbers in a workbook.
  if (!match || /^\d+$/.test(match[0])) return false;
  const word = match.groups?.['word'];
  return word === undefined || quantitiesOf(word).length > 0;
}

/** Texts that are numbers for a person: `0.5 psi`, `5%`, `1.234,5`, `1 000`. Judged by the first and two other values. */
export function numberTexts(
  { counts, firsts, minText, maxText }: ColumnFacts,
  { type }: ColumnType,
): WarningText[] {
  const first = firsts.text ?? firsts.label;
  const isOther = counts.code + counts.time + counts.date + counts.boolean > 0;
  if (type !== 'string' || !first || isOther) return [];
  const example = `“${first.text.slice(0, 60)}”`;
  const about = { cell: first.text };
  const count = counts.text + counts.label;
  const notation = notationOfText(first.text);
  const isNumber = (text: string | null): boolean =>
    looksLikeNumber(text) || isDecimalNumber(text ?? '') || notationOfText(text ?? '') !== undefined;
  if (notation !== undefined && isNumber(minText) && isNumber(maxText)) {
    const says = ` has ${notation} such as ${example}, which are read as text. To store numbers, write them as decimals.`;
    return [['numbers_as_text', first.line, says, count, about]];
  }
  if (![first.text, minText, maxText].every(looksLikeNumber)) return [];
  const words = isDecimalNumber(first.text)
    ? ` has numbers such as ${example}, but the file declares it as text. To store numbers, set "type": "number" in a mapping.`
    : ` has values such as ${example}, which are read as text. To store numbers, write them without blanks, separators of thousands, and units.`;
  return [['numbers_as_text', first.line, words, count, about]];
}
