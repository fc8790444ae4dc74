import { createHost } from '../../src/renderer/features/records/host.ts';
import type { RecordsApi } from '../../src/renderer/features/records/request.ts';
import { createRecordsThread, type RecordsThread } from '../../src/renderer/features/records/records.ts';
import { serve } from '../../src/shared/threads.ts';
import type { FindRequest, RecordPage } from '../../src/shared/query/query.ts';
import { portPair } from './threads.ts';

/** A find of ten records of the tests' dataset, with a test's own options. */
export const findRequest = (other: Partial<FindRequest> = {}): FindRequest => ({
  connection: 'sample',
  provider: 'demo',
  dataset: 'wits',
  query: '{}',
  sort: '{}',
  limit: 10,
  skip: 0,
  fields: [],
  includeCount: false,
  ...other,
});

/** The records thread with both real sides, on one thread: messages are copied as between two. */
export function recordsBeside(
  api: RecordsApi,
  most = 1e9,
): {
  records: RecordsThread;
  /** The inputs of all calls of one name. */
  sent: (call: string) => unknown[];
  /** The events that the thread emitted. */
  events: () => unknown[];
  /** Crashes the thread. */
  die: () => void;
} {
  const pairs: ReturnType<typeof portPair>[] = [];
  const records = createRecordsThread(() => {
    const pair = portPair();
    pairs.push(pair);
    serve(pair.ends[1], createHost(api, most));
    return pair.ends[0];
  });
  const messages = () => pairs.flatMap(({ sent }) => sent);
  return {
    records,
    sent: (call) =>
      messages().flatMap((each) =>
        'call' in each && 'input' in each && each.call === call ? [each.input] : [],
      ),
    events: () => messages().flatMap((each) => ('event' in each ? [each.event] : [])),
    die: () => pairs.at(-1)?.fail('out of memory'),
  };
}

/** A service with only the given responses. */
export function recordsApiWith(given: Partial<RecordsApi['query']>): RecordsApi {
  const refuse = () => Promise.reject(new Error('it was not asked'));
  return {
    query: { page: refuse, live: refuse, find: refuse, aggregate: refuse, pipeline: refuse, ...given },
    sql: { run: refuse },
  };
}

/** A page as the main process sends it. */
export function recordPage(records: string, total: number | null = null): RecordPage {
  const count = (JSON.parse(records) as unknown[]).length;
  return { records: Buffer.from(records), count, total, ms: 3 };
}
