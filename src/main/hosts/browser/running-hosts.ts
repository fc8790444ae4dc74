import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { AppError, invalidInput } from '../../../shared/errors/errors.ts';
import { withFileLock, isLocked } from '../../core/files/lock.ts';
import { writeWhole } from '../../core/files/disk.ts';
import { isMissing } from '../../core/files/file-errors.ts';
import { readOwnText } from '../../core/files/regular-file.ts';
import type { StartedWith } from '../open-arguments.ts';

/** The path where a running application opens what another start asks for. */
export const handOverPath = '/open';
/** The path where a running host issues a new sign-in link for its key. */
export const linkPath = '/link';

const linkAnswer = z.object({ url: z.string() });
export type LinkResponse = z.infer<typeof linkAnswer>;

/** What a running host leaves in the data folder, in a file with mode 0600, for `wellbench open`. */
const runningHost = z.object({
  port: z.int().min(1).max(65_535),
  linkKey: z.string().min(1),
  /** Whether it is the application, which opens files that another start hands over. */
  isApp: z.boolean(),
});
export type RunningHost = z.infer<typeof runningHost>;

/** Folder of the files of running hosts, readable only by this user. */
export const servingFolder = (dataFolder: string): string => join(dataFolder, 'serving');
const fileName = /^(\d{1,5})\.json$/;

/** How long to wait for a port's lock, which another process holds while it looks for hosts, in milliseconds. */
const maxLockMs = 5000;
/** Timeout of a running host's response, in milliseconds: it may open its window first. */
const responseMs = 20_000;

/**
 * Registers a running host for {@link requestNewLink}. Its lock shows that it is running; the file of a killed host
 * has none.
 * @returns removes the registration
 * @throws AppError `file_unwritable` if another host holds the lock; Error of the file system
 */
export async function announceHost(dataFolder: string, host: RunningHost): Promise<() => Promise<void>> {
  const folder = servingFolder(dataFolder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${host.port}.json`);
  const busy = () => new AppError('file_unwritable', { file: `${host.port}.json`, reason: 'it is locked' });
  const [announced, withdrawn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = withFileLock(join(folder, `${host.port}.lock`), maxLockMs, busy, async () => {
    await writeWhole(path, JSON.stringify(host));
    announced.resolve();
    await withdrawn.promise;
    await rm(path, { force: true });
  });
  await Promise.race([announced.promise, holding]);
  return async () => {
    withdrawn.resolve();
    await holding;
  };
}

/**
 * Requests a new sign-in link from the host that was started last on this data folder.
 * @throws AppError `invalid_input` when none is running
 */
export async function requestNewLink(dataFolder: string): Promise<string> {
  for (const host of await runningHosts(servingFolder(dataFolder))) {
    const answer = await request(host, linkPath).catch(() => null);
    if (answer !== null) return linkAnswer.parse(JSON.parse(answer)).url;
  }
  throw invalidInput('No browser host is running. Start one with wellbench serve.');
}

/**
 * Hands files and links over to the application that runs on this data folder, which shows its window.
 * @returns false when none runs, or it doesn't respond
 * @throws Error of the file system, as on a drive without locks
 */
export async function openInRunningApp(dataFolder: string, start: StartedWith): Promise<boolean> {
  for (const host of await runningHosts(servingFolder(dataFolder)))
    if (host.isApp && (await request(host, handOverPath, JSON.stringify(start)).catch(() => null)) !== null)
      return true;
  return false;
}

/** Newest first. */
async function runningHosts(folder: string): Promise<RunningHost[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const hosts: { readonly host: RunningHost; readonly since: number }[] = [];
  for (const name of names) {
    const port = fileName.exec(name)?.[1];
    const path = join(folder, name);
    // Without its lock, another program may listen at that port by now.
    if (port === undefined || !isLocked(join(folder, `${port}.lock`))) continue;
    try {
      const host = runningHost.parse(JSON.parse((await readOwnText(path, name)) ?? ''));
      if (host.port === Number(port)) hosts.push({ host, since: (await stat(path)).mtimeMs });
    } catch {
      // It has just ended, and removed its file.
    }
  }
  return hosts.sort((a, b) => b.since - a.since).map(({ host }) => host);
}

/** Asks a running host for something, with its key. @returns the text of its answer */
function request({ port, linkKey }: RunningHost, path: string, body = ''): Promise<string> {
  const { request: startRequest } = process.getBuiltinModule('node:http');
  const headers = { authorization: `Bearer ${linkKey}`, 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const hostRequest = startRequest(
      { host: '127.0.0.1', port, path, method: 'POST', headers, agent: false, timeout: responseMs },
      (response) => {
        text(response).then((answer) => {
          if (response.statusCode === 200) resolve(answer);
          else reject(new Error(`status ${response.statusCode}`));
        }, reject);
      },
    );
    hostRequest.on('timeout', () => hostRequest.destroy(new Error('no answer')));
    hostRequest.on('error', reject).end(body);
  });
}
