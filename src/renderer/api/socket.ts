import { RPCLink } from '@orpc/client/websocket';
import type { Channel } from './channel.ts';
import { linkLost } from './errors.ts';

/** The way of the browser host: a WebSocket at `address` (`ws://…/ws`). Rejects when it can't be opened. */
export function openSocket(address: string): Promise<Channel> {
  const socket = new WebSocket(address);
  const closed = new Promise<void>((resolve) => {
    socket.addEventListener('close', () => resolve(), { once: true });
  });
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => {
      const link = new RPCLink({ websocket: socket });
      resolve({
        link,
        closed,
        get open() {
          return socket.readyState === WebSocket.OPEN;
        },
        close: () => socket.close(),
      });
    });
    void closed.then(() => reject(linkLost()));
  });
}

/** Where the socket of the page's own host is. */
export function socketAddress({ protocol, host }: Pick<Location, 'protocol' | 'host'>): string {
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/ws`;
}
