import type { WebContents } from 'electron';
import { isPage, whereTo } from './scheme.ts';

/** What is known of the sender of a message; the frame is null when it has gone meanwhile. */
export interface Message {
  readonly sender: Pick<WebContents, 'id'>;
  readonly senderFrame: { readonly url: string; readonly parent: object | null } | null;
}

/**
 * Whether a message comes from where ours come from: one of our windows, its main frame, our own page.
 * @param windows ids of the contents of our windows
 */
export function isOwnMessage({ sender, senderFrame }: Message, windows: ReadonlySet<number>): boolean {
  return (
    windows.has(sender.id) && senderFrame !== null && senderFrame.parent === null && isPage(senderFrame.url)
  );
}

/** A foreign sender in words, for the log. */
export const senderInWords = ({ senderFrame }: Message): string =>
  senderFrame ? whereTo(senderFrame.url) : 'a frame that has gone';
