import { channels } from '../../shared/bridge.ts';
import type { OpenChannel } from './channel.ts';
import { portChannel } from './port.ts';
import { takeEarlySocket } from './early-socket.ts';
import { SignedOut } from './reconnecting.ts';
import { openSocket } from './socket.ts';
import { socketAddress } from './own-socket.ts';

/**
 * How this window reaches the application: where preload has left `window.wellbench` (Electron) by a message port
 * that it hands over, elsewhere (browser host) by the WebSocket of the page's own origin.
 */
export function chooseCarrier(window: Window): OpenChannel {
  if ('wellbench' in window) return () => receivePort(window).then(portChannel);
  return () =>
    openSocket(socketAddress(window.location), takeEarlySocket()).catch(async (error: unknown) => {
      throw (await isSignedOut()) ? new SignedOut() : error;
    });
}

/** Whether the browser host is there and does not let this browser in: a socket does not say why it is not opened. */
async function isSignedOut(): Promise<boolean> {
  const answer = await fetch('/', { method: 'HEAD' }).catch(() => null);
  return answer?.status === 401;
}

/** A further way for a thread of this window, where ways are message ports; undefined: it can open one by itself. */
export function portsForThreads(window: Window): (() => Promise<MessagePort>) | undefined {
  return 'wellbench' in window ? () => receivePort(window) : undefined;
}

// A port can't cross preload's bridge as an argument, only as a transferred part of a window message.
function receivePort(window: Window): Promise<MessagePort> {
  return new Promise((resolve) => {
    const listen = (event: MessageEvent) => {
      const port = event.ports[0];
      if (event.source !== window || event.data !== channels.port || !port) return;
      // Whoever else waits here waits for the next one.
      event.stopImmediatePropagation();
      window.removeEventListener('message', listen);
      resolve(port);
    };
    window.addEventListener('message', listen);
    window.postMessage(channels.connect, window.location.origin);
  });
}
