import { RPCLink } from '@orpc/client/message-port';
import type { Channel } from './api.ts';

/** The channel in Electron: a message port from preload. */
export function portChannel(port: MessagePort): Channel {
  const link = new RPCLink({ port });
  const { promise: whenClosed, resolve } = Promise.withResolvers<void>();
  let open = true;
  const ended = () => {
    open = false;
    resolve();
  };
  port.addEventListener('close', ended, { once: true });
  port.start();
  return {
    link,
    whenClosed,
    get open() {
      return open;
    },
    close() {
      port.close();
      // Ports report only the other side's close.
      ended();
    },
  };
}
