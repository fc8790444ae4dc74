// A link with a delay and a bandwidth, as between a rig and a data center: forwards TCP to a port of this machine.
// Runs in its own process: `node link.ts TARGET_PORT DELAY_MS MBIT` (0 Mbit/s: no limit); sends its port by IPC.
import { createServer, connect, type Socket, type AddressInfo } from 'node:net';

const [target = 0, delayMs = 0, mbit = 0] = process.argv.slice(2).map(Number);

/** One direction of the link, shared by all connections: data arrives after the delay and its transfer time. */
function direction() {
  let free = 0;
  return (from: Socket, to: Socket): void => {
    let waiting = 0;
    const queue: { readonly at: number; readonly chunk: Buffer | null }[] = [];
    let timer: NodeJS.Timeout | null = null;
    const deliver = (): void => {
      timer = null;
      for (let next = queue[0]; next && next.at <= performance.now() + 0.5; next = queue[0]) {
        queue.shift();
        if (next.chunk === null) to.end();
        else {
          waiting -= next.chunk.length;
          to.write(next.chunk);
        }
      }
      if (waiting < window && from.isPaused()) from.resume();
      const [next] = queue;
      if (next) timer = setTimeout(deliver, Math.max(0, next.at - performance.now()));
    };
    const put = (chunk: Buffer | null): void => {
      const now = performance.now();
      const took = chunk && mbit > 0 ? (chunk.length * 8) / (mbit * 1000) : 0;
      free = Math.max(free, now) + took;
      queue.push({ at: free + delayMs / 2, chunk });
      timer ??= setTimeout(deliver, Math.max(0, free + delayMs / 2 - now));
    };
    from.on('data', (chunk: Buffer) => {
      waiting += chunk.length;
      put(chunk);
      if (waiting >= window) from.pause();
    });
    from.once('end', () => put(null));
    from.on('error', () => to.destroy());
    from.once('close', () => (queue.length === 0 ? to.end() : undefined));
  };
}

/** Bytes that may be in flight on one connection, like a receive window. */
const window = 4 * 1024 * 1024;
const up = direction();
const down = direction();
const server = createServer((near) => {
  const far = connect(target, '127.0.0.1');
  near.setNoDelay(true);
  far.setNoDelay(true);
  up(near, far);
  down(far, near);
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
