import { RPCLink } from '@orpc/client/message-port';
import type { Channel } from './channel.ts';

/** The way of the Electron host: a message port that preload hands over. */
export function portChannel(port: MessagePort): Channel {
  const link = new RPCLink({ port });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let open = true;
  const ended = () => {
    open = false;
    resolve();
  };
  port.addEventListener('close', ended, { once: true });
  port.start();
  return {
    link,
    closed,
    get open() {
      return open;
    },
    close() {
      port.close();
      // A port hears the other side's close, not its own.
      ended();
    },
  };
}
