import { openWebSocket, socketAddress } from './own-socket.ts';

// Opened before the rest of the window's code runs, because both take equally long. Import this module first,
// and import next to nothing here.
let earlySocket = 'wellbench' in window ? null : openWebSocket(socketAddress(window.location));

/** The socket opened with the page, once; undefined: already taken, or a port is used. */
export function takeEarlySocket(): WebSocket | undefined {
  const socket = earlySocket ?? undefined;
  earlySocket = null;
  return socket;
}
