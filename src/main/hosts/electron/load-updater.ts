import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Updater } from './updates.ts';

/** What an installer with a feed has beside the application; without one nothing looks for updates. */
const feedFile = 'app-update.yml';

/**
 * The library that looks for updates and fetches them, of an installed application that was given a feed when it was
 * packed (`electron-builder.config.mjs`). It checks the digest of what it fetched, and who signed it. On Linux it could not
 * check that, so there nothing is fetched, whatever lies beside the application.
 * @returns how to load it; null: there is no feed
 */
export function updaterOf(
  app: { readonly isPackaged: boolean },
  resources: string | undefined,
  platform: NodeJS.Platform = process.platform,
): (() => Promise<Updater>) | null {
  if (
    platform === 'linux' ||
    !app.isPackaged ||
    resources === undefined ||
    !existsSync(join(resources, feedFile))
  )
    return null;
  return async () => {
    const { default: library } = await import('electron-updater');
    const updater = library.autoUpdater;
    // Links are bad, and a download may cost: nothing is fetched unasked, nothing ends a job.
    updater.autoDownload = false;
    updater.autoInstallOnAppQuit = true;
    updater.logger = null;
    return {
      async look() {
        const found = await updater.checkForUpdates();
        return found?.isUpdateAvailable ? found.updateInfo.version : null;
      },
      fetch: async () => void (await updater.downloadUpdate()),
    };
  };
}
