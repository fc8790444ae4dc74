import { countInWords, append, maxOf, rowsInWords } from '../../../../shared/lists.ts';
import type { Explanation, FileWarning, Inspection } from '../../../../shared/upload/upload.ts';
import type { WarningCode } from '../../../../shared/upload/warnings.ts';
import type { Scan } from './scan.ts';
import { quantitiesOf } from '../../../../shared/channels/units.ts';
import { explanationOf, headQuestion } from '../layout/head.ts';
import {
  isDecimalNumber,
  type ColumnFacts,
  type ColumnType,
  type JudgedType,
  columnType,
  type Notation,
  lostZeros,
  serialDate,
  type Finding,
} from './columns.ts';
import type { Column, Layout } from './layout.ts';
import type { Example } from '../../records/time-patterns.ts';
import { zoneOfColumns } from '../../records/zone-names.ts';
import { isFarBeyond, isNullNumber, isNullOfFiles } from '../../../../shared/upload/null-tokens.ts';
import { guessOf } from './source.ts';
import type { FileFacts } from '../../../../shared/upload/formats.ts';

/** What rows can have, in the order of the warnings. */
const rowFindings = [
  [
    'too_many_cells',
    'with more cells than the header will be rejected. Put values that contain the delimiter in quotes.',
  ],
  [
    'too_few_cells',
    'with fewer cells than the header will be rejected. Check whether they are cut off; if not, fill short rows.',
  ],
  [
    'filled_rows',
    'with fewer cells than the header. The missing cells at the end are read as blank. If these rows are cut off, reject short rows.',
  ],
  [
    'total_rows',
    'that may be totals of other rows: the first cell without a number is a word such as Total. They count as rows; delete them in the file if they aren’t records.',
  ],
  ['unclosed_quote', "with a quotation mark that isn't closed will be rejected. Close or double it."],
  ['bad_quotes', 'with ambiguous quotation marks will be rejected. Double the marks inside quoted cells.'],
  ['odd_quotes', 'with a single quotation mark inside a quoted cell. Check the preview of these rows.'],
  [
    'repeated_names',
    'with the same name twice in an object. The last value is used; check that the others aren’t needed.',
  ],
  [
    'bad_bytes',
    'with bytes that are invalid in the encoding will be rejected. Select another encoding, or repair the file.',
  ],
  ['nul_bytes', 'with NUL bytes, often left by a crash, will be rejected.'],
  ['bad_json', "that aren't a JSON object will be rejected. Write one object per line."],
] as const;
export type RowFinding = (typeof rowFindings)[number][0];

const rowWarnings = (findings: Partial<Record<RowFinding, Finding>>): FileWarning[] =>
  rowFindings.flatMap(([what, words]) => {
    const finding = findings[what];
    const code = what === 'too_many_cells' || what === 'too_few_cells' ? 'ragged_rows' : what;
    return finding ? [{ code, message: `${rowsInWords(finding.count)} ${words}`, ...finding }] : [];
  });

/** The warning about cells whose escape of a formula was removed; none: there are no such cells. */
export function escapeWarnings({ escapes }: Pick<Scan, 'escapes'>): FileWarning[] {
  if (!escapes) return [];
  const { count, line, textColumns } = escapes;
  const what =
    textColumns.size > 0
      ? `${countInWords(count, 'cell is a text formula, such as ="00123", or begins', 'cells are text formulas, such as ="00123", or begin')} with an apostrophe before =, +, -, or @. The text inside is read, as spreadsheets show it.`
      : `${countInWords(count, 'cell begins', 'cells begin')} with the apostrophe that exports add before =, +, -, or @. It is removed.`;
  const advice = 'If these signs are part of the values, set apostrophes to keep.';
  return [warn('escaped_formulas', line, count, `${what} ${advice}`)];
}

/** Warnings about records that begin with #. */
export function hashWarnings({ comments, hashRows }: Pick<Scan, 'comments' | 'hashRows'>): FileWarning[] {
  const warnings: FileWarning[] = [];
  if (comments) {
    const message =
      comments.count === 1
        ? 'A line that begins with # is skipped as a comment.'
        : `${comments.count} lines that begin with # are skipped as comments.`;
    warnings.push({ code: 'comment_lines', message, ...comments });
  }
  if (hashRows) {
    const message = `${rowsInWords(hashRows.count)} that begin with # are read as rows, because they have as many cells as the header, and numbers or times where other rows have them. If they are comments, set lines with # to comments.`;
    warnings.push({ code: 'hash_rows', message, ...hashRows });
  }
  return warnings;
}

/** A warning about a column: words that follow its name, and the affected rows. */
type WarningText = readonly [
  code: WarningCode,
  line: number | null | undefined,
  words: string,
  count: number,
  about?: Pick<FileWarning, 'cell' | 'cells' | 'digits'>,
];

const typeNames: Readonly<Record<ColumnType['type'], readonly [singular: string, plural: string]>> = {
  integer: ['a number', 'numbers'],
  number: ['a number', 'numbers'],
  boolean: ['true or false', 'true or false'],
  time: ['a time', 'times'],
  string: ['text', 'text'],
  empty: ['blank', 'blank'],
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
/** Numbers of ten digits or more beside words are ids, but not those of times since 2001 in seconds or milliseconds. */
const isId = (value: number): boolean =>
  value >= 1e9 && ![1, 1000].some((unit) => value < 2.2e9 * unit && value >= 1e9 * unit);

/** A column that is read as text, although many of its values are numbers: status words, or results below a limit. */
function mixedTypes(facts: ColumnFacts, { type }: ColumnType): WarningText[] {
  const { counts, firsts } = facts;
  if (type !== 'string') return [];
  const otherTexts = counts.text + counts.time + counts.date + counts.boolean;
  const otherCount = otherTexts + counts.label;
  const values = facts.values - facts.sentinels.values().reduce((sum, count) => sum + count, 0);
  const numbers = values - otherCount - counts.code;
  // Numbers among codes such as 101H are codes.
  const isName = otherTexts === 0 && otherCount > numbers / 10;
  const isProse = facts.words === null && otherCount > numbers;
  const first = firsts.text ?? firsts.label ?? firsts.time ?? firsts.date ?? firsts.boolean;
  if (!first || isName || isProse || numbers === 0 || numbers < values * minNumberShare) return [];
  if (isId(facts.minMeasured ?? 0)) return [];
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
function exceptionWarnings(facts: ColumnFacts, { type, values, ...judged }: JudgedType): WarningText[] {
  // Dates without a time of day are of the same kind as those with one.
  const misfits = type === 'time' && facts.counts.time === 0 ? facts.misfits : null;
  const exceptions = Math.max(judged.exceptions, misfits?.count ?? 0);
  const exception = judged.exception ?? misfits;
  if (exceptions === 0 || !exception) return [];
  const words = type === 'number' || type === 'integer' ? listedWords(facts) : [];
  const cells = words.map(([text]) => text);
  const which =
    cells.length > 1 ? `: ${wordsInWords(words, exceptions)}` : `, such as “${exception.text.slice(0, 60)}”`;
  const [singular, plural] = typeNames[type];
  const what = `: ${exceptions} of ${values} values ${exceptions === 1 ? `is not ${singular}` : `are not ${plural}`}${which}.`;
  const next =
    type === 'time'
      ? ''
      : ` ${exceptions === 1 ? 'Its row is rejected unless you treat it' : 'Their rows are rejected unless you treat them'} as null or read the column as text.`;
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
  { what: 'Fortran exponents', pattern: /^[+-]?(?:\d+\.\d*|\.\d+)[Dd][+-]?\d{1,3}$/ },
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
function numberTexts({ counts, firsts, minText, maxText }: ColumnFacts, { type }: ColumnType): WarningText[] {
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
    : ` has values such as ${example}, which are read as text. To store numbers, write them without spaces, thousands separators, and units.`;
  return [['numbers_as_text', first.line, words, count, about]];
}

const warn = (code: WarningCode, line: number | null, count: number, message: string): FileWarning => ({
  code,
  message,
  line,
  count,
});

/** The line of the names; null: the format has them elsewhere, each in an entry of its header. */
const lineOfNames = ({ jsonLines, isExact = false, headerLine }: Layout): number | null =>
  jsonLines || isExact ? null : headerLine;

const filled = (facts: ColumnFacts | undefined): number => facts?.values ?? 0;

function nameWarnings(scan: Scan): FileWarning[] {
  const { layout, rows, columns } = scan;
  const problems: FileWarning[] = [];
  if (layout.jsonLines) return caseWarnings(scan);
  if (layout.headerLine === 0) {
    const message = `The first row is data, so the file has no header. Its columns are named ${layout.columns[0]?.key ?? 'column_1'} and so on.`;
    // The lines of a converted table aren't those of its file, which says itself what it skipped.
    const isOriginal = layout.placeKind === undefined;
    const skipped = isOriginal ? layout.dataLine - (layout.hasDelimiterLine === true ? 2 : 1) : 0;
    const above = `The table starts on line ${layout.dataLine}; the lines before it are skipped.`;
    return [
      warn('no_header', isOriginal ? layout.dataLine : null, rows, message),
      ...(skipped > 0 ? [warn('preamble', 1, skipped, above)] : []),
    ];
  }
  const question = layout.head ? headQuestion(layout.head, 'line') : null;
  if (question) problems.push({ code: 'header_unclear', ...question, count: 1 });
  else if (layout.headerAssumed === true) {
    const message = `Line ${layout.headerLine} is used as the header, but it could be a row of data. If so, set the file to have no header.`;
    problems.push(warn('header_assumed', layout.headerLine, 1, message));
  }
  const isUnused = (name: string, index: number): boolean => name === '' && filled(columns[index]) === 0;
  const unused = layout.columns.filter(({ name }, index) => isUnused(name, index)).length;
  if (unused > 0) {
    const message = `${unused === 1 ? '1 empty column without a name is' : `${unused} empty columns without a name are`} skipped.`;
    problems.push(warn('empty_columns', lineOfNames(layout), 0, message));
  }
  layout.columns.forEach(({ name, key }, index) => {
    if (name === key || isUnused(name, index)) return;
    const [code, says] =
      name === ''
        ? (['empty_name', 'has no name'] as const)
        : (['duplicate_names', `is another “${name}”`] as const);
    const message = `Column ${index + 1} ${says}; it is named “${key}”.`;
    problems.push({ ...warn(code, lineOfNames(layout), filled(columns[index]), message), column: key });
  });
  return [...problems, ...caseWarnings(scan)];
}

function spreadsheetWarnings({ key }: Column, facts: ColumnFacts): WarningText[] {
  const texts: WarningText[] = [];
  const serial = serialDate(key, facts);
  if (serial) {
    const words = ` has numbers such as ${serial.text}, which may be spreadsheet dates. If so, set "format": "excel_1900" in a mapping, or "excel_1904" for workbooks with the 1904 date system.`;
    texts.push(['serial_dates', serial.line, words, filled(facts), { cell: serial.text }]);
  }
  const lost = lostZeros(key, facts);
  if (lost) {
    const { text, line, digits, count } = lost;
    const words = `: ${text} is too short; a spreadsheet has removed leading zeros. Set "type": "string" and "digits": ${digits} in a mapping to restore them.`;
    texts.push(['lost_zeros', line, words, count, { cell: text, digits }]);
  }
  return texts;
}

/** A number of a file and its value: `“12,420” is 12420`. */
function readAs(number: Example | undefined, group: string, decimal: string): string {
  const text = number?.text.slice(0, 60) ?? '';
  return `“${text}” is ${text.replaceAll(group, '').replace(decimal, '.')}`;
}

function numberWarnings(facts: ColumnFacts, { style }: ColumnType): WarningText[] {
  const { counts, firsts, excelDamage } = facts;
  const texts: WarningText[] = [];
  if (excelDamage) {
    const { count, first } = excelDamage;
    const words = `: ${rowsInWords(count)} with a number such as ${first.text}, which has lost digits in a spreadsheet. Export the column again as text.`;
    texts.push(['excel_damage', first.line, words, count]);
  }
  if (style.decimal === ',') {
    const first = firsts.comma_number ?? firsts.comma_ambiguous ?? firsts.point_thousands;
    const count = counts.comma_number + counts.comma_ambiguous + counts.point_thousands;
    const words = ` is read with a decimal comma: ${readAs(first, '.', ',')}.`;
    if (first && count > 0) texts.push(['decimal_comma', first.line, words, count]);
  }
  if (style.thousands && style.decimal === ',') {
    const first = firsts.point_thousands ?? firsts.number;
    const words = ` is read with points between thousands, such as ${first?.text.slice(0, 60) ?? ''}, because other columns have decimal commas.`;
    texts.push(['thousands', first?.line, words, counts.point_thousands + facts.pointGroups]);
  } else if (style.thousands) {
    const first = firsts.thousands ?? firsts.comma_ambiguous;
    const count = counts.thousands + counts.comma_ambiguous;
    // One group of three digits may be decimals.
    const advice = counts.thousands === 0 ? ' If the comma is decimal, correct it in the file.' : '';
    const words = ` is read with thousands separators: ${readAs(first, ',', '.')}.${advice}`;
    texts.push(['thousands', first?.line, words, count]);
  }
  return texts;
}

function missingWarnings({ nulls, sentinels }: ColumnFacts, { type }: ColumnType): WarningText[] {
  const texts: WarningText[] = [];
  for (const [text, { count, line }] of nulls) {
    const words = `: “${text}” is null in ${rowsInWords(count)}.`;
    texts.push(['null_words', line, words, count, { cell: text }]);
  }
  if (type !== 'number' && type !== 'integer' && type !== 'string') return texts;
  for (const [text, count] of sentinels) {
    const words = `: ${text} in ${rowsInWords(count)} may mean null. If so, add it to "nulls" in a mapping.`;
    texts.push(['sentinel_values', null, words, count, { cell: text }]);
  }
  return texts;
}

function timeWarnings(
  column: Column,
  { counts, firsts, zoneless, patterns }: ColumnFacts,
  { type }: ColumnType,
): WarningText[] {
  const { date, time, text } = firsts;
  const several = ' has several date formats, so it is read as text.';
  if (counts.time > 0 && counts.date > 0)
    return [['mixed_dates', date?.line, several, counts.time + counts.date]];
  const zoned = patterns?.find((pattern) => pattern.endsWith('z'));
  if (zoned !== undefined && type === 'string' && counts.text > 0) {
    const words = ` has times such as “${text?.text ?? ''}”, with a time zone abbreviation, which are read as text. If it is a United States time zone, set "format": "${zoned}" in a mapping.`;
    return [['ambiguous_dates', text?.line, words, counts.text, text ? { cell: text.text } : {}]];
  }
  if (type !== 'time') return [];
  if (counts.date > 0 && patterns?.length !== 1) {
    const words = ` has dates such as ${date?.text ?? ''}. Set their "format" in a mapping.`;
    return [['ambiguous_dates', date?.line, words, counts.date, date ? { cell: date.text } : {}]];
  }
  const words = ' has times without a time zone. If they aren’t UTC, set "zone" in a mapping.';
  const isZoneMissing = zoneless > 0 && zoneOfColumns([column]) === undefined;
  return isZoneMissing ? [['zone_missing', (time ?? date)?.line, words, zoneless]] : [];
}

function columnWarnings(
  column: Column,
  allFacts: ColumnFacts,
  { isExact = false }: Layout,
  notation: Notation,
  exceptionShare: number | undefined,
): FileWarning[] {
  const facts = isExact ? { ...allFacts, excelDamage: null } : allFacts;
  const type = columnType(facts, notation, exceptionShare);
  const numbersInTexts = numberTexts(facts, type);
  const { lostCharacters: lost } = facts;
  const lostWords = `: ${rowsInWords(lost?.count ?? 0)} with \uFFFD, a character lost before the file was saved. Get the file again from its source.`;
  const texts: WarningText[] = [
    ...(isExact ? [] : spreadsheetWarnings(column, facts)),
    ...(lost ? [['lost_characters', lost.line, lostWords, lost.count] as const] : []),
    ...numberWarnings(facts, type),
    ...missingWarnings(facts, type),
    ...timeWarnings(column, facts, type),
    ...exceptionWarnings(facts, type),
    ...(numbersInTexts.length > 0 ? numbersInTexts : mixedTypes(facts, type)),
  ];
  return texts.map(([code, line, words, count, about]) => ({
    ...warn(code, line ?? null, count, `Column “${column.key}”${words}`),
    column: column.key,
    ...about,
  }));
}

/** Whether a cell can contain several values: it has blanks or other delimiters inside. */
const mayBeSeveral = /\S(?:\s+|[;|:])\S/;

/** A file that is read as one column, although its rows look like several. */
function singleColumn({ layout, rows, columns }: Scan): FileWarning[] {
  const [column, ...others] = layout.columns;
  const first = columns[0]?.firsts.text;
  if (!column || others.length > 0 || layout.jsonLines || rows === 0 || !first) return [];
  if (!mayBeSeveral.test(column.name) && !mayBeSeveral.test(first.text)) return [];
  const message = `The file is read as a single column, with values such as “${first.text.slice(0, 60)}”. If its rows have several columns, select the delimiter or set column edges.`;
  return [{ ...warn('single_column', first.line, rows, message), column: column.key }];
}

/**
 * All warnings about the table that was read, each with its first line; a file has its own, such as those about its other
 * tables.
 * @param exceptionShare maximum share of values, from 0 to 1, that can differ without changing a column's type
 */
export function scanWarnings(scan: Scan, exceptionShare?: number): FileWarning[] {
  const { layout, findings, footer, footerDetected, doubtfulRows, endings } = scan;
  const warnings = nameWarnings(scan);
  const guess = guessOf(layout.encoding);
  if (guess) warnings.push({ ...guess, line: null, count: scan.rows });
  const preamble = (layout.groupLine ?? layout.headerLine) - (layout.hasDelimiterLine === true ? 2 : 1);
  // That of a sheet comes with its name.
  if (preamble > 0 && layout.placeKind !== 'row') {
    const message = `The header is on line ${layout.headerLine}; the lines before it are skipped.`;
    warnings.push(warn('preamble', 1, preamble, message));
  }
  append(warnings, hashWarnings(scan));
  append(warnings, escapeWarnings(scan));
  const { none: _, ...ends } = endings;
  const usualCount = maxOf(Object.values(ends));
  const rest = Object.values(ends).reduce((total, count) => total + count, 0) - usualCount;
  if (rest > 0)
    warnings.push(warn('mixed_newlines', null, rest, 'The file has mixed line endings. No action needed.'));
  append(warnings, rowWarnings(findings));
  layout.columns.forEach((column, index) => {
    const facts = scan.columns[index];
    if (facts) append(warnings, columnWarnings(column, facts, layout, scan.notation, exceptionShare));
  });
  if (footer && footerDetected) {
    const message =
      footer.count === 1
        ? 'The last row is a footer, such as a total or a remark, and is skipped.'
        : `The last ${footer.count} rows are a footer, such as totals or remarks, and are skipped.`;
    warnings.push(warn('footer_rows', footer.line, footer.count, message));
  }
  if (doubtfulRows) {
    const { line, count } = doubtfulRows;
    const message = `The last ${count === 1 ? 'row' : rowsInWords(count)} may be a footer, not data. Set the number of footer rows to skip them.`;
    warnings.push(warn('foot_rows', line, count, message));
  }
  append(warnings, singleColumn(scan));
  if (scan.rows === 0) warnings.push(warn('no_rows', null, 0, 'The file has no data rows.'));
  return warnings;
}

/** Names that differ only by case: two fields that people and queries confuse. */
function caseWarnings({ layout, rows }: Pick<Scan, 'layout' | 'rows'>): FileWarning[] {
  const firsts = new Map<string, string>();
  return layout.columns.flatMap(({ key }): FileWarning[] => {
    const lower = key.toLowerCase();
    const first = firsts.get(lower);
    if (first === undefined) firsts.set(lower, key);
    if (first === undefined || first === key) return [];
    const message = `Columns “${first}” and “${key}” have names that differ only by case: they are two fields.`;
    return [{ ...warn('names_differ_by_case', lineOfNames(layout), rows, message), column: key }];
  });
}

/**
 * Numbers such as -999 that mean null in a file: in at least one column all other numbers are far above them, and in no
 * column with them is any number near them or below; for 1e30, far below them, and near them or above.
 */
export function likelyNulls(columns: readonly ColumnFacts[], notation: Notation): string[] {
  const numeric = columns.filter((facts) => {
    const { type } = columnType(facts, notation);
    return type === 'number' || type === 'integer';
  });
  const tokens = new Set(numeric.flatMap(({ sentinels }) => [...sentinels.keys()].map(Number)));
  return [...tokens]
    .filter((token) => {
      const nearest = numeric.flatMap((facts) =>
        hasToken(facts, token) ? ((token < 0 ? facts.minMeasured : facts.maxMeasured) ?? []) : [],
      );
      return nearest.length > 0 && nearest.every((number) => isFarBeyond(token, number));
    })
    .map(String);
}

/** The numbers such as 1e30 that mean null in a file, and that records don't have for null. */
export const nullNumbersOf = ({ columns, notation }: Pick<Scan, 'columns' | 'notation'>): number[] =>
  likelyNulls(columns, notation)
    .map(Number)
    .filter((number) => isNullOfFiles(number) && !isNullNumber(number));

const hasToken = ({ sentinels }: ColumnFacts, token: number): boolean =>
  sentinels.keys().some((text) => Number(text) === token);

function newlineOf({ endings }: Scan): Inspection['newline'] {
  const used = (['LF', 'CRLF', 'CR'] as const).filter((ending) => endings[ending] > 0);
  return used.length > 1 ? 'mixed' : (used[0] ?? 'none');
}

/** Numbers as numbers if a double is exact, else their text in the file. */
const extreme = (end: ColumnFacts['min']): number | string | null => {
  if (!end) return null;
  const isExact = !Number.isInteger(end.value) || Number.isSafeInteger(end.value);
  return isExact && Number.isFinite(end.value) ? end.value : end.text;
};

function inspectedColumn(
  { name, key, unit }: Column,
  facts: ColumnFacts,
  notation: Notation,
  exceptionShare: number | undefined,
): Inspection['columns'][number] {
  const { type, style } = columnType(facts, notation, exceptionShare);
  const { minText, maxText, timeRange } = facts;
  const texts =
    type === 'time' ? [timeRange?.min.text ?? null, timeRange?.max.text ?? null] : [minText, maxText];
  const ends = facts.ends[style.decimal];
  const isNumeric = type === 'integer' || type === 'number';
  const [min = null, max = null] = isNumeric ? [extreme(ends.min), extreme(ends.max)] : texts;
  return {
    name,
    ...(key === name ? {} : { key }),
    unit,
    type,
    nulls: facts.counts.empty + facts.counts.null_word,
    min,
    max,
  };
}

export type InspectedTable = Omit<Inspection, keyof FileFacts>;

/**
 * The inspection of a table, in the form of the contract.
 * @param exceptionShare maximum share of values, from 0 to 1, that can differ without changing a column's type
 */
export function inspectionOf(scan: Scan, exceptionShare?: number): InspectedTable {
  const { layout, notation } = scan;
  const nulls = likelyNulls(scan.columns, notation);
  return {
    encoding: layout.encoding.name,
    delimiter: layout.delimiter,
    newline: newlineOf(scan),
    headerRow: layout.headerLine,
    unitRow: layout.unitLine,
    rows: scan.rows,
    footerRows: scan.footer?.count ?? 0,
    columns: layout.columns.flatMap((column, index) => {
      const facts = scan.columns[index];
      return facts ? [inspectedColumn(column, facts, notation, exceptionShare)] : [];
    }),
    ...(nulls.length > 0 ? { likelyNulls: nulls } : {}),
    warnings: scanWarnings(scan, exceptionShare),
  };
}

interface InspectedFile {
  readonly facts: FileFacts;
  readonly warnings: readonly FileWarning[];
  /** The map from lines of its converted table to places; null: it is read directly. */
  readonly places?: string | null | undefined;
  readonly conversion?: { readonly converted: { readonly explanation: Explanation } } | null;
}

/**
 * The inspection of a file: its format, and the content of the selected table.
 * @param options the maximum share of values, from 0 to 1, that can differ without changing a column's type; whether to
 * say what each line was taken for
 */
export function inspectFile(
  { facts, warnings, places = null, conversion }: InspectedFile,
  scan: Scan,
  {
    exceptionShare,
    explain = false,
  }: { readonly exceptionShare?: number | undefined; readonly explain?: boolean } = {},
): Inspection {
  const table = inspectionOf(scan, exceptionShare);
  const tables = facts.tables.map((item, index) =>
    index === facts.tableNumber - 1 ? { ...item, rows: scan.rows, columns: table.columns.length } : item,
  );
  // The delimiter and line ends of a converted table aren't those of the file.
  const form = places === null ? {} : ({ delimiter: '', newline: 'none' } as const);
  const inspection = { ...facts, tables, ...table, ...form, warnings: [...warnings, ...table.warnings] };
  if (!explain) return inspection;
  const parts = [...(conversion ? [conversion.converted.explanation] : []), scan.explanation];
  const explanation = explanationOf(
    parts.flatMap(({ heads }) => heads),
    parts,
  );
  return { ...inspection, explain: explanation };
}
