import { isAbsolute } from 'node:path';
import { channels } from '../../../shared/bridge.ts';
import type { Offered } from '../../../shared/bridge.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import type { GrantedFile } from '../../../shared/files/files.ts';
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
  // Preload has no path for a file that the page made up itself, kept from before, or was given by another window.
  if (typeof path !== 'string' || !isAbsolute(path))
    throw new AppError('file_unreadable', {
      file: 'The file',
      reason: 'it was not dropped or picked in this window',
    });
  return files.grantSource(sourceAt(path));
}

/**
 * Takes the files that a person drops on the window or picks in it. Preload alone can send here (a page reaches no
 * channel), sends a path only while it hears the person's drop or pick, and gives the page the token, once for each.
 */
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
