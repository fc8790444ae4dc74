import type { FileWarning } from '../../../../shared/upload/upload.ts';
import type { WarningCode } from '../../../../shared/upload/warnings.ts';
import type { ColumnFacts, ColumnType } from './column-facts.ts';
import { columnType, notationOf, valueCount, type Notation } from './column-type.ts';
import type { Column, Layout } from './layout.ts';
import { lostZeros, serialDate } from './spreadsheet.ts';
import { escapeWarnings, hashWarnings, rowsInWords, rowWarnings } from './row-warnings.ts';
import type { Scan } from './scan.ts';
import { exceptionWarnings, mixedTypes, numberTexts, type WarningText } from './type-warnings.ts';
import { guessOf } from './encoding.ts';
import { append, maxOf } from '../../../../shared/lists.ts';

const warn = (code: WarningCode, line: number | null, count: number, message: string): FileWarning => ({
  code,
  message,
  line,
  count,
});

const filled = (facts: ColumnFacts | undefined): number => (facts ? valueCount(facts.counts) : 0);

function nameWarnings(scan: Scan): FileWarning[] {
  const { layout, rows, columns } = scan;
  const problems: FileWarning[] = [];
  if (layout.jsonLines) return caseWarnings(scan);
  if (layout.headerLine === 0) {
    const message = `The first row is data, so the file has no header. Its columns are named ${layout.columns[0]?.key ?? 'column_1'} and so on.`;
    return [warn('no_header', layout.dataLine, rows, message)];
  }
  if (layout.headerAssumed === true) {
    const message = `Line ${layout.headerLine} is used as the header, but it could be a row of data. If so, set the file to have no header.`;
    problems.push(warn('header_assumed', layout.headerLine, 1, message));
  }
  const isUnused = (name: string, index: number): boolean => name === '' && filled(columns[index]) === 0;
  const unused = layout.columns.filter(({ name }, index) => isUnused(name, index)).length;
  if (unused > 0) {
    const message = `${unused === 1 ? '1 empty column without a name is' : `${unused} empty columns without a name are`} skipped.`;
    problems.push(warn('empty_columns', layout.headerLine, 0, message));
  }
  layout.columns.forEach(({ name, key }, index) => {
    if (name === key || isUnused(name, index)) return;
    const [code, says] =
      name === ''
        ? (['empty_name', 'has no name'] as const)
        : (['duplicate_names', `is another “${name}”`] as const);
    const message = `Column ${index + 1} ${says}; it is named “${key}”.`;
    problems.push({ ...warn(code, layout.headerLine, filled(columns[index]), message), column: key });
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
const readAs = (text: string | undefined, group: string, decimal: string): string =>
  `“${(text ?? '').slice(0, 60)}” is ${(text ?? '').slice(0, 60).replaceAll(group, '').replace(decimal, '.')}`;

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
    const words = ` is read with a decimal comma: ${readAs(first?.text, '.', ',')}.`;
    if (first && count > 0) texts.push(['decimal_comma', first.line, words, count]);
  }
  if (style.thousands && style.decimal === ',') {
    const first = firsts.point_thousands ?? firsts.number;
    const words = ` is read with points between thousands, as ${first?.text.slice(0, 60) ?? ''}: other columns have decimal commas.`;
    texts.push(['thousands', first?.line, words, counts.point_thousands + facts.pointGroups]);
  } else if (style.thousands) {
    const first = firsts.thousands ?? firsts.comma_ambiguous;
    const count = counts.thousands + counts.comma_ambiguous;
    // One group of three digits may be decimals.
    const advice = counts.thousands === 0 ? ' If the comma is decimal, correct it in the file.' : '';
    const words = ` is read with thousands separators: ${readAs(first?.text, ',', '.')}.${advice}`;
    texts.push(['thousands', first?.line, words, count]);
  }
  return texts;
}

function lostCharacterWarnings({ lostCharacters: lost }: ColumnFacts): WarningText[] {
  if (!lost) return [];
  const words = `: ${rowsInWords(lost.count)} with \uFFFD, a character lost before the file was saved. Get the file again from its source.`;
  return [['lost_characters', lost.line, words, lost.count]];
}

function missingWarnings({ nulls, sentinels }: ColumnFacts, { type }: ColumnType): WarningText[] {
  const texts: WarningText[] = [];
  for (const [text, { count, line }] of nulls) {
    const words = `: “${text}” is null in ${rowsInWords(count)}.`;
    texts.push(['null_words', line, words, count, { cell: text }]);
  }
  if (type !== 'number' && type !== 'integer') return texts;
  for (const [text, count] of sentinels) {
    const words = `: ${text} in ${rowsInWords(count)} may mean null. If so, add it to "nulls" in a mapping.`;
    texts.push(['sentinel_values', null, words, count, { cell: text }]);
  }
  return texts;
}

function timeWarnings(
  { counts, firsts, zoneless, patterns }: ColumnFacts,
  { type }: ColumnType,
): WarningText[] {
  const { date, time, text } = firsts;
  const several = ' has several date formats, so it is read as text.';
  if (counts.time > 0 && counts.date > 0)
    return [['mixed_dates', date?.line, several, counts.time + counts.date]];
  const zoned = patterns?.find((pattern) => pattern.endsWith('z'));
  if (zoned !== undefined && type === 'string' && counts.text > 0) {
    const words = ` has times such as “${text?.text ?? ''}”, with the abbreviation of a time zone, which are read as text. If it is one of the United States, set "format": "${zoned}" in a mapping.`;
    return [['ambiguous_dates', text?.line, words, counts.text, text ? { cell: text.text } : {}]];
  }
  if (type !== 'time') return [];
  if (counts.date > 0 && patterns?.length !== 1) {
    const words = ` has dates such as ${date?.text ?? ''}. Set their "format" in a mapping.`;
    return [['ambiguous_dates', date?.line, words, counts.date, date ? { cell: date.text } : {}]];
  }
  const words = ' has times without a time zone. If they aren’t UTC, set "zone" in a mapping.';
  return zoneless > 0 ? [['zone_missing', (time ?? date)?.line, words, zoneless]] : [];
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
  const texts: WarningText[] = [
    ...(isExact ? [] : spreadsheetWarnings(column, facts)),
    ...lostCharacterWarnings(facts),
    ...numberWarnings(facts, type),
    ...missingWarnings(facts, type),
    ...timeWarnings(facts, type),
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
  const message = `The file is read as a single column, such as “${first.text.slice(0, 60)}”. If its rows have several columns, select the delimiter or set column edges.`;
  return [{ ...warn('single_column', first.line, rows, message), column: column.key }];
}

/** All warnings about a file before it is used, each with its first line. */
export function scanWarnings(scan: Scan, exceptionShare?: number): FileWarning[] {
  const { layout, findings, footer, footerDetected, doubtfulRows, endings } = scan;
  const warnings = nameWarnings(scan);
  const guess = guessOf(layout.encoding);
  if (guess) warnings.push({ ...guess, choices: [...guess.choices], line: null, count: scan.rows });
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
  const notation = notationOf(scan.columns, layout.delimiter);
  layout.columns.forEach((column, index) => {
    const facts = scan.columns[index];
    if (facts) append(warnings, columnWarnings(column, facts, layout, notation, exceptionShare));
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
    const message = `The last ${rowsInWords(count)} may be a footer, not data. Set the number of footer rows to skip them.`;
    warnings.push(warn('foot_rows', line, count, message));
  }
  append(warnings, singleColumn(scan));
  if (scan.rows === 0) warnings.push(warn('no_rows', null, 0, 'The file has no data rows.'));
  return warnings;
}

/**
 * All warnings about a file and the table of it that is read, for every command that reads it.
 * @param file with the warnings of its conversion, such as those about its other tables
 * @param exceptionShare maximum share of values, from 0 to 1, that can differ without changing a column's type
 */
export const fileWarnings = (
  { warnings }: { readonly warnings: readonly FileWarning[] },
  scan: Scan,
  exceptionShare?: number,
): FileWarning[] => [...warnings, ...scanWarnings(scan, exceptionShare)];

/** Names that differ only by case: two fields that people and queries confuse. */
function caseWarnings({ layout, rows }: Pick<Scan, 'layout' | 'rows'>): FileWarning[] {
  const firsts = new Map<string, string>();
  return layout.columns.flatMap(({ key }): FileWarning[] => {
    const lower = key.toLowerCase();
    const first = firsts.get(lower);
    if (first === undefined) firsts.set(lower, key);
    if (first === undefined || first === key) return [];
    const message = `Columns “${first}” and “${key}” have names that differ only by case: they are two fields.`;
    const line = layout.jsonLines ? null : layout.headerLine;
    return [{ ...warn('names_differ_by_case', line, rows, message), column: key }];
  });
}
