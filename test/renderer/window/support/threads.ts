import { createApi } from '../../../../src/renderer/api/api.ts';
import { portChannel } from '../../../../src/renderer/api/port.ts';
import { createHost } from '../../../../src/renderer/features/records/host.ts';
import type { ThreadRequest } from '../../../../src/renderer/features/records/protocol.ts';
import { createWellHost } from '../../../../src/renderer/features/wells/list/host.ts';
import type { WellRequest } from '../../../../src/renderer/features/wells/list/protocol.ts';

/** What a thread makes of the messages of the window. */
type Take = (message: never, post: (answer: unknown) => void) => void;

/** The thread of the records: it gets a port of its own to the application first, and what is asked before waits. */
function recordsHere(): Take {
  let host: ReturnType<typeof createHost> | null = null;
  const early: Exclude<ThreadRequest, { call: 'begin' | 'port' }>[] = [];
  return (request: ThreadRequest, post) => {
    if (request.call === 'begin') post({ call: 'connect' });
    else if (request.call === 'port') {
      host = createHost({ api: createApi(portChannel(request.port).link), post, most: 10_000_000 });
      for (const call of early.splice(0)) host.take(call);
    } else if (host) host.take(request);
    else early.push(request);
  };
}

function wellsHere(): Take {
  const host = createWellHost();
  return (request: WellRequest, post) => {
    const answer = host(request);
    if (answer) post(answer);
  };
}

/** Threads that are not here answer nothing: the window works without what they add. */
const threads: Readonly<Record<string, () => Take>> = { records: recordsHere, wells: wellsHere };

/** A worker of the window, on this thread. */
export class ThreadHere extends EventTarget {
  readonly #take: Take | undefined;

  constructor(_address: URL, { name }: { readonly name: string }) {
    super();
    this.#take = threads[name]?.();
  }

  postMessage(message: unknown): void {
    // As across threads: later, and as a copy.
    queueMicrotask(() =>
      this.#take?.(message as never, (answer) =>
        queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: answer }))),
      ),
    );
  }

  terminate(): void {}
}
