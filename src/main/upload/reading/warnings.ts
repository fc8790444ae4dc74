import type { FileWarning } from '../../../shared/upload.ts';
import type { WarningCode } from '../../../shared/upload-warnings.ts';
import type { ColumnFacts, ColumnType } from './column-facts.ts';
import { columnType, counterExample } from './column-type.ts';
import type { JudgedType } from './column-type.ts';
import type { Column } from './layout.ts';
import { lostZeros, serialDate } from './spreadsheet.ts';
import type { RowFinding } from './gathering.ts';
import type { Scan } from './scan.ts';

const warn = (code: WarningCode, line: number | null, message: string): FileWarning => ({
  code,
  message,
  line,
});

const rowsInWords = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);

const findingWords: Record<RowFinding, (rows: string) => readonly [code: WarningCode, message: string]> = {
  too_many_cells: (rows) => [
    'ragged_rows',
    `${rows} with more cells than the header has names. They will be rejected; check for delimiters that should be in quotes.`,
  ],
  too_few_cells: (rows) => [
    'ragged_rows',
    `${rows} with fewer cells than the header has names. They will be rejected; a row may have been cut off.`,
  ],
  unclosed_quote: (rows) => [
    'unclosed_quote',
    `${rows} with a quotation mark that is never closed. They will be rejected; close it or double it.`,
  ],
  bad_quotes: (rows) => [
    'bad_quotes',
    `${rows} with quotation marks that can be read in several ways. They will be rejected; double marks inside a quoted cell.`,
  ],
  odd_quotes: (rows) => [
    'odd_quotes',
    `${rows} with a quotation mark inside a quoted cell that is not doubled. What was meant seems clear; check it.`,
  ],
  bad_bytes: (rows) => [
    'bad_bytes',
    `${rows} with bytes that are not valid in the encoding. They will be rejected; choose another encoding or repair them.`,
  ],
  bad_json: (rows) => [
    'bad_json',
    `${rows} that are no JSON object. They will be rejected; each line must be one object.`,
  ],
  nul_bytes: (rows) => [
    'nul_bytes',
    `${rows} with NUL bytes, as a crash leaves them. They will be rejected.`,
  ],
};

function nameWarnings({ layout }: Scan): FileWarning[] {
  const found: FileWarning[] = [];
  if (layout.jsonLines) return found;
  if (layout.headerLine === 0)
    return [
      warn(
        'no_header',
        layout.dataLine,
        `The first row is data, so the file has no header. Its columns are named ${layout.columns[0]?.key ?? 'column_1'} and so on.`,
      ),
    ];
  if (layout.headerAssumed === true)
    found.push(
      warn(
        'header_assumed',
        layout.headerLine,
        `Line ${layout.headerLine} is used as the header, but it could be a row of data. If it is, say that the file has no header.`,
      ),
    );
  layout.columns.forEach(({ name, key }, index) => {
    if (name === '')
      found.push(
        warn('empty_name', layout.headerLine, `Column ${index + 1} has no name; it is called “${key}”.`),
      );
    else if (name !== key)
      found.push(
        warn(
          'duplicate_names',
          layout.headerLine,
          `Column ${index + 1} is another “${name}”; it is called “${key}”.`,
        ),
      );
  });
  return found;
}

/** What is said of a column: words that follow its name, and what of the file they are about. */
type Said = readonly [
  code: WarningCode,
  line: number | null | undefined,
  words: string,
  about?: Pick<FileWarning, 'cell' | 'digits' | 'count'>,
];

/** What a spreadsheet did to a column. */
function spreadsheetSaid({ key }: Column, facts: ColumnFacts): Said[] {
  const found: Said[] = [];
  const serial = serialDate(key, facts);
  if (serial)
    found.push([
      'serial_dates',
      serial.line,
      ` has numbers such as ${serial.text}, which a spreadsheet shows as dates. Say "format": "excel_1900" in a mapping to read them so, or "excel_1904" if the workbook counts from 1904.`,
      { cell: serial.text },
    ]);
  const lost = lostZeros(key, facts);
  if (lost)
    found.push([
      'lost_zeros',
      lost.line,
      `: ${lost.text} has one digit or more too few; a spreadsheet has dropped the zeros before it. Say "type": "string" and "digits": ${lost.digits} in a mapping to put them back.`,
      { cell: lost.text, digits: lost.digits },
    ]);
  return found;
}

function numbersSaid(facts: ColumnFacts, { style }: ColumnType): Said[] {
  const { firsts, excelDamage } = facts;
  const found: Said[] = [];
  if (excelDamage) {
    const { count, first } = excelDamage;
    const words = `: ${rowsInWords(count)} with a number such as ${first.text}, whose digits a spreadsheet has dropped. Export the column again as text.`;
    found.push(['excel_damage', first.line, words, { count }]);
  }
  if (style.decimal === ',') {
    const first = firsts.comma_number ?? firsts.comma_ambiguous;
    found.push(['decimal_comma', first?.line, ' is read with a comma as the decimal sign.']);
  }
  if (style.thousands) {
    const first = firsts.thousands ?? firsts.comma_ambiguous;
    found.push(['thousands', first?.line, ' is read with commas between thousands.']);
  }
  return found;
}

function missingSaid({ nulls, sentinels }: ColumnFacts, { type }: ColumnType): Said[] {
  const found: Said[] = [];
  for (const [text, { count, line }] of nulls) {
    const words = `: “${text}” is null in ${rowsInWords(count)}.`;
    found.push(['null_words', line, words, { cell: text, count }]);
  }
  if (type !== 'number' && type !== 'integer') return found;
  for (const [text, count] of sentinels) {
    const words = `: ${text} in ${rowsInWords(count)} may stand for null. Add it to "nulls" in a mapping if so.`;
    found.push(['sentinel_values', null, words, { cell: text, count }]);
  }
  return found;
}

function timesSaid({ counts, firsts, zoneless, patterns }: ColumnFacts, { type }: ColumnType): Said[] {
  const { date, time } = firsts;
  if (counts.time > 0 && counts.date > 0)
    return [['mixed_dates', date?.line, ' has dates written in several ways; it is read as text.']];
  if (type !== 'time') return [];
  if (counts.date > 0 && patterns?.length !== 1) {
    const words = ` has dates such as ${date?.text ?? ''}. Say in a mapping how they are to be read.`;
    return [['ambiguous_dates', date?.line, words, date ? { cell: date.text } : {}]];
  }
  const words = ' has times without a time zone. Say "zone" in a mapping if they are not UTC.';
  return zoneless > 0 ? [['zone_missing', (time ?? date)?.line, words, { count: zoneless }]] : [];
}

const typeNames: Readonly<Record<ColumnType['type'], string>> = {
  integer: 'numbers',
  number: 'numbers',
  boolean: 'true or false',
  time: 'times',
  string: 'text',
  empty: 'blank',
};

/** Values that differ from the type of their column: too few to change it. */
function exceptionsSaid({ type, exceptions, exception, values }: JudgedType): Said[] {
  if (exceptions === 0 || !exception) return [];
  const text = exception.text.slice(0, 60);
  const what = `: ${exceptions} of ${values} values ${exceptions === 1 ? 'is' : 'are'} not ${typeNames[type]}, such as “${text}”.`;
  const next =
    type === 'time'
      ? ''
      : ` ${exceptions === 1 ? 'Its row is' : 'Their rows are'} rejected unless you treat it as null or read the column as text.`;
  return [['type_exceptions', exception.line, what + next, { cell: exception.text, count: exceptions }]];
}

function columnWarnings(
  column: Column,
  facts: ColumnFacts,
  delimiter: string,
  exceptionShare: number | undefined,
): FileWarning[] {
  const type = columnType(facts, delimiter, exceptionShare);
  const odd = type.type === 'string' ? counterExample(facts) : null;
  const said: Said[] = [
    ...spreadsheetSaid(column, facts),
    ...numbersSaid(facts, type),
    ...missingSaid(facts, type),
    ...timesSaid(facts, type),
    ...exceptionsSaid(type),
  ];
  if (odd)
    said.push([
      'mixed_types',
      odd.line,
      ` is mostly numbers, but not “${odd.text.slice(0, 60)}”; it is read as text.`,
      { cell: odd.text },
    ]);
  return said.map(([code, line, words, about]) => ({
    ...warn(code, line ?? null, `Column “${column.key}”${words}`),
    column: column.key,
    ...about,
  }));
}

/** Everything worth a word about a file before it is used, each with the first line of it. */
export function scanWarnings(scan: Scan, exceptionShare?: number): FileWarning[] {
  const { layout, findings, footer, footerDetected, doubtfulRows, comments, endings } = scan;
  const found = nameWarnings(scan);
  const { name, alternatives } = layout.encoding;
  if (alternatives)
    found.push({
      ...warn(
        'encoding_guessed',
        null,
        `The file is not UTF-8. It is read as ${name}, which may be wrong. Compare its letters, and select another encoding${alternatives.length > 0 ? `, such as ${alternatives.join(' or ')},` : ''} if they are not right.`,
      ),
      cell: name,
      choices: [...alternatives],
    });
  if (layout.headerLine > 1)
    found.push(
      warn('preamble', 1, `The header is on line ${layout.headerLine}; what stands before it is left out.`),
    );
  if (comments)
    found.push(
      warn(
        'comment_lines',
        comments.line,
        comments.count === 1
          ? 'A line that begins with # is taken for a comment and left out.'
          : `${comments.count} lines that begin with # are taken for comments and left out.`,
      ),
    );
  if (Object.values(endings).filter((count) => count > 0).length > (endings.none > 0 ? 2 : 1))
    found.push(
      warn('mixed_newlines', null, 'The lines of the file end in different ways. That does no harm.'),
    );
  for (const [what, finding] of Object.entries(findings) as [RowFinding, { count: number; line: number }][]) {
    const [code, message] = findingWords[what](rowsInWords(finding.count));
    found.push({ ...warn(code, finding.line, message), count: finding.count });
  }
  layout.columns.forEach((column, index) => {
    const facts = scan.columns[index];
    if (facts) found.push(...columnWarnings(column, facts, layout.delimiter, exceptionShare));
  });
  if (footer && footerDetected)
    found.push({
      ...warn(
        'footer_rows',
        footer.line,
        footer.count === 1
          ? 'The last row is a footer, such as a sum or a remark, and is left out.'
          : `The last ${footer.count} rows are a footer, such as sums or remarks, and are left out.`,
      ),
      count: footer.count,
    });
  if (doubtfulRows)
    found.push({
      ...warn(
        'foot_rows',
        doubtfulRows.line,
        `The last ${rowsInWords(doubtfulRows.count)} may be a footer, not data. Set the number of footer rows to leave them out.`,
      ),
      count: doubtfulRows.count,
    });
  if (scan.rows === 0) found.push(warn('no_rows', null, 'The file has no rows of data.'));
  return found;
}
