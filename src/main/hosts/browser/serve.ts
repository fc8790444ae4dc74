import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from '../../app.ts';
import { invalidInput, toAppError } from '../../../shared/errors/errors.ts';
import { chooseInDataFolder } from '../no-dialogs.ts';
import { announceHost } from './running-hosts.ts';
import { startBrowserHost, type BrowserHostOptions } from './server.ts';

export interface ServeOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly dataFolder: string;
  readonly env: NodeJS.ProcessEnv;
  /** For the application, which ends with its window: opens what another start hands over. */
  readonly onOpen?: BrowserHostOptions['onOpen'];
}

export type Serving = Awaited<ReturnType<typeof runServe>>;

/** A day, in milliseconds: a picked file that no job took over is of no use after it. */
const spoolLifetime = 24 * 60 * 60 * 1000;

async function clearSpool(spool: string): Promise<void> {
  const names = await readdir(spool).catch(() => []);
  for (const name of names) {
    const stats = await stat(join(spool, name)).catch(() => null);
    // The clock may have been ahead when it was written.
    if (stats && Math.abs(Date.now() - stats.mtimeMs) > spoolLifetime)
      await rm(join(spool, name), { recursive: true, force: true });
  }
}

// The built renderer is beside the built main; from source it is in the same place of the checkout.
const builtRenderer = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../../out/renderer' : '../renderer', import.meta.url),
);

/**
 * Starts the core with the browser host.
 * @throws AppError `invalid_input` when the port is taken or the window wasn't built
 */
export async function runServe({ port, dataFolder, env, onOpen }: ServeOptions) {
  if (!existsSync(join(builtRenderer, 'index.html')))
    throw invalidInput('The window is not built yet. Run npm run build, or npm start, which builds it.');
  const spool = join(dataFolder, 'spool');
  await clearSpool(spool);
  const app = await createApp({
    host: 'browser',
    fileMode: 'stream',
    endsWithWindow: onOpen !== undefined,
    dataFolder,
    env,
    choose: chooseInDataFolder(dataFolder),
  });
  const fault = (cause: unknown): void => {
    const { message } = toAppError(cause);
    app.log.fault(cause);
    process.stderr.write(`${app.log.clean(message)}\n`);
  };
  const host = await startBrowserHost({
    port,
    router: app.router,
    files: app.files,
    renderer: builtRenderer,
    spool,
    onFault: fault,
    onOpen,
  }).catch(async (error: unknown) => {
    await app.close();
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw invalidInput(`Port ${port} is in use. Choose another with --port.`);
    throw error;
  });
  const withdraw = await announceHost(dataFolder, {
    port: host.port,
    linkKey: host.linkKey,
    isApp: onOpen !== undefined,
  }).catch((error: unknown) => {
    // Enter in the terminal still issues a link.
    app.log.fault(toAppError(error));
    return async () => undefined;
  });
  return {
    /** Issues a new sign-in link and revokes the last one. */
    newLink: host.newLink,
    /** Logs an uncaught error, also to stderr. */
    fault,
    app,
    hasWindow: host.hasWindow,
    async close(): Promise<void> {
      await withdraw();
      await host.close();
      await app.close();
    },
  };
}
