import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { AppError, invalidInput } from '../../../shared/errors/errors.ts';
import { alone, isLocked } from '../../files/lock.ts';
import { writeWhole } from '../../files/disk.ts';
import { isMissing } from '../../files/file-errors.ts';

/** Where a running host gives a new sign-in link to whoever has its key. */
export const linkPath = '/link';

const linkAnswer = z.object({ url: z.string() });
export type LinkAnswer = z.infer<typeof linkAnswer>;

/** What a running host leaves in the data folder, in a file with mode 0600, for `wellbench open`. */
const runningHost = z.object({ port: z.int().min(1).max(65_535), linkKey: z.string().min(1) });
export type RunningHost = z.infer<typeof runningHost>;

/** Where running hosts leave what only this person may read. */
export const servingFolder = (dataFolder: string): string => join(dataFolder, 'serving');
const fileName = /^(\d{1,5})\.json$/;

/** How long `wellbench open` may hold the lock of a port, in milliseconds. */
const patienceMs = 5000;
/** How long a running host may take to answer, in milliseconds. */
const answerMs = 5000;

/**
 * Writes down that a host runs, so that {@link newLinkFrom} finds it. The lock shows that it still does: a file that
 * is left by a kill has none.
 * @returns takes the file away again
 */
export async function announceHost(dataFolder: string, host: RunningHost): Promise<() => Promise<void>> {
  const folder = servingFolder(dataFolder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${host.port}.json`);
  const busy = () => new AppError('file_unwritable', { file: `${host.port}.json`, reason: 'it is locked' });
  const [announced, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = alone(join(folder, `${host.port}.lock`), patienceMs, busy, async () => {
    await writeWhole(path, JSON.stringify(host));
    announced.resolve();
    await over.promise;
    await rm(path, { force: true });
  });
  await Promise.race([announced.promise, holding]);
  return async () => {
    over.resolve();
    await holding;
  };
}

/**
 * Asks the host that was started last over this data folder for a new sign-in link.
 * @throws AppError `invalid_input` when none runs
 */
export async function newLinkFrom(dataFolder: string): Promise<string> {
  for (const host of await runningHosts(servingFolder(dataFolder))) {
    const url = await askForLink(host).catch(() => null);
    if (url !== null) return url;
  }
  throw invalidInput('No browser host is running. Start one with wellbench serve.');
}

/** Those whose lock is held, the newest first. */
async function runningHosts(folder: string): Promise<RunningHost[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const found: { readonly host: RunningHost; readonly since: number }[] = [];
  for (const name of names) {
    const port = fileName.exec(name)?.[1];
    const path = join(folder, name);
    // Without its lock, another program may listen at that port by now.
    if (port === undefined || !isLocked(join(folder, `${port}.lock`))) continue;
    const host = runningHost.safeParse(
      await readFile(path, 'utf8')
        .then(JSON.parse)
        .catch(() => null),
    );
    if (host.success && host.data.port === Number(port))
      found.push({ host: host.data, since: (await stat(path)).mtimeMs });
  }
  return found.sort((a, b) => b.since - a.since).map(({ host }) => host);
}

function askForLink({ port, linkKey }: RunningHost): Promise<string> {
  const { request } = process.getBuiltinModule('node:http');
  const headers = { authorization: `Bearer ${linkKey}` };
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, path: linkPath, method: 'POST', headers, agent: false, timeout: answerMs },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('error', reject).on('end', () => {
          try {
            resolve(linkAnswer.parse(JSON.parse(text)).url);
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        });
      },
    );
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', reject).end();
  });
}
