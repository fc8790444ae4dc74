import { AppError, invalidInput } from '../../shared/errors/errors.ts';
import { stringifyJson, type JsonObject } from '../../shared/json.ts';
import { defaultSort } from '../../shared/language/scope.ts';
import {
  toleranceOf,
  type ComparedSide,
  type Comparison,
  type ComparisonRequest,
} from '../../shared/quality/comparison.ts';
import type { Thread } from '../../shared/threads.ts';
import type { Connections } from '../connections/connections.ts';
import { windowsFor } from '../export/export.ts';
import { readRecords, transferable, type RecordsRequest } from '../export/read-records.ts';
import type { CallContext } from '../handlers.ts';
import { exportOf } from '../query/operations.ts';
import type { DataService } from '../services/services.ts';
import { pairingOf, type ComparisonSpec } from './comparison-spec.ts';
import { withQualityThread } from './quality-thread.ts';
import type { QualityCalls } from './quality-worker.ts';
import { shapeOf } from './shape.ts';

type Calls = Thread<QualityCalls>['calls'];

interface CompareDependencies {
  readonly connections: Pick<Connections, 'services'>;
}

/** Creates the call that compares the records of two queries of a dataset. */
export const createCompare =
  ({ connections }: CompareDependencies) =>
  async (
    { connection, provider, dataset, query, againstQuery, ...request }: ComparisonRequest,
    { signal }: CallContext,
  ): Promise<Comparison> => {
    const { data } = connections.services(connection);
    const address = { provider, dataset };
    const tolerance = toleranceOf(request.tolerance) ?? { amount: 0, isShare: false };
    // Errors of the queries come before any request.
    const queries = {
      source: exportOf({ query, sort: '{}' }).query,
      against: exportOf({ query: againstQuery, sort: '{}' }).query,
    };
    const { type } = await data.dataset(address, { signal });
    const { index, ...shape } = await shapeOf(data, address, type, signal);
    if (index === null)
      throw invalidInput(
        `The records of ${provider}/${dataset} have no time or depth to compare them by. Choose a dataset of time or depth.`,
        { field: 'dataset' },
      );
    const { sort } = exportOf({ query: '{}', sort: defaultSort(type) });
    const pairing = pairingOf(queries.source, queries.against, { ...shape, index });
    const spec: ComparisonSpec = { ...shape, index, ...pairing, tolerance, fields: request.fields };
    const ownFields = [index.field, ...spec.wellFields, ...(spec.logField === null ? [] : [spec.logField])];
    const requestOf = (query: JsonObject, isWindowed: boolean): RecordsRequest => ({
      address,
      query: stringifyJson(query),
      sort: stringifyJson(sort),
      fields: spec.fields.length === 0 ? [] : [...new Set([...spec.fields, ...ownFields])],
      windows: isWindowed ? windowsFor(type, query, sort) : null,
      concurrency: Math.max(1, Math.floor(request.concurrency / 2)),
    });
    return withQualityThread(signal, async (calls) => {
      const attempt = (isWindowed: boolean): Promise<Comparison | null> =>
        compareSides(
          calls,
          spec,
          (side, stop) =>
            readSide({ data, calls, side, signal: stop, request: requestOf(queries[side], isWindowed) }),
          signal,
        );
      const compared = (await attempt(true)) ?? (await attempt(false));
      if (!compared) throw new AppError('internal', { problem: 'the records can’t be read in pages' });
      return compared;
    });
  };

/** The pages of a side; a page can say that it must be read in another way. */
type SidePages = AsyncGenerator<{ readonly isFallback: boolean }, void>;

/** Reads the sides as their records are needed. @returns null if they must be read without windows */
async function compareSides(
  calls: Calls,
  spec: ComparisonSpec,
  open: (side: ComparedSide, signal: AbortSignal) => SidePages,
  cancel: AbortSignal | undefined,
): Promise<Comparison | null> {
  const stop = new AbortController();
  const signal = cancel ? AbortSignal.any([cancel, stop.signal]) : stop.signal;
  try {
    await calls.compare(spec);
    const pages = { source: open('source', signal), against: open('against', signal) };
    for (let side = await calls.advance(); side; side = await calls.advance()) {
      const { done, value } = await pages[side].next();
      if (done) await calls.endSide({ side });
      else if (value.isFallback) return null;
    }
    return await calls.comparison();
  } finally {
    // Stops prefetched requests, however the comparison ends.
    stop.abort();
  }
}

interface SideToRead {
  readonly data: DataService;
  readonly calls: Calls;
  readonly side: ComparedSide;
  readonly request: RecordsRequest;
  readonly signal: AbortSignal;
}

async function* readSide({ data, calls, side, request, signal }: SideToRead): SidePages {
  const pages = readRecords({
    data,
    request,
    signal,
    async open(rule) {
      await calls.openSide({ side, rule });
      return (at, content, origin) =>
        calls.addToSide({ side, at, content, origin }, { transfer: transferable(content) });
    },
    onCount: () => undefined,
  });
  for await (const page of pages) yield { isFallback: 'fallbackReason' in page };
}
