import { AppError } from '../../../shared/errors/errors.ts';
import type { JsonValue } from '../../../shared/json.ts';
import type { FindRequest, RecordPage } from '../../../shared/query/query.ts';
import { pathId } from './column-groups.ts';
import { ask, type Asked, type Askable } from './asked.ts';
import { boundOf, repeated } from './borders.ts';
import { createGrouping, type Groups } from './groups.ts';
import { recordsIn } from './page-text.ts';
import { createPages, type Pages, type Range } from './pages.ts';
import { copying } from './copied.ts';
import { findIn } from './find.ts';
import type { ThreadCall } from './protocol.ts';
import type { Found, Opened, RowsText, Shape } from './records.ts';
import { sharing } from './sharing.ts';
import { summing, type Summary } from './summary.ts';
import type { ColumnHead, HeldCell, Slice } from './table.ts';

/** How many rows are fetched at a time while scrolling, and where all of them are wanted (the most of one request). */
export const pageRows = { scrolling: 1000, all: 10_000 } as const;

/** How often a page is asked for again because records came in front of it; with a growing dataset it may be never still. */
const mostTries = 3;

/** How many rows are handed out with the answer itself, more than a screen. */
const headRows = 100;

export interface AnswerOptions {
  readonly api: Askable;
  readonly asked: Asked;
  readonly everything: boolean;
  /** The field along which the dataset grows, where the question is sorted by it, descending. */
  readonly along: string | null;
  /** Bytes of JSON text that are held at a time. */
  readonly most: number;
  readonly onGrow: (shape: Shape) => void;
  readonly signal: AbortSignal;
}

type Wanted<C extends ThreadCall['call']> = Extract<ThreadCall, { call: C }>;

/** An answer as the records' thread keeps it. */
export interface HeldAnswer {
  readonly opened: Omit<Opened, 'records'> & { readonly shape: Shape };
  readonly rows: (range: Range, signal: AbortSignal) => Promise<Slice>;
  readonly numbers: (
    paths: readonly (readonly string[])[],
    options: {
      readonly range: Range | null;
      readonly fetch: boolean;
      readonly signal: AbortSignal;
      readonly onProgress: (rows: number) => void;
    },
  ) => Promise<Float64Array<ArrayBuffer>[]>;
  readonly groups: (
    paths: readonly (readonly string[])[],
    options: { readonly fetch: boolean; readonly signal: AbortSignal },
  ) => Promise<Groups>;
  readonly record: (row: number, signal: AbortSignal) => Promise<JsonValue>;
  readonly text: (wanted: Wanted<'text'>, signal: AbortSignal) => Promise<RowsText>;
  readonly find: (wanted: Wanted<'find'>) => Found;
  readonly summary: (path: readonly string[]) => Summary;
  readonly append: (asked: Asked, signal: AbortSignal) => Promise<number>;
}

/** Asks a question and keeps what comes. @throws AppError */
export async function openAnswer(options: AnswerOptions): Promise<HeldAnswer> {
  const { api, asked, everything, along, onGrow } = options;
  const pages = createPages(options.most);
  const paged = everything && asked.kind === 'find' ? asked.request : null;
  const first = await (paged
    ? api.query.page(pageOf(paged, { from: 0, to: pageRows.scrolling }, true), options)
    : ask(api, asked, options));
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
    async rows(range, signal) {
      await fetchRows(range, pageRows.scrolling, signal);
      return pages.slice(within(range));
    },
    async numbers(paths, { range, fetch, signal, onProgress }) {
      const ids = paths.map(pathId);
      const { from, to } = within(range ?? { from: 0, to: rows });
      if (!fetch) return ids.map((id) => pages.numbers(id, { from, to }));
      const whole = ids.map(() => new Float64Array(to - from).fill(Number.NaN));
      // Part by part: with more rows than can be held, the first have gone when the last come.
      for (let start = from; start < to; start += pageRows.all) {
        const part = { from: start, to: Math.min(start + pageRows.all, to) };
        await fetchRows(part, pageRows.all, signal);
        ids.forEach((id, at) => whole[at]?.set(pages.numbers(id, part), start - from));
        onProgress(part.to - from);
      }
      return whole;
    },
    async groups(paths, { fetch, signal }) {
      const ids = paths.map(pathId);
      const grouping = createGrouping(rows);
      const end = rows;
      for (let from = 0; from < end; from += pageRows.all) {
        const part = { from, to: Math.min(from + pageRows.all, end) };
        if (fetch) await fetchRows(part, pageRows.all, signal);
        for (const held of heldIn(part, pages.missing(part))) {
          const columns = ids.map((id) => pages.cells(id, held));
          grouping.take(columns, held.from, held.to - held.from);
        }
      }
      return grouping.groups();
    },
    async record(row, signal) {
      await fetchRows({ from: row, to: row + 1 }, pageRows.scrolling, signal);
      const record = pages.record(row);
      if (record === undefined) throw new AppError('internal', { problem: 'there is no such record' });
      return record;
    },
    async text({ rows: wanted, paths, format, zone }, signal) {
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
    find: ({ text, paths, zone }) => findIn(pages, headsOf(pages, paths), text, zone),
    summary(path) {
      const id = pathId(path);
      const summed = summing(headsOf(pages, [path])[0]?.kind ?? 'empty');
      pages.walk([id], null, (_row, [cell]) => summed.add(cell));
      return summed.summary();
    },
    async append(more, signal) {
      const came = await ask(api, more, { signal });
      const found = recordsIn(came.records);
      pages.add(rows, found, came.records.length);
      bytes += came.records.length;
      rows += found.length;
      onGrow(shape());
      return found.length;
    },
  };
}

/** What lies between the gaps of a stretch: what is not held is of no group, not of a group without a name. */
function heldIn({ from, to }: Range, gaps: readonly Range[]): Range[] {
  const edges = [from, ...gaps.flatMap((gap) => [gap.from, gap.to]), to];
  return edges.flatMap((start, at) => {
    const end = edges[at + 1];
    return at % 2 === 0 && end !== undefined && end > start ? [{ from: start, to: end }] : [];
  });
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
