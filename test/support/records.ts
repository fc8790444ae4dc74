import { createRecordsThread, type Thread } from '../../src/renderer/features/records/client.ts';
import { createHost } from '../../src/renderer/features/records/host.ts';
import type { ThreadMessage, ThreadRequest } from '../../src/renderer/features/records/protocol.ts';
import type { Askable } from '../../src/renderer/features/records/asked.ts';
import type { RecordsThread } from '../../src/renderer/features/records/records.ts';
import type { FindRequest, RecordPage } from '../../src/shared/query/query.ts';

/** A find of ten records of the dataset that tests ask, with what a test wants otherwise. */
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

/** The records' thread with its real both sides, on one thread: messages are copied as between two. */
export function recordsBeside(
  api: Askable,
  most = 1e9,
): {
  records: RecordsThread;
  requests: ThreadRequest[];
  messages: ThreadMessage[];
  /** Lets the thread die; gives how many were terminated by then. */
  die: () => number;
} {
  let terminated = 0;
  let fail: (event: { message: string }) => void = () => undefined;
  const requests: ThreadRequest[] = [];
  const messages: ThreadMessage[] = [];
  const start = (): Thread => {
    const listeners: ((event: MessageEvent<ThreadMessage>) => void)[] = [];
    const host = createHost({
      api,
      most,
      post(message, transfer) {
        const copied = structuredClone(message, { transfer });
        messages.push(copied);
        queueMicrotask(() =>
          listeners.forEach((tell) => tell(new MessageEvent('message', { data: copied }))),
        );
      },
    });
    return {
      postMessage(request) {
        requests.push(request);
        if (request.call !== 'begin' && request.call !== 'port') host.take(structuredClone(request));
      },
      terminate: () => {
        terminated += 1;
      },
      addEventListener(type: string, listener: (event: never) => void) {
        if (type === 'error') fail = listener as typeof fail;
        if (type === 'message') listeners.push(listener as (event: MessageEvent<ThreadMessage>) => void);
      },
    };
  };
  const die = (): number => {
    fail({ message: 'out of memory' });
    return terminated;
  };
  return { records: createRecordsThread({ start }), requests, messages, die };
}

/** A service that answers nothing but what it is given. */
export function askable(given: Partial<Askable['query']>): Askable {
  const refuse = () => Promise.reject(new Error('it was not asked'));
  return {
    query: { page: refuse, live: refuse, find: refuse, aggregate: refuse, pipeline: refuse, ...given },
  };
}

/** A page as main hands it out. */
export function recordPage(records: string, total: number | null = null): RecordPage {
  const count = (JSON.parse(records) as unknown[]).length;
  return { records: Buffer.from(records), count, total, ms: 3 };
}
