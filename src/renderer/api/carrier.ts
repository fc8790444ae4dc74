import { channels } from '../../shared/bridge.ts';
import type { OpenChannel } from './api.ts';
import { portChannel } from './port.ts';
import { takeEarlySocket } from './early-socket.ts';
import { SignedOut } from './reconnecting.ts';
import { openSocket } from './socket.ts';
import { socketAddress } from './own-socket.ts';

/**
 * The transport of this window: a message port in Electron, where preload sets `window.wellbench`; otherwise
 * the page's WebSocket.
 */
export function chooseCarrier(window: Window): OpenChannel {
  if ('wellbench' in window) return () => receivePort(window).then(portChannel);
  return () =>
    openSocket(socketAddress(window.location), takeEarlySocket()).catch(async (error: unknown) => {
      throw (await isSignedOut()) ? new SignedOut() : error;
    });
}

/** Whether the browser host refuses this browser: a socket doesn't say why it failed. */
async function isSignedOut(): Promise<boolean> {
  const answer = await fetch('/', { method: 'HEAD' }).catch(() => null);
  return answer?.status === 401;
}

/** Opens message ports for workers; undefined: they open sockets themselves. */
export function portsForThreads(window: Window): (() => Promise<MessagePort>) | undefined {
  return 'wellbench' in window ? () => receivePort(window) : undefined;
}

// A port can only cross preload's bridge as a transferred part of a window message.
function receivePort(window: Window): Promise<MessagePort> {
  return new Promise((resolve) => {
    const listen = (event: MessageEvent) => {
      const port = event.ports[0];
      if (event.source !== window || event.data !== channels.port || !port) return;
      // Other receivers wait for the next message.
      event.stopImmediatePropagation();
      window.removeEventListener('message', listen);
      resolve(port);
    };
    window.addEventListener('message', listen);
    window.postMessage(channels.connect, window.location.origin);
  });
}
