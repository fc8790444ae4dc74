import '../../zod.ts';
import { openThread, ownPort, serve } from '../../../shared/threads.ts';
import { createApi } from '../../api/api.ts';
import type { Channel } from '../../api/channel.ts';
import { portChannel } from '../../api/port.ts';
import { reconnecting } from '../../api/reconnecting.ts';
import { openSocket } from '../../api/socket.ts';
import { socketAddress } from '../../api/own-socket.ts';
import type { WindowCalls } from './records.ts';
import { createHost } from './host.ts';

// A worker with its own channel to the application: a page of records comes here and nowhere else, so that the window's
// thread is never held up by it.

/** What one answer may hold, in bytes of JSON text: about a million records of 400 bytes. */
const most = 400_000_000;

const window = openThread<WindowCalls>(ownPort);
async function openChannel(): Promise<Channel> {
  const port = await window.calls.connect();
  return port ? portChannel(port) : openSocket(socketAddress(globalThis.location));
}
serve(ownPort(), createHost(createApi(reconnecting(openChannel).link), most));
