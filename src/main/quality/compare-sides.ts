import { AppError } from '../../shared/errors/errors.ts';
import type { ComparedSide, Comparison } from '../../shared/quality/comparison.ts';
import type { Thread } from '../../shared/threads.ts';
import { readRecords, transferable, type ReadOptions } from '../export/read-records.ts';
import type { ComparisonSpec } from './comparison-spec.ts';
import type { QualityCalls } from './quality-worker.ts';

type Calls = Thread<QualityCalls>['calls'];

/** The pages of a side. A page can show that the side can't be read by windows. */
type SidePages = AsyncGenerator<{ readonly isFallback: boolean }, void>;

type Sides = Record<ComparedSide, (stop: AbortSignal) => SidePages>;

/**
 * Compares two sides, each read as its records are needed.
 * @param sidesBy the sides, read by windows or by `skip`
 * @throws AppError of the services; `cancelled`
 */
export async function compareSides(
  calls: Calls,
  spec: ComparisonSpec,
  cancel: AbortSignal | undefined,
  sidesBy: (isWindowed: boolean) => Sides,
): Promise<Comparison> {
  for (const isWindowed of [true, false]) {
    const stop = new AbortController();
    const signal = cancel ? AbortSignal.any([cancel, stop.signal]) : stop.signal;
    try {
      const compared = await compareOnce(calls, spec, sidesBy(isWindowed), signal);
      if (compared) return compared;
    } finally {
      // Stops prefetched requests, however the comparison ends.
      stop.abort();
    }
  }
  throw new AppError('internal', { problem: 'the records can’t be read in pages' });
}

/** @returns null if they must be read without windows */
async function compareOnce(
  calls: Calls,
  spec: ComparisonSpec,
  sides: Sides,
  signal: AbortSignal,
): Promise<Comparison | null> {
  await calls.compare(spec);
  const pages = { source: sides.source(signal), against: sides.against(signal) };
  for (let side = await calls.advance(); side; side = await calls.advance()) {
    const { done, value } = await pages[side].next();
    if (done) await calls.endSide({ side });
    else if (value.isFallback) return null;
  }
  return calls.comparison();
}

/** Reads the records of a dataset into a side. */
export async function* readSide(
  calls: Calls,
  side: ComparedSide,
  options: Pick<ReadOptions, 'data' | 'request' | 'signal'>,
): SidePages {
  const pages = readRecords({
    ...options,
    async open(rule) {
      await calls.openSide({ side, rule });
      return (at, content, origin) =>
        calls.addToSide({ side, at, content, origin }, { transfer: transferable(content) });
    },
    onCount: () => undefined,
  });
  for await (const page of pages) yield { isFallback: 'fallbackReason' in page };
}

/** Reads the records of the sorted file into the source. */
export async function* readFileSide(calls: Calls): SidePages {
  await calls.openFile();
  while (await calls.addFromFile()) yield { isFallback: false };
}
