import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Bounds of connections that have not shown the session's cookie. */
export interface ConnectionLimits {
  /** How many there are at once; one more ends the oldest. Default: 64. */
  readonly maxUnauthenticated?: number;
  /** How long each lasts, in milliseconds. Default: 10 s. */
  readonly unauthenticatedMs?: number;
}

/** All connections, windows included: each window needs two sockets, and a browser opens six more. */
const maxConnections = 512;

/**
 * Ends connections that do not authenticate: anybody on this machine, a page of any site included, can open some.
 * @returns what lifts the limits from a connection that showed the session's cookie
 */
export function limitConnections(
  server: Server,
  { maxUnauthenticated = 64, unauthenticatedMs = 10_000 }: ConnectionLimits,
): (socket: Duplex) => void {
  const timers = new Map<Duplex, NodeJS.Timeout>();
  const forget = (socket: Duplex): void => {
    clearTimeout(timers.get(socket));
    timers.delete(socket);
  };
  server.maxConnections = maxConnections;
  server.on('connection', (socket) => {
    timers.set(
      socket,
      setTimeout(() => socket.destroy(), unauthenticatedMs),
    );
    socket.once('close', () => forget(socket));
    const [oldest] = timers.keys();
    if (timers.size > maxUnauthenticated) oldest?.destroy();
  });
  return forget;
}
