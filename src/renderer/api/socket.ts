import { RPCLink } from '@orpc/client/websocket';
import type { Channel } from './channel.ts';
import { linkLost } from './errors.ts';
import { dial } from './own-socket.ts';

/**
 * The way of the browser host: a WebSocket at `address` (`ws://…/ws`). Rejects when it can't be opened.
 * @param socket one to that address that is being opened already, or is open
 */
export async function openSocket(address: string, socket = dial(address)): Promise<Channel> {
  const closed = becomes(socket, 'close');
  const lost = closed.then(() => Promise.reject(linkLost()));
  await Promise.race([becomes(socket, 'open'), lost]);
  return {
    link: new RPCLink({ websocket: socket }),
    closed,
    get open() {
      return socket.readyState === WebSocket.OPEN;
    },
    close: () => socket.close(),
  };
}

/** Resolves when the socket is opened, or closed; at once when it is already. */
function becomes(socket: WebSocket, what: 'open' | 'close'): Promise<void> {
  const now = what === 'open' ? WebSocket.OPEN : WebSocket.CLOSED;
  return new Promise((resolve) => {
    if (socket.readyState === now) resolve();
    else socket.addEventListener(what, () => resolve(), { once: true });
  });
}
