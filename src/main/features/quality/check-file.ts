import { type Synonyms, channelLimits } from '../../../shared/channels/channels.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { datasetShapes } from '../../../shared/datasets/datasets.ts';
import { firstInWords } from '../../../shared/lists.ts';
import { createBatchBuilder, valueKinds } from '../../../shared/quality/batch.ts';
import { createQualityCheck } from '../../../shared/quality/engine.ts';
import { seriesName, type QualityReport, type IndexKind } from '../../../shared/quality/quality-report.ts';
import { isNullOfFiles, nullsOf } from '../../../shared/upload/null-tokens.ts';
import { wellsByName, type WellsBy } from '../../../shared/upload/proposals.ts';
import type { FileFacts } from '../../../shared/upload/formats.ts';
import type { ColumnMapping } from '../../../shared/upload/upload.ts';
import { assetKey, canNameWells, nameInWords } from '../../../shared/wells/wells.ts';
import { numberText, likelyColumns, columnTimes } from '../../core/mapping/mapping.ts';
import {
  columnType,
  type FileRow,
  type JudgedType,
  type Scan,
  nullNumbersOf,
  openTableFile,
  type NamedFile,
} from '../../core/tables/tables.ts';
import { stepOf } from './query-bounds.ts';
import { wellKey } from './record-places.ts';
import { closeSync, openSync, writeFileSync } from '../../world/files.ts';

/** The column that orders the rows of a file. */
export interface FileIndex {
  readonly name: string;
  readonly column: number;
  /** Those whose text is appended. */
  readonly join: readonly number[];
  readonly kind: Exclude<IndexKind, 'rows'>;
  readonly unit: string | null;
  /**
   * The index of a row; NaN: it has none. Times are Unix milliseconds; those without a zone are of the one that the
   * header names, else UTC. Rows are read in order.
   */
  readonly read: (row: FileRow) => number;
}

const isNumeric = ({ type }: JudgedType): boolean => type === 'integer' || type === 'number';

/**
 * The index of a file: the one that its format names, else a column of times, else one of depths.
 * @returns null if it has none
 */
export function indexOfFile(
  { scan, facts, times: wanted }: Pick<FileCheckRequest, 'scan' | 'facts' | 'times'>,
  types: readonly JudgedType[],
): FileIndex | null {
  const { layout, columns } = scan;
  const candidates = layout.columns.flatMap(({ key }, at) => {
    const [columnFacts, judged] = [columns[at], types[at]];
    return columnFacts && judged ? [{ key, type: judged.type, facts: columnFacts }] : [];
  });
  const [time] = likelyColumns('timestamp', candidates);
  // Of several depths, such as one in feet and one in meters, the first orders the file.
  const depths = likelyColumns('measured_depth', candidates);
  const first = candidates.find(({ key }) => depths.includes(key));
  const isFirst = first?.key === layout.columns[0]?.key;
  const depth = isFirst ? first?.key : depths[0];
  const keys = [facts.index?.name, ...(isFirst ? [depth, time] : [time, depth])];
  for (const key of keys) {
    const column =
      key === undefined ? -1 : layout.columns.findIndex((layoutColumn) => layoutColumn.key === key);
    const index =
      column < 0 ? null : indexAt(column, key === depth || facts.index?.kind.endsWith('depth') === true);
    // Rows with ambiguous times are ordered by them, not by depth.
    if (index || (columns[column]?.patterns?.length ?? 0) > 1) return index;
  }
  return null;

  function indexAt(column: number, isDepth: boolean): FileIndex | null {
    const [judged, head] = [types[column], layout.columns[column]];
    if (!judged || !head) return null;
    const times = columnTimes(scan, column, wanted[head.key]);
    if (times) {
      const name = [column, ...times.join].map((at) => layout.columns[at]?.key).join(' + ');
      return { name, column, kind: 'time', unit: 's', ...times };
    }
    if (!isNumeric(judged)) return null;
    const unit = head.unit ?? facts.index?.unit ?? null;
    const read = (row: FileRow): number => {
      const value = Number(numberText(row.text(column).trim(), judged.style) ?? Number.NaN);
      return isNullOfFiles(value) ? Number.NaN : value;
    };
    return { name: head.key, column, join: [], kind: isDepth ? 'depth' : 'number', unit, read };
  }
}

export interface FileCheckRequest extends NamedFile {
  readonly scan: Pick<Scan, 'layout' | 'rows' | 'columns' | 'notation' | 'bytes' | 'mtimeMs'>;
  readonly facts: Pick<FileFacts, 'index'>;
  /** The columns to check; empty: all. */
  readonly fields: readonly string[];
  /** How times are read as the user set it, by column. */
  readonly times: Readonly<Record<string, Pick<ColumnMapping, 'format' | 'join'>>>;
  readonly step?: string | undefined;
  readonly spikeThreshold: number;
  readonly minFlatRecords: number;
  /** The names of channels that the user has added. */
  readonly synonyms: Synonyms;
  /** A new file for well and index of each row that has an index; absent: none. */
  readonly placesFile?: string | undefined;
}

/** Text that is written at once. */
const maxTextLength = 1 << 16;
/** With a larger share of records that go back, a column isn't the index of the file. */
const maxDisorderShare = 0.2;

/**
 * Checks all rows of a file in one pass; a second one if its index turns out not to order it. Blocks: for worker
 * threads.
 * @throws AppError file_unreadable, file_unsuitable, file_changed, invalid_input
 */
export function checkFile(request: FileCheckRequest): QualityReport {
  const { layout, columns, notation } = request.scan;
  const unknown = request.fields.find((field) => !layout.columns.some(({ key }) => key === field));
  if (unknown !== undefined) {
    const names = layout.columns.map(({ key }) => `“${key}”`);
    throw invalidInput(`There is no column “${unknown}”. The file has ${firstInWords(names)}.`, {
      field: 'fields',
    });
  }
  const types = columns.map((facts) => columnType(facts, notation));
  const index = indexOfFile(request, types);
  const report = checkRows(request, types, index);
  const isOrdered = report.disorder <= report.rows * maxDisorderShare && report.unplaced <= report.rows / 2;
  return index === null || isOrdered ? report : checkRows(request, types, null);
}

/** Returns the first spelling of the well that a text names: the rows of all spellings are uploaded to one. */
function createSpellings(by: WellsBy): (text: string) => string {
  const firstOf = new Map<string, string>();
  return (text) => {
    const key = assetKey(by, text);
    const first = firstOf.get(key);
    if (first === undefined) firstOf.set(key, text);
    return first ?? text;
  };
}

function checkRows(
  { scan, fields, step, spikeThreshold, minFlatRecords, synonyms, placesFile, ...file }: FileCheckRequest,
  types: readonly JudgedType[],
  index: FileIndex | null,
): QualityReport {
  const { layout, rows, bytes, mtimeMs } = scan;
  using source = openTableFile({ ...file, expected: { bytes, mtimeMs } }, layout);
  const places = placesFile === undefined || !index ? null : createPlaceWriter(placesFile);
  try {
    const builder = createBatchBuilder();
    const nameColumn = (canName: (key: string) => boolean): number =>
      layout.columns.findIndex(
        ({ key }, at) => canName(key) && (types[at]?.type === 'string' || types[at]?.type === 'integer'),
      );
    const wellColumn = nameColumn(canNameWells);
    const logColumn = nameColumn((key) => key.split('.').at(-1) === datasetShapes.depth.indexScope);
    const separate = new Set([index?.column, ...(index?.join ?? []), wellColumn, logColumn]);
    const unitOf = (field: string): string | null =>
      layout.columns.find(({ key }) => key === field)?.unit ?? null;
    const check = createQualityCheck({
      index: index && { field: index.name, kind: index.kind, unit: index.unit },
      step: stepOf(step, index),
      range: { from: null, to: null, excludesFrom: false, includesTo: false },
      wells: [],
      limitsOf: (field) => channelLimits(field, unitOf(field), synonyms),
      unitOf,
      checks: { spikeThreshold, minFlatRecords },
    });
    const checked = layout.columns.flatMap(({ key }, at) => {
      if (separate.has(at) || (fields.length > 0 && !fields.includes(key))) return [];
      // A point between digits separates thousands where commas are decimal.
      const hasPoints = types[at]?.style.decimal !== ',';
      return [{ at, column: builder.column(key), hasPoints, readCell: cellReader(types[at]) }];
    });
    const nullNumbers = new Set(nullNumbersOf(scan));
    const firstSpelling = createSpellings(wellsByName(nameInWords(layout.columns[wellColumn]?.key ?? '')));
    const reader = source.rows({ fleeting: true });
    for (let count = 0; count < rows; count += 1) {
      const row = reader.next();
      if (!row) break;
      const textOf = (at: number): string => (at < 0 ? '' : row.text(at).trim());
      for (const { at, column, hasPoints, readCell } of checked) {
        const isPlain = hasPoints ? row.plain?.isNumber(at) : row.plain?.isInteger(at);
        const isRead = row.plain && at < row.plain.count && isPlain === true;
        if (!isRead && row.plain?.isEmpty(at) === true) continue;
        const value = isRead ? (row.plain?.values[at] ?? 0) : readCell(textOf(at));
        if (typeof value !== 'number') builder.kind(column, value.kind);
        else if (nullNumbers.size > 0 && nullNumbers.has(value)) builder.kind(column, valueKinds.token);
        else builder.number(column, value);
      }
      const place = index ? index.read(row) : Number.NaN;
      const series = seriesName(firstSpelling(textOf(wellColumn)), textOf(logColumn));
      builder.endRow(place, builder.series(series));
      places?.add(series, place);
      if (builder.isFull) {
        check.add(builder.batch(), builder.seriesNames);
        builder.clear();
      }
    }
    check.add(builder.batch(), builder.seriesNames);
    return check.report();
  } finally {
    places?.close();
  }
}

/** Writes a file with lines of well and index. Rows without an index are left out. */
function createPlaceWriter(path: string) {
  const file = openSync(path, 'wx', 0o600);
  let text = '';
  function flush(): void {
    writeFileSync(file, text);
    text = '';
  }
  return {
    add(well: string, place: number): void {
      if (Number.isNaN(place)) return;
      text += `"${wellKey(well).replaceAll('"', '""')}",${place}\n`;
      if (text.length > maxTextLength) flush();
    },
    close(): void {
      flush();
      closeSync(file);
    },
  };
}

const nulls: ReadonlySet<string> = new Set(nullsOf({}));

/** Reads the cells of a column: a number, or the kind of another value. */
function cellReader(judged: JudgedType | undefined): (cell: string) => number | { readonly kind: number } {
  const isNumeric = judged?.type === 'integer' || judged?.type === 'number';
  const style = judged?.style ?? { decimal: '.' as const, thousands: false };
  const isTruth = judged?.type === 'boolean';
  return (cell) => {
    if (cell === '') return { kind: valueKinds.null };
    if (nulls.has(cell)) return { kind: valueKinds.token };
    const text = numberText(cell, style);
    if (text !== null && (isNumeric || judged?.type === 'string')) return Number(text);
    return { kind: isTruth ? valueKinds.boolean : valueKinds.text };
  };
}
