import { openWebSocket, socketAddress } from './own-socket.ts';

// A script of its own, before the window's code is read (scripts/lib/build-plugins.mjs): both take equally long. Import
// next to nothing here.
let earlySocket = 'wellbench' in window ? null : openWebSocket(socketAddress(window.location));

/** The socket opened with the page, once; undefined: already taken, or a port is used. */
export function takeEarlySocket(): WebSocket | undefined {
  const socket = earlySocket ?? undefined;
  earlySocket = null;
  return socket;
}
