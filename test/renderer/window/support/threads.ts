import { openThread, serve, type ThreadPort } from '../../../../src/shared/threads.ts';
import { createApi, type Channel } from '../../../../src/renderer/api/api.ts';
import { portChannel } from '../../../../src/renderer/api/port.ts';
import { createReconnectingLink } from '../../../../src/renderer/api/reconnecting.ts';
import { createHost } from '../../../../src/renderer/features/records/host.ts';
import type { WindowCalls } from '../../../../src/renderer/features/records/records.ts';
import { portPair } from '../../../support/threads.ts';

/** The records thread, with its own port to the application. */
function serveRecords(port: ThreadPort): void {
  const window = openThread<WindowCalls>(() => port);
  const connect = async (): Promise<Channel> => {
    const own = await window.calls.connect();
    if (!own) throw new Error('the window gave no port');
    return portChannel(own);
  };
  serve(port, createHost(createApi(createReconnectingLink(connect).link), 10_000_000));
}

/** Threads that are absent here send no messages: the window works without their results. */
const threads: Readonly<Record<string, (port: ThreadPort) => void>> = {
  records: serveRecords,
};

/** A worker of the window, on this thread. */
export class InProcessThread extends EventTarget {
  readonly #port: ThreadPort;

  constructor(_address: URL, { name }: { readonly name: string }) {
    super();
    const { ends } = portPair();
    [this.#port] = ends;
    this.#port.onMessage((data) => this.dispatchEvent(new MessageEvent('message', { data })));
    threads[name]?.(ends[1]);
  }

  postMessage(message: object, transfer: readonly (ArrayBuffer | MessagePort)[]): void {
    this.#port.send(message, transfer);
  }

  terminate(): void {}
}
