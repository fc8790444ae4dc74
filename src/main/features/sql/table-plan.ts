import { isNullNumber, nullsOf } from '../../../shared/upload/null-tokens.ts';
import type { SqlTable } from '../../../shared/sql/sql.ts';
import type { RowPlaces } from '../../../shared/upload/formats.ts';
import type { FileWarning, ReadingOptions } from '../../../shared/upload/upload.ts';
import type {
  TableColumnType,
  TextColumn,
  TextRows,
  TextTable,
  TextValue,
} from '../../core/duckdb/duckdb.ts';
import type { SourcePlace } from '../../core/files/files.ts';
import {
  type TableReader,
  type ColumnFacts,
  columnType,
  type Scan,
  type NamedFile,
  nullNumbersOf,
  scanWarnings,
} from '../../core/tables/tables.ts';
import {
  firstUsed,
  unmappedConversions,
  type CsvThread,
  type UploadPlan,
} from '../../core/mapping/mapping.ts';
import { rowsInWords } from '../../../shared/lists.ts';
import { openRegular } from '../../core/files/regular-file.ts';
import { withCalendarDate } from '../../core/records/time-patterns.ts';

type ColumnRule = UploadPlan['rules']['columns'][number];

/** A column of a table, and how its cells become values. */
export interface TableColumn {
  readonly name: string;
  readonly type: TableColumnType;
  readonly unit: string | null;
  readonly rule: ColumnRule;
}

/** A file that was read whole, and the table that it becomes. */
export interface TablePlan {
  readonly file: NamedFile;
  readonly scan: Scan;
  readonly columns: readonly TableColumn[];
  /** Texts that are null values. */
  readonly nulls: readonly string[];
  /** Further numbers that mean null in its columns, which the table has as numbers. */
  readonly nullNumbers: readonly number[];
  /** What is to be known about the file. */
  readonly warnings: readonly FileWarning[];
  /** The tables of the file, and the number of this one, from 1; absent: it has one. */
  readonly fileTables: SqlTable['fileTables'];
  /** What the numbers of their lines count. */
  readonly rowPlaces: RowPlaces;
}

/** An integer of 64 bits can have any value of this many digits. */
const maxIntegerDigits = 18;
/** Integers with more digits aren't told apart by their facts. */
const maxLargeDigits = 29;

const hasMoreDigits = ({ digits }: ColumnFacts, max: number): boolean =>
  digits.slice(max + 1).some((count) => count > 0);

/**
 * How a column is converted: by the rules of uploads, but times are times everywhere, and no values but times that clocks
 * skip are rejected.
 */
function planColumn(
  { layout, columns }: Pick<Scan, 'layout' | 'columns'>,
  index: number,
  notation: Scan['notation'],
  decide: ReturnType<typeof unmappedConversions>,
): TableColumn | null {
  const column = layout.columns[index];
  const facts = columns[index];
  if (!column || !facts) return null;
  const { key: name, unit } = column;
  const key = `c${index}`;
  const { type } = columnType(facts, notation, 0);
  const plan = (conversion: ColumnRule['conversion'], kind: TableColumnType): TableColumn => ({
    name,
    type: kind,
    unit,
    rule: { index, column: name, path: [key], conversion },
  });
  const text = { kind: 'string', json: false, trim: true } as const;
  if (type === 'time') {
    const conversion = decide(index, 'timestamp');
    return conversion ? plan(conversion, 'time') : plan(text, 'text');
  }
  const conversion = decide(index, 'auto');
  if (conversion?.kind === 'boolean') return plan(conversion, 'boolean');
  if (conversion?.kind !== 'number') return plan(text, 'text');
  if (type !== 'integer') return plan(conversion, 'number');
  // Longer ones alone are codes, whose digits all count.
  if (hasMoreDigits(facts, maxLargeDigits)) return plan(text, 'text');
  return plan(conversion, hasMoreDigits(facts, maxIntegerDigits) ? 'large_integer' : 'integer');
}

/** What a table has in place of what a mapping would settle. */
const assumptions: Partial<Record<FileWarning['code'], string>> = {
  zone_missing: 'times without a time zone are read as UTC.',
  ambiguous_dates: 'the dates are ambiguous and stay text.',
};

function withAssumption(warning: FileWarning): FileWarning {
  const assumed = assumptions[warning.code];
  return assumed === undefined ? warning : { ...warning, message: `${warning.column ?? ''}: ${assumed}` };
}

/**
 * Reads a file whole, and plans its table.
 * @param reading how the file is read; detected where absent
 * @throws AppError file_unreadable, file_unsuitable, invalid_input, disk_full, file_unwritable, cancelled
 */
export async function planTable(
  source: SourcePlace,
  reading: ReadingOptions,
  {
    reader,
    thread,
    signal,
  }: {
    readonly reader: TableReader;
    readonly thread: CsvThread;
    readonly signal: AbortSignal | undefined;
  },
): Promise<TablePlan> {
  const nulls = nullsOf({});
  const choices = { nulls, distinct: [] };
  const { file, scan } = await reader.scanned(source, reading, thread, signal, choices);
  const { path, fileName, places } = file;
  const decide = unmappedConversions(scan, 0);
  const columns = scan.layout.columns.flatMap(
    (_, index) => planColumn(scan, index, scan.notation, decide) ?? [],
  );
  const nullNumbers = nullNumbersOf(scan);
  // The notes of the table say how these are read: a table has no mapping.
  const isNoted = (value: number) => isNullNumber(value) || nullNumbers.includes(value);
  const warnings = [...file.warnings, ...scanWarnings(scan, 0)]
    .filter(({ code, cell }) => code !== 'sentinel_values' || !isNoted(Number(cell)))
    .map(withAssumption);
  const { places: rowPlaces, tables, tableNumber: number } = file.facts;
  const fileTables = tables.length > 1 ? { tables, number } : undefined;
  return {
    file: { path, fileName, places },
    scan,
    columns,
    nulls,
    nullNumbers,
    warnings,
    rowPlaces,
    fileTables,
  };
}

/** Rows that can't be read, and local times that occur twice, which are read as the first. */
export interface SkippedRows {
  readonly rows: number;
  readonly firstLine: number;
  readonly ambiguousTimes: number;
}

/** How many rows were left out because they can't be read, and how many times were read as the first, as sentences. */
export function skippedNotes(
  { scan }: TablePlan,
  { rows, firstLine, ambiguousTimes }: SkippedRows,
): readonly string[] {
  const left = `${rowsInWords(rows)} can’t be read and ${rows === 1 ? 'is' : 'are'} skipped, the first at ${scan.layout.placeKind ?? 'line'} ${firstLine}.`;
  return [...(rows > 0 ? [left] : []), ...(ambiguousTimes > 0 ? [firstUsed(ambiguousTimes)] : [])];
}

/** The tokens of a pattern of times that the engine reads as Wellbench does. */
const formatTokens: Readonly<Record<string, string>> = {
  yyyy: '%Y',
  MMM: '%b',
  M: '%m',
  d: '%d',
  H: '%H',
  h: '%I',
  mm: '%M',
  ss: '%S',
  a: '%p',
};

/** A pattern as a format of the engine; null: it has none that is the same. */
function engineFormat(pattern: string): string | null {
  const parts = pattern.match(/'[^']*'|([A-Za-z])\1*|[^A-Za-z']+/g) ?? [];
  const texts = parts.map((part) =>
    /^[A-Za-z]/.test(part) ? formatTokens[part] : part.replaceAll("'", '').replaceAll('%', '%%'),
  );
  return texts.includes(undefined) ? null : texts.join('');
}

function timeValue({ format, zone }: Extract<ColumnRule['conversion'], { kind: 'time' }>): TextValue | null {
  if (zone !== 'UTC') return null;
  if (format === 'iso') return { kind: 'time', format: null };
  const engineTime = engineFormat(format);
  return engineTime === null ? null : { kind: 'time', format: engineTime };
}

/** How the engine reads the cells of a column; null: it doesn't read them as Wellbench does. */
function valueOf({ type, rule: { conversion } }: TableColumn, facts: ColumnFacts): TextValue | null {
  const { counts, firsts, minText, maxText } = facts;
  if (type === 'time') {
    // The engine doesn't read days of the year.
    const texts = [firsts.time?.text, minText, maxText].map((text) => text ?? '');
    const isCalendar = texts.every((text) => withCalendarDate(text) === text);
    return conversion.kind === 'time' && isCalendar ? timeValue(conversion) : null;
  }
  if (type === 'text' || type === 'boolean') return { kind: type };
  if (conversion.kind !== 'number' || conversion.style.thousands) return null;
  const { decimal } = conversion.style;
  // Of numbers with commas, those with points are groups of three digits or null values.
  if (decimal === ',' && counts.number + counts.point_thousands > 0) return null;
  return type === 'number' ? { kind: type, decimal } : { kind: type };
}

/** The numbers between which a column's are; null: facts don't tell. */
function rangeOf(value: TextValue, facts: ColumnFacts): TextColumn['range'] {
  if (value.kind !== 'number' && value.kind !== 'integer') return null;
  const { min, max } = facts.ends[value.kind === 'number' ? value.decimal : '.'];
  return min && max ? [min.value, max.value] : null;
}

function columnOf(column: TableColumn, facts: ColumnFacts, nulls: readonly string[]): TextColumn | null {
  const value = valueOf(column, facts);
  if (!value) return null;
  const range = rangeOf(value, facts);
  if (range && !range.every(Number.isFinite)) return null;
  return {
    name: column.name,
    value,
    hasBlanks: facts.outerBlanks !== null || facts.counts.empty > 0,
    nulls: facts.nulls.size > 0 ? nulls.filter((text) => text === '' || facts.nulls.has(text)) : [],
    values: facts.values,
    range,
  };
}

/** The end of all lines; null: lines end differently. */
function lineEndOf({ endings: { LF, CRLF, CR } }: Scan): 'LF' | 'CRLF' | null {
  if (CR > 0 || (LF > 0 && CRLF > 0)) return null;
  return CRLF > 0 ? 'CRLF' : 'LF';
}

/** Whether no cell before the rows has several lines, so that each line is one, and no end mark of DOS follows them. */
async function hasPlainEnds({
  file: { path, fileName },
  scan: { layout, bytes },
}: TablePlan): Promise<boolean> {
  const handle = await openRegular(path, fileName);
  try {
    const start = Buffer.alloc(layout.dataStart);
    const { bytesRead } = await handle.read(start, 0, start.length, 0);
    const last = Buffer.alloc(1);
    await handle.read(last, 0, 1, Math.max(0, bytes - 1));
    if (last[0] === 0 || last[0] === 0x1a) return false;
    const lines = start.toString('latin1', 0, bytesRead).split('\n');
    return lines.length === layout.dataLine && lines.every((line) => (line.split('"').length - 1) % 2 === 0);
  } finally {
    await handle.close();
  }
}

/** How the engine separates the cells of a file; null: it doesn't do it as Wellbench does. */
async function rowsOf(plan: TablePlan): Promise<TextRows | null> {
  const { scan } = plan;
  const { layout, footer, comments, escapes } = scan;
  if (layout.encoding.name !== 'UTF-8') return null;
  if (layout.jsonLines) {
    const names = layout.columns.flatMap(({ path = [] }) => (path.length === 1 ? path : []));
    return names.length === layout.columns.length ? { form: 'json', names } : null;
  }
  const { delimiter, dataLine } = layout;
  const lineEnd = lineEndOf(scan);
  const isPlain = /^[\t\x20-\x7e]$/.test(delimiter) && layout.fillFrom === undefined && !footer && !escapes;
  if (!isPlain || lineEnd === null || (comments && comments.line >= dataLine)) return null;
  if (!(await hasPlainEnds(plan))) return null;
  return { form: 'delimited', delimiter, lineEnd, skippedLines: dataLine - 1 };
}

/** Findings that concern no value. */
const harmless: ReadonlySet<string> = new Set(['total_rows']);

/**
 * A table that the engine reads from its file with the same values as Wellbench; null: Wellbench reads it. The whole file
 * was read before, so that the kinds of all its cells are known.
 * @throws AppError file_unreadable
 */
export async function textTable(plan: TablePlan): Promise<TextTable | null> {
  const { file, scan, nulls } = plan;
  if (!Object.keys(scan.findings).every((finding) => harmless.has(finding))) return null;
  const columns = plan.columns.map((column, index) => {
    const facts = scan.columns[index];
    return facts ? columnOf(column, facts, nulls) : null;
  });
  const readable = columns.filter((column) => column !== null);
  if (readable.length === 0 || readable.length < columns.length) return null;
  const rows = await rowsOf(plan);
  return rows && { path: file.path, rows, columns: readable };
}
