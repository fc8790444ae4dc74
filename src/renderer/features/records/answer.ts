import { AppError } from '../../../shared/errors/errors.ts';
import type { FindRequest, PageRequest, RecordPage, RecordsRequest } from '../../../shared/query/query.ts';
import { pathId } from './columns.ts';
import { recordsIn, sendRequest, type RecordsApi } from './request.ts';
import { createGrouping } from './groups.ts';
import { createPages, type Pages, type Range } from './pages.ts';
import { type CopyFormat, copying, type SavedFormat } from './copied.ts';
import { findIn, type FindOptions } from './find.ts';
import type { TimeZone } from './cell-text.ts';
import { sharing } from './sharing.ts';
import { summing } from './summary.ts';
import type { Cell, ColumnHead, HeldCell } from './table.ts';
import { isObject, type JsonValue } from '../../../shared/json.ts';

/** How many rows are fetched at a time while scrolling, and where all of them are wanted (the most of one request). */
export const pageRows = { scrolling: 1000, all: 10_000 } as const;

/** How often a page is asked for again because records came in front of it; with a growing dataset it may be never still. */
const mostTries = 3;

/** How many rows are handed out with the answer itself, more than a screen. */
const headRows = 100;

export type Path = readonly string[];

/** How far an answer reaches now, and what its columns are. */
export interface Shape {
  /** How many rows can be asked for. Where the service said no total, it grows as pages come. */
  readonly rows: number;
  /** How many rows have been seen to be there; `rows` itself once that is final. */
  readonly known: number;
  /** Whether `rows` is final. */
  readonly complete: boolean;
  /** How many of them are held now; the others are fetched when they are asked for. */
  readonly held: number;
  /** How many ranges of rows are missing before the last one that is held. */
  readonly gaps: number;
  /** The size of all pages that came, in bytes of JSON text. */
  readonly bytes: number;
  /** Every column met, in the order for reading. */
  readonly columns: readonly ColumnHead[];
}

export interface Question {
  readonly asked: RecordsRequest;
  /**
   * Whether a find goes on beyond its limit, through all that matches, in pages that are fetched as they are asked for;
   * its sort gets `_id` as the tiebreaker (specification, 4.1, paging rules).
   */
  readonly everything: boolean;
  /** The field along which the dataset grows, where the question is sorted by it, descending. */
  readonly along: string | null;
}

export interface TextOptions {
  /** Ascending; null: all that is held. */
  readonly rows: readonly number[] | null;
  readonly paths: readonly Path[];
  readonly format: CopyFormat | SavedFormat;
  readonly zone: TimeZone;
}

interface AnswerNeeds {
  readonly api: RecordsApi;
  /** Bytes of JSON text that are held at a time. */
  readonly most: number;
  readonly onGrow: (shape: Shape) => void;
  readonly signal: AbortSignal;
}

/** An answer as the records' thread holds it. */
export type HeldAnswer = Awaited<ReturnType<typeof openAnswer>>;

/** Asks a question and holds what comes. @throws AppError */
export async function openAnswer({ asked, everything, along }: Question, needs: AnswerNeeds) {
  const { api, most, onGrow, signal } = needs;
  const pages = createPages(most);
  const paged = everything && asked.kind === 'find' ? asked.request : null;
  const first = await (paged
    ? api.query.page(pageOf(paged, { from: 0, to: pageRows.scrolling }, true), { signal })
    : sendRequest(api, asked, { signal }));
  const firstRecords = recordsIn(first.records);
  pages.add(0, firstRecords, first.records.length);
  // With records skipped on purpose the first of them tells nothing of those before.
  const upTo = paged?.skip === 0 ? boundOf(along, firstRecords) : null;
  /** How many records came in front of those that are held, as far as is known. */
  let shifted = 0;

  let bytes = first.records.length;
  let { rows, complete } = reachOf(first, paged ? pageRows.scrolling : null);
  const shape = (): Shape => ({
    rows,
    known: complete ? rows : rows - pageRows.scrolling,
    complete,
    held: pages.held(),
    gaps: pages.gaps(),
    bytes,
    columns: pages.columns(),
  });

  const fetchPage = sharing(async ({ from, to }: Range, signal) => {
    if (!paged) return;
    for (let tries = mostTries; ; tries -= 1) {
      const by = shifted;
      const asking = pageOf(paged, { from: from + by, to: to + by }, false);
      const page = await api.query.page(upTo ? { ...asking, upTo } : asking, { signal });
      const found = recordsIn(page.records);
      const before = { from: Math.max(from - found.length, 0), to: from };
      const again = repeated(pages.cells('_id', before), found);
      // Pages that are fetched side by side all meet the same growth.
      shifted = Math.max(shifted, by + again);
      if (again > 0 && tries > 0) continue;
      pages.add(from, found, page.records.length);
      bytes += page.records.length;
      learnEnd(from, to - from, page.count);
      onGrow(shape());
      return;
    }
  });

  /** A page that is not full is the end, whatever was said before; a full one at the end says that there may be more. */
  function learnEnd(from: number, wanted: number, count: number): void {
    if (count < wanted && from + count < rows) {
      rows = from + count;
      complete = true;
    } else if (!complete && from + count >= rows) {
      rows = from + count + (count < wanted ? 0 : pageRows.scrolling);
      complete = count < wanted;
    }
  }

  async function fetchRows({ from, to }: Range, step: number, signal: AbortSignal): Promise<void> {
    const starts: number[] = [];
    for (let start = from - (from % step); start < Math.min(to, rows); start += step) starts.push(start);
    const wanted = starts
      .map((start) => ({ from: start, to: Math.min(start + step, complete ? rows : start + step) }))
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
      ms: first.ms,
    },
    async rows(range: Range, signal: AbortSignal) {
      await fetchRows(range, pageRows.scrolling, signal);
      return pages.slice(within(range));
    },
    /** Fetches rows that are not held. */
    async load({ from, to }: Range, onProgress: (rows: number) => void, signal: AbortSignal) {
      for (let start = from; start < to; start += pageRows.all) {
        const part = { from: start, to: Math.min(start + pageRows.all, to) };
        await fetchRows(part, pageRows.all, signal);
        onProgress(part.to - from);
      }
    },
    numbers: (paths: readonly Path[]) =>
      paths.map((path) => pages.numbers(pathId(path), { from: 0, to: rows })),
    groups(paths: readonly Path[]) {
      const grouping = createGrouping(rows);
      pages.walk(paths.map(pathId), null, grouping.add);
      return grouping.groups();
    },
    async record(row: number, signal: AbortSignal) {
      await fetchRows({ from: row, to: row + 1 }, pageRows.scrolling, signal);
      const record = pages.record(row);
      if (record === undefined) throw new AppError('internal', { problem: 'there is no such record' });
      return record;
    },
    async text({ rows: wanted, paths, format, zone }: TextOptions, signal: AbortSignal) {
      const ids = paths.map(pathId);
      const copied = copying(headsOf(pages, paths), format, zone);
      let count = 0;
      const add = (_row: number, cells: readonly HeldCell[]): void => {
        count += 1;
        copied.add(cells);
      };
      if (wanted === null) pages.walk(ids, null, add);
      // Page by page: of more rows than can be held, the first have gone when the last come.
      for (const part of Map.groupBy(wanted ?? [], (row) => Math.floor(row / pageRows.scrolling)).values()) {
        const range = { from: Math.min(...part), to: Math.max(...part) + 1 };
        await fetchRows(range, pageRows.scrolling, signal);
        pages.walk(ids, part, add);
      }
      if (wanted && count < wanted.length)
        throw new AppError('internal', { problem: 'some of the selected rows could not be fetched' });
      return { text: copied.text(), rows: count, gaps: wanted === null ? pages.gaps() : 0 };
    },
    find: ({ text, paths, zone }: FindOptions) => findIn(pages, headsOf(pages, paths), text, zone),
    summary(path: Path) {
      const id = pathId(path);
      const summed = summing(headsOf(pages, [path])[0]?.kind ?? 'empty');
      pages.walk([id], null, (_row, [cell]) => summed.add(cell));
      return summed.summary();
    },
  };
}

/** What is known of the columns at these paths. */
function headsOf(pages: Pages, paths: readonly (readonly string[])[]): ColumnHead[] {
  const known = new Map(pages.columns().map((head) => [pathId(head.path), head]));
  return paths.map((path) => known.get(pathId(path)) ?? { path, kind: 'empty', characters: 0 });
}

function pageOf(request: FindRequest, { from, to }: Range, includeCount: boolean): FindRequest {
  return { ...request, skip: request.skip + from, limit: to - from, includeCount };
}

/** How far an answer reaches by its first page: a whole answer by itself, or one of `paged` rows at a time. */
function reachOf(
  { count, total }: Pick<RecordPage, 'count' | 'total'>,
  paged: number | null,
): Pick<Shape, 'rows' | 'complete'> {
  if (paged === null || count < paged) return { rows: count, complete: true };
  if (total !== null && total >= count) return { rows: total, complete: true };
  return { rows: count + paged, complete: false };
}

/**
 * How many records at the beginning of a page stood at the end of the page before already: so many came in front of
 * them since, for pages are counted from the beginning. Records are told apart by `_id`; where they show none, none is
 * known to be repeated.
 * @param before the ids of the rows before, in their order
 */
export function repeated(before: readonly Cell[], page: readonly JsonValue[]): number {
  const seen = new Set(before.filter((id) => typeof id === 'string'));
  let count = 0;
  for (const record of page) {
    const id = isObject(record) ? record['_id'] : undefined;
    if (typeof id !== 'string' || !seen.has(id)) break;
    count += 1;
  }
  return count;
}

/**
 * The bound of the pages after the first, so that what comes to a dataset meanwhile moves none of them.
 * @param along the field along which records grow, and which the question is sorted by, descending
 * @returns null where the first record shows no such number
 */
function boundOf(along: string | null, [first]: readonly JsonValue[]): PageRequest['upTo'] | null {
  const value = along !== null && first !== undefined && isObject(first) ? first[along] : undefined;
  return along !== null && typeof value === 'number' ? { field: along, value } : null;
}
