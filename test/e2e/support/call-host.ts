import type { Page } from '@playwright/test';
import { WebSocket } from 'ws';
import { createApi, type Api } from '../../../src/renderer/api/api.ts';
import { openSocket } from '../../../src/renderer/api/socket.ts';
import type { Host } from './host.ts';

/** Calls the host like the window, with the session of its page: for actions without a button. */
export async function callHost<T>(page: Page, host: Host, call: (api: Api) => Promise<T>): Promise<T> {
  const cookies = await page.context().cookies(new URL(host.url).origin);
  return callWith(cookies.map(({ name, value }) => `${name}=${value}`).join('; '), host, call);
}

/** Calls the host with the cookie of a session. */
export async function callWith<T>(cookie: string, host: Host, call: (api: Api) => Promise<T>): Promise<T> {
  const { origin, host: address } = new URL(host.url);
  const url = `ws://${address}/ws`;
  const socket = new WebSocket(url, { origin, headers: { Cookie: cookie } });
  // Both socket classes have the members in use; a browser's can't send its own cookie.
  const channel = await openSocket(url, socket as unknown as globalThis.WebSocket);
  try {
    return await call(createApi(channel.link));
  } finally {
    channel.close();
  }
}
