import { availableParallelism } from 'node:os';
import type { RawLine } from '../../shared/upload/preview.ts';
import type { ReadingOptions } from '../../shared/upload/upload.ts';
import { openCsvThread } from './thread/csv-client.ts';
import type { CsvThread, OpenCsvThread } from './thread/csv-client.ts';
import type { Division } from './reading/divide.ts';
import { joinParts } from './reading/join-parts.ts';
import type { Layout } from './reading/layout.ts';
import { footerRowsOf, scanOf } from './reading/scan.ts';
import type { Scan, ScanRequest } from './reading/scan.ts';
import type { Part } from './reading/scan-part.ts';

/** More threads than this wait for the disk. */
const mostThreads = 4;
/** A file of twice as many bytes is read in parts: for less, a further thread does not pay. */
const usualPart = 16 << 20;

/** Thrown by whoever finds that a file can't be read in parts. */
class NotInParts extends Error {}

/**
 * Reads the whole file once, a large one by several worker threads.
 * @param thread one that is there already
 * @throws AppError file_unreadable, file_unsuitable, invalid_input, cancelled
 */
export async function scanFile(
  request: ScanRequest,
  thread: CsvThread,
  openMore: () => CsvThread,
  partBytes = usualPart,
): Promise<Scan> {
  const division = await thread.call('divide', { ...request, partBytes });
  const found = division && (await scanInParts(request, division, thread, openMore));
  return found ?? thread.call('scan', request);
}

/** As {@link scanFile}, with a thread of its own. */
export async function scanFileAlone(
  request: ScanRequest,
  openThread: OpenCsvThread = openCsvThread,
  signal?: AbortSignal,
): Promise<Scan> {
  const thread = openThread(signal);
  try {
    return await scanFile(request, thread, () => openThread(signal));
  } finally {
    await thread.close();
  }
}

/**
 * The lines at the start of a file, with those before its header.
 * @throws AppError file_unreadable, file_unsuitable, cancelled
 */
export async function firstLines(
  file: { readonly path: string; readonly fileName: string },
  reading: ReadingOptions,
  layout: Layout,
  openThread: OpenCsvThread = openCsvThread,
  signal?: AbortSignal,
): Promise<readonly RawLine[]> {
  const thread = openThread(signal);
  try {
    return (await thread.call('preview', { ...file, reading, layout, rows: 1 })).lines;
  } finally {
    await thread.close();
  }
}

/** Null when the parts don't tell what the whole would. */
async function scanInParts(
  request: ScanRequest,
  { layout, parts, bytes, mtimeMs, guessed }: Division,
  first: CsvThread,
  openMore: () => CsvThread,
): Promise<Scan | null> {
  const { path, fileName } = request;
  const more = Array.from(
    { length: Math.min(mostThreads, availableParallelism(), parts.length) - 1 },
    openMore,
  );
  try {
    const [one = first] = more;
    const hash = one.call('hash', { path, fileName });
    const readPart = async (
      thread: CsvThread,
      { from, to }: PlaceOfPart,
      footerRows: number,
    ): Promise<Part> => {
      const place = { from, to, line: 1, guessed, footerRows };
      const part = await thread.call('scanPart', { request, layout, place });
      if (!part) throw new NotInParts();
      return part;
    };
    const inParts = inOrder(parts, [first, ...more], (thread, place) => readPart(thread, place, 0));
    const [{ before, last, place }, { sha256 }] = await Promise.all([inParts, hash]);
    const joined = (end: Part): Part => (before ? joinParts(before, end) : end);
    const all = joined(last);
    const footerRows = request.reading.footerRows === undefined ? footerRowsOf(all, layout) : 0;
    if (footerRows > last.rows) return null;
    const part = footerRows > 0 ? joined(await readPart(first, place, footerRows)) : all;
    const now = await first.call('stat', { path, fileName });
    const isSame = now.bytes === bytes && now.mtimeMs === mtimeMs;
    return isSame ? scanOf(part, layout, { bytes, mtimeMs, sha256 }, request.reading.footerRows) : null;
  } catch (error) {
    if (error instanceof NotInParts) return null;
    throw error;
  } finally {
    await Promise.all(more.map((thread) => thread.close()));
  }
}

type PlaceOfPart = Division['parts'][number];

/**
 * Has threads read parts, each the next one that nobody has taken, and joins what they tell in the order of the file,
 * the last part apart from those before it.
 */
async function inOrder(
  parts: Division['parts'],
  threads: readonly CsvThread[],
  read: (thread: CsvThread, place: PlaceOfPart) => Promise<Part>,
): Promise<{ readonly before: Part | null; readonly last: Part; readonly place: PlaceOfPart }> {
  const told: (Part | undefined)[] = [];
  let before: Part | null = null;
  let next = 0;
  let taken = 0;
  const join = (): void => {
    for (let part = told[next]; part && next < parts.length - 1; part = told[next]) {
      before = before ? joinParts(before, part) : part;
      told[next++] = undefined;
    }
  };
  await Promise.all(
    threads.map(async (thread) => {
      for (let place = parts[taken]; place; place = parts[taken]) {
        const index = taken++;
        told[index] = await read(thread, place);
        join();
      }
    }),
  );
  const last = told.at(-1);
  const place = parts.at(-1);
  if (!last || !place) throw new NotInParts();
  return { before, last, place };
}
