import { dial, socketAddress } from './own-socket.ts';

// Opened before the rest of the window's code runs, since the one takes as long as the other: this module has to be the
// first that the window imports, and must import next to nothing itself.
let early = 'wellbench' in window ? null : dial(socketAddress(window.location));

/** The socket that was opened with the page, for the first that asks; undefined: it is taken, or a port is the way. */
export function takeEarlySocket(): WebSocket | undefined {
  const socket = early ?? undefined;
  early = null;
  return socket;
}
