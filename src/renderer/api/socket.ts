import { RPCLink } from '@orpc/client/message-port';
import { type Channel, linkLost } from './api.ts';
import { openWebSocket } from './own-socket.ts';
import { pageDelimiter } from '../../shared/query/page-frame.ts';

/**
 * The channel of the browser host: a WebSocket at `address` (`ws://…/ws`).
 * @param socket a socket to that address that is open or opening
 */
export async function openSocket(address: string, socket = openWebSocket(address)): Promise<Channel> {
  socket.binaryType = 'arraybuffer';
  const whenClosed = whenReady(socket, 'close');
  const lost = whenClosed.then(() => Promise.reject(linkLost()));
  await Promise.race([whenReady(socket, 'open'), lost]);
  return {
    link: new RPCLink({ port: portOf(socket) }),
    whenClosed,
    get open() {
      return socket.readyState === WebSocket.OPEN;
    },
    close: () => socket.close(),
  };
}

/** The socket for the RPC link: texts as they are, binary frames as messages. */
const portOf = (socket: WebSocket) => ({
  on(event: string, listener: (message?: { data: unknown }) => void): void {
    if (event === 'close') socket.addEventListener('close', () => listener());
    if (event === 'message')
      socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) =>
        listener({ data: typeof data === 'string' ? data : decodePage(data) }),
      );
  },
  postMessage(data: unknown): void {
    if (socket.readyState !== WebSocket.OPEN) throw linkLost();
    socket.send(String(data));
  },
});

function whenReady(socket: WebSocket, what: 'open' | 'close'): Promise<void> {
  const now = what === 'open' ? WebSocket.OPEN : WebSocket.CLOSED;
  return new Promise((resolve) => {
    if (socket.readyState === now) resolve();
    else socket.addEventListener(what, () => resolve(), { once: true });
  });
}

/** A response with a page of records: `json` is the handler's result. */
interface PageMessage {
  readonly p: { readonly b: { readonly json: { records: Uint8Array<ArrayBuffer> } } };
}

/** The message in a binary frame; its records share the frame's memory. */
export function decodePage(frame: ArrayBuffer): PageMessage {
  const bytes = new Uint8Array(frame);
  const end = bytes.indexOf(pageDelimiter);
  const message: PageMessage = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  message.p.b.json.records = bytes.subarray(end + 1);
  return message;
}
