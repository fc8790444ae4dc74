import { channels, type Offered } from '../../../shared/bridge.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import type { AppRouter } from '../../app.ts';
import { createCallServer } from '../window-host.ts';
import { isAbsolute } from 'node:path';
import type { GrantedFile } from '../../../shared/files/files.ts';
import { appErrorFrom } from '../../core/files/file-errors.ts';
import { sourceAt, type Files } from '../../core/files/files.ts';
import type { WebContents } from 'electron';
import { isPage, destinationOf } from './guard.ts';

/** What is used of Electron's MessagePortMain. */
export interface Port {
  on(event: 'message', listener: (message: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  postMessage(data: unknown): void;
  start(): void;
  close(): void;
}

export interface PortRequest extends Message {
  readonly ports: readonly Port[];
}

interface PortOptions {
  /** Electron's ipcMain. */
  readonly ipc: { on(channel: string, listener: (message: PortRequest) => void): unknown };
  readonly isOwn: (message: Message) => boolean;
  readonly router: AppRouter;
  readonly onFault: (error: AppError) => void;
  readonly log: (sentence: string) => void;
}

/**
 * Serves calls, cancels, and streams of windows over message ports. Ports of other senders are refused and
 * closed.
 */
export function acceptPorts({ ipc, isOwn, router, onFault, log }: PortOptions): void {
  const serve = createCallServer(router, onFault);
  ipc.on(channels.connect, (message) => {
    const [port] = message.ports;
    if (!port || message.ports.length !== 1 || !isOwn(message)) {
      log(`A message from an unknown sender was rejected: ${describeSender(message)}.`);
      for (const foreign of message.ports) foreign.close();
      return;
    }
    const carrier = {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
      send: (data: unknown) => port.postMessage(data),
      end(reason: string) {
        log(`A window ${reason}; its port was closed.`);
        port.close();
      },
      // A port doesn't report what is unread.
      unreadBytes: () => 0,
    };
    const calls = serve(carrier, message.sender.id);
    port.on('close', () => calls.close());
    port.on('message', ({ data }) => calls.receive(data));
    port.start();
  });
}

export interface OfferOptions {
  /** Electron's ipcMain. */
  readonly ipc: {
    handle(channel: string, listener: (message: Message, path: unknown) => Promise<Offered>): void;
  };
  readonly isOwn: (message: Message) => boolean;
  readonly files: Pick<Files, 'grantSource'>;
  readonly log: (sentence: string) => void;
}

async function grant(files: OfferOptions['files'], path: unknown): Promise<GrantedFile> {
  // Preload has no path for a file that the page created, kept, or got from another window.
  if (typeof path !== 'string' || !isAbsolute(path))
    throw new AppError('file_unreadable', {
      file: 'The file',
      reason: 'it wasn’t dropped or chosen in this window',
    });
  return files.grantSource(sourceAt(path));
}

/**
 * Accepts files that the user drops or selects. Only preload can send here; it sends a path only during the
 * user's drop or selection, and gives the page the token.
 */
export function acceptOffers({ ipc, isOwn, files, log }: OfferOptions): void {
  ipc.handle(channels.offer, async (message, path) => {
    try {
      if (isOwn(message)) return { ok: true, value: await grant(files, path) };
      log(`A message from an unknown sender was rejected: ${describeSender(message)}.`);
      throw new AppError('internal', { problem: 'a foreign sender was refused' });
    } catch (error) {
      return { ok: false, error: appErrorFrom(error).toBody() };
    }
  });
}

/** The sender of a message; its frame is null if it was closed in the meantime. */
export interface Message {
  readonly sender: Pick<WebContents, 'id'>;
  readonly senderFrame: { readonly url: string; readonly parent: object | null } | null;
}

/**
 * Whether a message comes from the main frame of a window with the application's page.
 * @param windows ids of the windows' web contents
 */
export function isOwnMessage({ sender, senderFrame }: Message, windows: ReadonlySet<number>): boolean {
  return (
    windows.has(sender.id) && senderFrame !== null && senderFrame.parent === null && isPage(senderFrame.url)
  );
}

/** Describes a foreign sender for the log. */
export const describeSender = ({ senderFrame }: Message): string =>
  senderFrame ? destinationOf(senderFrame.url) : 'a frame that has gone';
