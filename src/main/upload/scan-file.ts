import { availableParallelism } from 'node:os';
import { openCsvThread } from './csv-client.ts';
import type { CsvThread, OpenCsvThread } from './csv-client.ts';
import type { Division } from './reading/divide.ts';
import { joinParts } from './reading/join-parts.ts';
import { scanOf } from './reading/scan.ts';
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
    const told = inOrder(parts, [first, ...more], async (thread, { from, to }) => {
      const part = await thread.call('scanPart', { request, layout, place: { from, to, line: 1, guessed } });
      if (!part) throw new NotInParts();
      return part;
    });
    const [part, { sha256 }] = await Promise.all([told, hash]);
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

/** Has threads read parts, each the next one that nobody has taken, and joins what they tell in the order of the file. */
async function inOrder(
  parts: Division['parts'],
  threads: readonly CsvThread[],
  read: (thread: CsvThread, place: Division['parts'][number]) => Promise<Part>,
): Promise<Part> {
  const told: (Part | undefined)[] = [];
  let joined: Part | null = null;
  let next = 0;
  let taken = 0;
  const join = (): void => {
    for (let part = told[next]; part; part = told[next]) {
      joined = joined ? joinParts(joined, part) : part;
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
  if (!joined) throw new NotInParts();
  return joined;
}
