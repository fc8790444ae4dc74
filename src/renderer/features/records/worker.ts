import '../../zod.ts';
import { createApi } from '../../api/api.ts';
import type { Channel } from '../../api/channel.ts';
import { portChannel } from '../../api/port.ts';
import { reconnecting } from '../../api/reconnecting.ts';
import { openSocket } from '../../api/socket.ts';
import { socketAddress } from '../../api/own-socket.ts';
import { createHost } from './host.ts';
import type { ThreadMessage, ThreadRequest } from './protocol.ts';

// Runs in a worker that has a way to the application of its own: a page of records comes here and nowhere else, so that
// the window's thread is never held up by it. TypeScript's DOM library has no type for a worker's own scope; these
// members are all we use of it.
interface WorkerScope {
  addEventListener(type: 'message', listener: (event: MessageEvent<ThreadRequest>) => void): void;
  postMessage(message: ThreadMessage, transfer: Transferable[]): void;
}
const scope = globalThis as unknown as WorkerScope;

/** What one answer may hold, in bytes of JSON text: about a million records of 400 bytes. */
const most = 400_000_000;

const begun = Promise.withResolvers<'socket' | 'port'>();
let wanting: ((port: MessagePort) => void) | null = null;
function nextPort(): Promise<MessagePort> {
  return new Promise((resolve) => {
    wanting = resolve;
    scope.postMessage({ call: 'connect' }, []);
  });
}
async function openChannel(): Promise<Channel> {
  if ((await begun.promise) === 'socket') return openSocket(socketAddress(globalThis.location));
  return portChannel(await nextPort());
}

const link = reconnecting(openChannel);
const host = createHost({
  api: createApi(link.link),
  post: (message, transfer) => scope.postMessage(message, transfer),
  most,
});

scope.addEventListener('message', ({ data: request }) => {
  if (request.call === 'begin') begun.resolve(request.by);
  else if (request.call === 'port') wanting?.(request.port);
  else host.take(request);
});
