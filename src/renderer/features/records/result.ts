import { AppError } from '../../../shared/errors/errors.ts';
import type { Calculation } from '../../../shared/calculated/calculated.ts';
import type { FindRequest, RecordPage, RecordsRequest, PageRequest } from '../../../shared/query/query.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { createCalculatedPages } from './calculated-pages.ts';
import { limitOf, parseRecords, sendRequest, type FirstPage, type RecordsApi } from './request.ts';
import { createGrouping, createSummary } from './figures.ts';
import { type RecordsMemory, createPages, type Pages, type Range } from './pages.ts';
import { type CopyFormat, createRowWriter, type SavedFormat } from './row-writer.ts';
import { findText, walkNamed, type FindOptions, type FindResult } from './find.ts';
import {
  assetPathOf,
  withWellNames,
  type WellNames,
  type TimeZone,
  type UnitChanges,
  columnConverter,
} from './shown-cells.ts';
import { checkRecords, nearestRowOf, type QualityOfRecords, type SeriesPlace } from './check-records.ts';
import type { ColumnHead, StoredCell } from './table.ts';
import type { CallContext } from '../../../shared/threads.ts';
import { isObject, type JsonValue } from '../../../shared/json.ts';
import { countRepeated, maxRepeats } from '../../../shared/lists.ts';
import { isNullNumber } from '../../../shared/upload/null-tokens.ts';

type Task<Input> = (input: Input, signal: AbortSignal) => Promise<void>;

interface SharedTask {
  readonly done: Promise<void>;
  readonly controller: AbortController;
  waiting: number;
}

/** Runs a task once for all concurrent callers; it is aborted when all of them aborted. */
function shareTask<Input>(
  task: Task<Input>,
): (key: string, input: Input, signal: AbortSignal) => Promise<void> {
  const running = new Map<string, SharedTask>();

  function join(key: string, input: Input): SharedTask {
    const sharedTask = running.get(key);
    if (sharedTask) return sharedTask;
    const controller = new AbortController();
    const done = task(input, controller.signal).finally(() => {
      if (running.get(key) === started) running.delete(key);
    });
    const started: SharedTask = { done, controller, waiting: 0 };
    running.set(key, started);
    return started;
  }

  return async (key, input, signal) => {
    signal.throwIfAborted();
    const shared = join(key, input);
    shared.waiting += 1;
    const leave = (): void => {
      shared.waiting -= 1;
      if (shared.waiting > 0) return;
      running.delete(key);
      shared.controller.abort();
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      await shared.done;
    } finally {
      signal.removeEventListener('abort', leave);
    }
    signal.throwIfAborted();
  };
}

type UpperBound = NonNullable<PageRequest['upTo']>;

function numberOf(record: JsonValue | undefined, field: string): number | null {
  const value = record !== undefined && isObject(record) ? record[field] : undefined;
  return typeof value === 'number' ? value : null;
}

/**
 * The upper bound of pages after the first, so that new records don't move them. Records without a number would be
 * beyond any bound, so a query that matches some has none: the service sorts them last, which one request shows.
 * @param request the find whose pages are read
 * @param orderField the field along which records grow, which the find sorts by, descending
 * @param first its first record
 * @returns reads the bound once; null: there is none
 */
export function createUpperBound(
  query: Pick<RecordsApi['query'], 'page'>,
  request: PageRequest,
  orderField: string,
  first: JsonValue | undefined,
): (signal: AbortSignal) => Promise<UpperBound | null> {
  const highest = numberOf(first, orderField);
  let bound: UpperBound | null | undefined = highest === null ? null : undefined;
  const readLowest = shareTask(async (value: number, signal) => {
    const sort = JSON.stringify({ [orderField]: 1 });
    const lowest = await query.page(
      { ...request, sort, skip: 0, limit: 1, fields: [orderField], includeCount: false },
      { signal },
    );
    bound =
      numberOf(parseRecords(lowest.records)[0], orderField) === null ? null : { field: orderField, value };
  });
  return async (signal) => {
    if (bound === undefined && highest !== null) await readLowest('', highest, signal);
    return bound ?? null;
  };
}

export interface Figures {
  readonly rows: number;
  readonly values: number;
  /** Of measurements, without times and null values such as -999.25; null: none. */
  readonly numbers: {
    readonly count: number;
    readonly sum: number;
    readonly min: number;
    readonly max: number;
  } | null;
}

/** Collects the figures of rows, in the units in which columns are shown. */
export function createFigures(columns: readonly ColumnHead[], changes: UnitChanges = {}) {
  // A sum of times or of ids means nothing.
  const measured = columns.map(
    ({ kind, path }) => (kind === 'integer' || kind === 'number') && !/(^|_)id$/.test(path.at(-1) ?? ''),
  );
  const converters = columns.map(({ path }) => columnConverter(changes, pathId(path)));
  let rows = 0;
  let values = 0;
  let count = 0;
  let sum = 0;
  let min = Infinity;
  let max = -Infinity;
  return {
    add(cells: readonly StoredCell[]): void {
      rows += 1;
      measured.forEach((isMeasured, at) => {
        const cell = cells[at];
        if (cell === undefined || cell === null) return;
        values += 1;
        const stored = typeof cell === 'bigint' ? Number(cell) : cell;
        if (!isMeasured || typeof stored !== 'number' || isNullNumber(stored)) return;
        const number = converters[at]?.(stored) ?? stored;
        count += 1;
        sum += number;
        min = Math.min(min, number);
        max = Math.max(max, number);
      });
    },
    figures: (): Figures => ({ rows, values, numbers: count === 0 ? null : { count, sum, min, max } }),
  };
}

/** The page size while scrolling, and for all rows (the maximum of a request). */
const pageRows = { scrolling: 1000, all: 10_000 } as const;

/** The number of rows in the first response, more than a screen shows. */
const headRows = 100;

export type Path = readonly string[];

/** The extent of a result and its columns. */
export interface ResultShape {
  /** The number of rows that can be requested. Without a total, it grows with each page. */
  readonly rows: number;
  /** The number of rows known to exist; equals `rows` once that is final. */
  readonly knownRows: number;
  /** Whether `rows` is final. */
  readonly isComplete: boolean;
  /** The number of loaded rows; others are fetched on request. */
  readonly held: number;
  /** The number of gaps before the last loaded row. */
  readonly gaps: number;
  /** The size of all pages received, in bytes of JSON. */
  readonly bytes: number;
  /** All columns in display order. */
  readonly columns: readonly ColumnHead[];
}

export interface RecordQuery {
  readonly request: RecordsRequest;
  /**
   * Whether a find continues beyond its limit, in pages on request. Its sort gets `_id` as a tiebreaker
   * (specification, 4.1, paging rules).
   */
  readonly isUnlimited: boolean;
  /** The field along which the dataset grows, if the query is sorted by it, descending. */
  readonly orderField: string | null;
}

export interface TextOptions {
  /** Ascending; null: all loaded rows. */
  readonly rows: readonly Range[] | null;
  readonly paths: readonly Path[];
  readonly format: CopyFormat | SavedFormat;
  readonly wellNames: WellNames;
  /** Whether a table starts with the names of its columns; default: true. */
  readonly hasHeader?: boolean | undefined;
  readonly zone: TimeZone;
  /** The columns whose numbers are written in another unit than they are stored in; absent: none. JSON has none. */
  readonly changes?: UnitChanges | undefined;
  /** What a header adds to the names of columns, such as their units, by path id. */
  readonly headNotes?: Readonly<Record<string, string>> | undefined;
}

export interface FiguresOptions {
  readonly rows: readonly Range[];
  readonly paths: readonly Path[];
  readonly changes: UnitChanges;
}

interface ResultDependencies {
  readonly api: RecordsApi;
  readonly memory: RecordsMemory;
  readonly onGrow: (shape: ResultShape) => void;
  readonly signal: AbortSignal;
}

/** A result in the records worker. */
export type StoredResult = Awaited<ReturnType<typeof openResult>>;
/** What the window can ask of it. */
export type ResultCalls = Omit<StoredResult, 'opened' | 'release'>;

/** Runs a query and stores its records. @throws AppError */
export async function openResult(
  { request, isUnlimited, orderField }: RecordQuery,
  needs: ResultDependencies,
) {
  const { api, memory, onGrow, signal } = needs;
  const paged = isUnlimited && request.kind === 'find' ? request.request : null;
  const first: FirstPage = await (paged
    ? api.query.page(pageOf(paged, { from: 0, to: pageRows.scrolling }, true), { signal })
    : sendRequest(api, request, { signal }));
  const { dataUrl } = first;
  const names = first.columns?.map(({ name }) => name);
  const extent = () => {
    const startsAtFirst = !('skip' in request.request) || request.request.skip === 0;
    const limit = paged ? null : limitOf(request);
    const isCut = first.hasMore === true || (limit !== null && first.count >= limit);
    return { rows, startsAtFirst, isAll: startsAtFirst && isComplete && !isCut };
  };
  const onEvict = () => onGrow(shape());
  const storedPages = createPages({ memory, isReloadable: paged !== null, names, onEvict });
  const pages = createCalculatedPages(storedPages, extent, memory);
  const firstRecords = parseRecords(first.records);
  pages.add(0, firstRecords, first.records.length);
  // If the query skips records, its first record says nothing about those before.
  const upperBound =
    paged?.skip === 0 && orderField !== null
      ? createUpperBound(api.query, { ...paged, dataUrl }, orderField, firstRecords[0])
      : null;
  /** The number of records inserted before the loaded ones, as far as known. */
  let shiftedRows = 0;

  let bytes = first.records.length;
  // The total counts also the records that the query skips.
  const total = first.total === null ? null : first.total - (paged?.skip ?? 0);
  let { rows, isComplete } = resultShape({ ...first, total }, paged ? pageRows.scrolling : null);
  const shape = (): ResultShape => ({
    rows,
    knownRows: isComplete ? rows : rows - pageRows.scrolling,
    isComplete,
    held: pages.held(),
    gaps: pages.gaps(),
    bytes,
    columns: pages.columns(),
  });

  const fetchPage = shareTask(async ({ from, to }: Range, signal) => {
    if (!paged) return;
    const upTo = upperBound && (await upperBound(signal));
    let earlierFirst: JsonValue | undefined;
    for (let tries = maxRepeats; ; tries -= 1) {
      const by = shiftedRows;
      const asking = { ...pageOf(paged, { from: from + by, to: to + by }, false), dataUrl };
      const page = await api.query.page(upTo ? { ...asking, upTo } : asking, { signal });
      const records = parseRecords(page.records);
      const before = { from: Math.max(from - records.length, 0), to: from };
      const again = countRepeated(pages.cells('_id', before), records.map(idOf));
      // Concurrent pages see the same growth.
      shiftedRows = Math.max(shiftedRows, by + again);
      const [first] = records;
      if (again > 0 && again === records.length && isSameRecord(first, earlierFirst))
        throw new AppError('bad_answer', {
          service: 'data',
          problem: 'it sends the same records whatever is skipped, as from a proxy that caches',
        });
      earlierFirst = first;
      if (again > 0 && tries > 0) continue;
      // A larger page may have arrived meanwhile, which this part would replace.
      if (pages.missing({ from, to: from + records.length }).length > 0)
        pages.add(from, records, page.records.length);
      bytes += page.records.length;
      updateEnd(from, to - from, page.count);
      onGrow(shape());
      return;
    }
  });

  /** A partial page is the end; a full last page means that there may be more. */
  function updateEnd(from: number, wanted: number, count: number): void {
    if (count < wanted && from + count < rows) {
      rows = from + count;
      isComplete = true;
    } else if (!isComplete && from + count >= rows) {
      rows = from + count + (count < wanted ? 0 : pageRows.scrolling);
      isComplete = count < wanted;
    }
  }

  async function fetchRows({ from, to }: Range, step: number, signal: AbortSignal): Promise<void> {
    const starts: number[] = [];
    for (let start = from - (from % step); start < Math.min(to, rows); start += step) starts.push(start);
    const wanted = starts
      .map((start) => ({ from: start, to: Math.min(start + step, isComplete ? rows : start + step) }))
      .filter((range) => pages.missing(range).length > 0);
    await Promise.all(wanted.map((range) => fetchPage(`${range.from}-${range.to}`, range, signal)));
  }
  const within = ({ from, to }: Range): Range => ({ from: Math.min(from, rows), to: Math.min(to, rows) });

  return {
    opened: {
      head: pages.slice({ from: 0, to: Math.min(headRows, first.count) }),
      shape: shape(),
      count: first.count,
      total: first.total,
      hasMore: first.hasMore ?? false,
      ms: first.ms,
      computedFrom: first.computedFrom,
      dataUrl,
      /** Those of a statement; empty: the result is none of one. */
      statementColumns: first.columns ?? [],
    },
    /** Rows as columns, for some hundred visible ones; missing rows are fetched until all callers canceled. */
    async rows(range: Range, { signal }: CallContext) {
      await fetchRows(range, pageRows.scrolling, signal);
      return pages.slice(within(range));
    },
    /** Fetches missing rows; emits the number processed. */
    async load({ from, to }: Range, { emit, signal }: CallContext<number>) {
      for (let start = from; start < to; start += pageRows.all) {
        const part = { from: start, to: Math.min(start + pageRows.all, to) };
        await fetchRows(part, pageRows.all, signal);
        emit(part.to - from);
      }
    },
    /** Replaces the calculated columns; null: none. */
    calculate(calculation: Calculation | null) {
      const facts = pages.calculate(calculation);
      onGrow(shape());
      return facts;
    },
    /** Whether its tab is in view: rows of hidden tabs are released first, and loaded again in view. */
    async setVisible(isVisible: boolean, context: CallContext) {
      const ranges = pages.setVisible(isVisible);
      try {
        for (const { from, to } of ranges)
          await fetchRows({ from, to: Math.min(to, rows) }, pageRows.all, context.signal);
      } catch (error) {
        pages.reloadLater(ranges);
        throw error;
      }
    },
    release: pages.release,
    /** An array for each path. NaN: no number; -999.25 is one. Times, also ISO dates, are Unix milliseconds. */
    numbers(paths: readonly Path[], { transfer }: CallContext) {
      const numbers = paths.map((path) => pages.numbers(pathId(path), { from: 0, to: rows }));
      transfer(numbers.map(({ buffer }) => buffer));
      return numbers;
    },
    /** Groups loaded rows by the values of columns, such as wells. */
    groups(paths: readonly Path[], { transfer }: CallContext) {
      const grouping = createGrouping(rows);
      pages.walk(paths.map(pathId), null, grouping.add);
      const groups = grouping.groups();
      transfer([groups.codes.buffer]);
      return groups;
    },
    /** A complete record; fetched if missing. */
    async record(row: number, { signal }: CallContext) {
      await fetchRows({ from: row, to: row + 1 }, pageRows.scrolling, signal);
      const record = pages.record(row);
      if (record === undefined) throw new AppError('internal', { problem: 'there is no such record' });
      return record;
    },
    /** Rows as text. Requested rows are fetched; loaded rows may have gaps. */
    async text(options: TextOptions, { signal }: CallContext) {
      const { rows: wanted, paths, format, zone, wellNames, hasHeader, headNotes, changes } = options;
      const heads = columnHeads(pages, paths);
      const copied = createRowWriter(heads, format, zone, { hasHeader, headNotes, changes });
      let count = 0;
      const add = (_row: number, cells: readonly StoredCell[]): void => {
        count += 1;
        copied.add(cells);
      };
      if (wanted === null) walkNamed(pages, heads, wellNames, null, add);
      // Values of calculated columns at the edge of a page need those beside it.
      if (paths.some((path) => pages.needsRowsBefore(pathId(path))))
        for (const { from, to } of wanted ?? []) {
          const beside = { from: Math.max(from - pageRows.scrolling, 0), to: to + pageRows.scrolling };
          await fetchRows(beside, pageRows.scrolling, signal);
        }
      // Page by page: with more rows than memory holds, the first are evicted before the last arrive.
      let wantedRows = 0;
      for (const { from, to } of wanted ?? []) {
        wantedRows += to - from;
        for (let start = from; start < to; start += pageRows.scrolling) {
          const part = { from: start, to: Math.min(start + pageRows.scrolling, to) };
          await fetchRows(part, pageRows.scrolling, signal);
          walkNamed(pages, heads, wellNames, [part], add);
        }
      }
      if (wanted && count < wantedRows)
        throw new AppError('internal', { problem: 'some of the selected rows could not be fetched' });
      return {
        text: copied.text(),
        html: copied.html(),
        rows: count,
        gaps: wanted === null ? pages.gaps() : 0,
      };
    },
    /** The cells in loaded rows that contain a text, as displayed; emits the matches so far. */
    find: ({ paths, ...options }: FindOptions, { emit, signal }: CallContext<FindResult>) =>
      findText(pages, columnHeads(pages, paths), options, emit, signal),
    /** Figures of selected cells, as far as their rows are loaded. */
    figures({ rows: wanted, paths, changes }: FiguresOptions) {
      const heads = columnHeads(pages, paths);
      const counted = createFigures(heads, changes);
      pages.walk(
        heads.map((head) => pathId(assetPathOf(head))),
        wanted,
        (_row, cells) => counted.add(cells),
      );
      return counted.figures();
    },
    quality: (of: QualityOfRecords) => checkRecords(pages, of),
    /** The loaded row of a series nearest to a place of its index; null: none. */
    rowAt: ({ of, place }: { of: QualityOfRecords; place: SeriesPlace }) => nearestRowOf(pages, of, place),
    summary(path: Path) {
      const id = pathId(path);
      const summed = createSummary(columnHeads(pages, [path])[0]?.kind ?? 'empty');
      pages.walk([id], null, (_row, [cell]) => summed.add(cell));
      return summed.summary();
    },
  };
}

function columnHeads(pages: Pages, paths: readonly (readonly string[])[]): ColumnHead[] {
  const headsByPath = new Map(withWellNames(pages.columns()).map((head) => [pathId(head.path), head]));
  return paths.map((path) => headsByPath.get(pathId(path)) ?? { path, kind: 'empty', characters: 0 });
}

function pageOf(request: FindRequest, { from, to }: Range, includeCount: boolean): FindRequest {
  return { ...request, skip: request.skip + from, limit: to - from, includeCount };
}

/** The extent by the first page: a complete result, or one in pages. */
function resultShape(
  { count, total }: Pick<RecordPage, 'count' | 'total'>,
  paged: number | null,
): Pick<ResultShape, 'rows' | 'isComplete'> {
  if (paged === null || count < paged) return { rows: count, isComplete: true };
  if (total !== null && total >= count) return { rows: total, isComplete: true };
  return { rows: count + paged, isComplete: false };
}

const idOf = (record: JsonValue | undefined): JsonValue | undefined =>
  isObject(record) ? record['_id'] : undefined;

const isSameRecord = (a: JsonValue | undefined, b: JsonValue | undefined): boolean => {
  const id = idOf(a);
  return typeof id === 'string' && id === idOf(b);
};
