import { isAbsolute } from 'node:path';
import { channels } from '../../../shared/bridge.ts';
import type { Offered } from '../../../shared/bridge.ts';
import { AppError } from '../../../shared/errors.ts';
import type { GrantedFile } from '../../../shared/files.ts';
import { appErrorFrom } from '../../files/file-errors.ts';
import { sourceAt } from '../../files/files.ts';
import type { Files } from '../../files/files.ts';
import type { Message } from './sender.ts';
import { senderInWords } from './sender.ts';

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
  // A file that the page made up itself has no path.
  if (typeof path !== 'string' || !isAbsolute(path))
    throw new AppError('file_unreadable', { file: 'The file', reason: 'it has no place on this disk' });
  return files.grantSource(sourceAt(path));
}

/** Takes the files that a person drops on the window; the path comes from preload, the page gets a token. */
export function acceptOffers({ ipc, isOwn, files, log }: OfferOptions): void {
  ipc.handle(channels.offer, async (message, path) => {
    try {
      if (isOwn(message)) return { ok: true, value: await grant(files, path) };
      log(`A foreign sender was refused: ${senderInWords(message)}.`);
      return {
        ok: false,
        error: new AppError('internal', { problem: 'a foreign sender was refused' }).toBody(),
      };
    } catch (error) {
      return { ok: false, error: appErrorFrom(error).toBody() };
    }
  });
}
