import type * as Electron from 'electron';
import type { Job } from '../../../shared/jobs/jobs.ts';
import type { App } from '../../app.ts';
import { pauseOffline } from './offline.ts';
import { createPauses } from './pauses.ts';
import { pauseInSleep } from './sleep.ts';

/** How often the network is looked at, in milliseconds: that costs nothing, and nobody tells main of it. */
const lookEveryMs = 2000;
const here = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Pauses jobs while the machine sleeps or has no network, until the application ends. */
export function pauseAsNeeded(
  { app, net, powerMonitor }: Pick<typeof Electron, 'app' | 'net' | 'powerMonitor'>,
  { runner, client }: Pick<App, 'runner' | 'client'>,
  log: (sentence: string) => void,
): void {
  const pauses = createPauses({ runner, log });
  pauseInSleep(powerMonitor, pauses);
  const isElsewhere = async ({ connection }: Job): Promise<boolean> =>
    (await client.connections.list({})).some(
      ({ name, dataUrl }) => name === connection && !here.has(new URL(dataUrl).hostname),
    );
  const look = pauseOffline({ isOnline: () => net.isOnline(), isElsewhere, runner, pauses });
  const timer = setInterval(look, lookEveryMs);
  timer.unref();
  app.once('will-quit', () => clearInterval(timer));
}
