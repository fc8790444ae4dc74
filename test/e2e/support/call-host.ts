import { RPCLink } from '@orpc/client/websocket';
import type { Page } from '@playwright/test';
import { WebSocket } from 'ws';
import { createApi, type Api } from '../../../src/renderer/api/api.ts';
import type { Host } from './host.ts';

/**
 * Calls the host as the window does, with the session of its page: for what the window has no button for yet.
 */
export async function callHost<T>(page: Page, host: Host, call: (api: Api) => Promise<T>): Promise<T> {
  const cookies = await page.context().cookies(new URL(host.url).origin);
  return callWith(cookies.map(({ name, value }) => `${name}=${value}`).join('; '), host, call);
}

/** Calls the host with the cookie of a session. */
export async function callWith<T>(cookie: string, host: Host, call: (api: Api) => Promise<T>): Promise<T> {
  const { origin, host: address } = new URL(host.url);
  const socket = new WebSocket(`ws://${address}/ws`, { origin, headers: { Cookie: cookie } });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  try {
    // The library asks of a socket what both kinds have.
    return await call(createApi(new RPCLink({ websocket: socket as unknown as globalThis.WebSocket })));
  } finally {
    socket.close();
  }
}
