import type * as Electron from 'electron';
import { askOver } from './dialogs.ts';
import { updaterOf } from './load-updater.ts';
import { createUpdates } from './updates.ts';
import type { Updates } from './updates.ts';

/** When updates are looked for: not while the window opens, and once a day after that; in milliseconds. */
const firstLookMs = 60_000;
const everyMs = 24 * 60 * 60_000;

export interface KeepUpdatedOptions {
  readonly electron: Pick<typeof Electron, 'app' | 'dialog' | 'net' | 'Notification'>;
  /** Where the installed application keeps what came with it. */
  readonly resources: string | undefined;
  readonly window: () => Electron.BrowserWindow | null;
  readonly log: (sentence: string) => void;
}

/** Looks for updates until the application ends. @returns what the menu can ask for; null: there is no feed */
export function keepUpdated({ electron, resources, window, log }: KeepUpdatedOptions): Updates | null {
  const { app, dialog, net, Notification } = electron;
  const load = updaterOf(app, resources);
  if (load === null) return null;
  const updates = createUpdates({
    load,
    isOnline: () => net.isOnline(),
    ask: (version) => askToFetch(dialog, window(), version),
    tell: (title, body) => new Notification({ title, body }).show(),
    log,
  });
  const look = (): void => void updates.look();
  const timers = [setTimeout(look, firstLookMs).unref(), setInterval(look, everyMs).unref()];
  app.once('will-quit', () => timers.forEach((timer) => clearTimeout(timer)));
  return updates;
}

async function askToFetch(
  dialog: Pick<Electron.Dialog, 'showMessageBox'>,
  window: Electron.BrowserWindow | null,
  version: string,
): Promise<boolean> {
  const asked = {
    type: 'question' as const,
    message: `Wellbench ${version} can be had.`,
    detail: 'It is fetched while you work and installed when you quit. Jobs go on.',
    buttons: ['Fetch it', 'Not now'],
    defaultId: 0,
    cancelId: 1,
  };
  return (await askOver(dialog, window, asked)) === 0;
}
