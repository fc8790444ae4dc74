import { RPCLink } from '@orpc/client/message-port';
import type { Channel } from './channel.ts';
import { linkLost } from './errors.ts';
import { dial } from './own-socket.ts';
import { pageDelimiter } from '../../shared/query/page-frame.ts';

/**
 * The way of the browser host: a WebSocket at `address` (`ws://…/ws`). Rejects when it can't be opened.
 * @param socket one to that address that is being opened already, or is open
 */
export async function openSocket(address: string, socket = dial(address)): Promise<Channel> {
  socket.binaryType = 'arraybuffer';
  const closed = becomes(socket, 'close');
  const lost = closed.then(() => Promise.reject(linkLost()));
  await Promise.race([becomes(socket, 'open'), lost]);
  return {
    link: new RPCLink({ port: portOf(socket) }),
    closed,
    get open() {
      return socket.readyState === WebSocket.OPEN;
    },
    close: () => socket.close(),
  };
}

/** The socket as the RPC link sees it: text as it came, a page as the message that its frame holds. */
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

/** Resolves when the socket is opened, or closed; at once when it is already. */
function becomes(socket: WebSocket, what: 'open' | 'close'): Promise<void> {
  const now = what === 'open' ? WebSocket.OPEN : WebSocket.CLOSED;
  return new Promise((resolve) => {
    if (socket.readyState === now) resolve();
    else socket.addEventListener(what, () => resolve(), { once: true });
  });
}

/** An answer with a page, as far as it is needed here: `json` is what the handler gave. */
interface PageMessage {
  readonly p: { readonly b: { readonly json: { records: Uint8Array<ArrayBuffer> } } };
}

/** The message that a binary frame of the browser host holds; its records share the frame's memory. */
export function decodePage(frame: ArrayBuffer): PageMessage {
  const bytes = new Uint8Array(frame);
  const end = bytes.indexOf(pageDelimiter);
  const message: PageMessage = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  message.p.b.json.records = bytes.subarray(end + 1);
  return message;
}
