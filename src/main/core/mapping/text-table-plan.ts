import { openRegular } from '../files/regular-file.ts';
import type { TextColumn, TextRows, TextTable, TextValue } from '../duckdb/text-table.ts';
import type { Conversion } from './plan.ts';
import { numberEnds, type ColumnFacts, valueCount, type Scan } from '../tables/tables.ts';
import { withCalendarDate } from '../records/time-patterns.ts';
import type { TableColumn, TablePlan } from './table-plan.ts';

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

function timeValue({ format, zone }: Extract<Conversion, { kind: 'time' }>): TextValue | null {
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
  const { min, max } = numberEnds(facts, value.kind === 'number' ? value.decimal : '.');
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
    values: valueCount(facts.counts),
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
