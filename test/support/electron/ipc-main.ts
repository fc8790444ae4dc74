import { EventEmitter } from 'node:events';
import { decode, encode } from './codec.ts';

type Handler = (event: object, ...args: unknown[]) => unknown;

class IpcMain extends EventEmitter {
  readonly #handlers = new Map<string, Handler>();

  handle(channel: string, handler: Handler): void {
    if (this.#handlers.has(channel))
      throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.#handlers.set(channel, handler);
  }

  removeHandler(channel: string): void {
    this.#handlers.delete(channel);
  }

  /** The stand-in's own: a page invoked. Errors are passed as in Electron: only a message. */
  async invoked(channel: string, event: object, args: string): Promise<{ ok: boolean; value: string }> {
    try {
      const handler = this.#handlers.get(channel);
      if (!handler) throw new Error(`No handler registered for '${channel}'`);
      return { ok: true, value: encode(await handler(event, ...(decode(args) as unknown[]))) };
    } catch (error) {
      return { ok: false, value: encode(`Error invoking remote method '${channel}': ${String(error)}`) };
    }
  }
}

export const ipcMain = new IpcMain();
