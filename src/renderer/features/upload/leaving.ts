import type { UploadTabState } from './upload-state.ts';

/**
 * Whether an upload loses something when the page goes: its file is still on its way into the application, its job is
 * still being planned, or it waits its turn, which does not come before the page is back. A job that was begun loses
 * nothing by it.
 */
export const losesByLeaving = ({
  file,
  send,
  queued,
}: Pick<UploadTabState, 'file' | 'send' | 'queued'>): boolean =>
  file.face === 'handing' || send.face === 'starting' || queued;
