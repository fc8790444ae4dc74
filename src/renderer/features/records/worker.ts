import '../../zod.ts';
import { openThread, ownPort, serve } from '../../../shared/threads.ts';
import { createApi, type Channel } from '../../api/api.ts';
import { portChannel } from '../../api/port.ts';
import { createReconnectingLink } from '../../api/reconnecting.ts';
import { openSocket } from '../../api/socket.ts';
import { socketAddress } from '../../api/own-socket.ts';
import type { WindowCalls } from './records.ts';
import { createHost } from './host.ts';

// A worker with its own connection to the application: pages of records never block the window's thread.

/** The maximum memory of all results in bytes of JSON: about 1.5 million records of 400 bytes. */
const maxBytes = 600_000_000;

const window = openThread<WindowCalls>(ownPort);
async function openChannel(): Promise<Channel> {
  const port = await window.calls.connect();
  return port ? portChannel(port) : openSocket(socketAddress(globalThis.location));
}
serve(ownPort(), createHost(createApi(createReconnectingLink(openChannel).link), maxBytes));
