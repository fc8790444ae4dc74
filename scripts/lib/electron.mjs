import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';
import { pinnedEnvironment, pinnedNode, root } from './setup.mjs';

const electronPackage = join(root, 'node_modules', 'electron');
const failedBefore = join(root, 'node_modules', '.wellbench-no-electron');

/** Time limit of the runtime's download, in milliseconds. */
const maxDownloadMs = 60_000;
/** Time before a failed download is retried, in milliseconds: a day. */
const memoryMs = 24 * 60 * 60 * 1000;

const textOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined);

/**
 * The program of the installed Electron runtime, or undefined. Doesn't import the package, which would start a download.
 */
export function electronProgram({ folder = electronPackage, env = process.env } = {}) {
  const name = textOf(join(folder, 'path.txt'));
  const overrideFolder = env.ELECTRON_OVERRIDE_DIST_PATH;
  if (overrideFolder) return [join(overrideFolder, name ?? 'electron')].find(existsSync);
  const wanted = JSON.parse(textOf(join(folder, 'package.json')) ?? '{}').version;
  const there = textOf(join(folder, 'dist', 'version'))?.replace(/^v/, '');
  return name && there === wanted ? [join(folder, 'dist', name)].find(existsSync) : undefined;
}

/** Why Electron can't show a window on this computer; undefined: it can. */
export function electronProblem({
  platform = process.platform,
  env = process.env,
  uid = process.getuid?.(),
} = {}) {
  if (platform !== 'linux') return undefined;
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return 'this computer has no screen';
  if (uid === 0) return 'its sandbox doesn’t run as root';
  return undefined;
}

function remember(memory) {
  try {
    writeFileSync(memory, 'Remove this file to retry the download of the Electron runtime.\n');
  } catch {
    // The next start then retries.
  }
}

const fetchRuntime = (folder) =>
  run(pinnedNode(), [join(folder, 'install.js')], {
    cwd: folder,
    env: pinnedEnvironment(),
    quiet: true,
    timeoutMs: maxDownloadMs,
  });

/**
 * The program of the Electron runtime, downloaded if necessary and quickly possible, or why there is none. A failed download
 * isn't retried for a day, so that not every start waits for it.
 */
export async function ensureElectron({
  folder = electronPackage,
  memory = failedBefore,
  env = process.env,
  fetch = fetchRuntime,
  announce = () => undefined,
  now = Date.now(),
} = {}) {
  const there = electronProgram({ folder, env });
  if (there) return { program: there };
  const failed = statSync(memory, { throwIfNoEntry: false });
  if (failed && now - failed.mtimeMs < memoryMs)
    return { reason: 'its runtime couldn’t be downloaded earlier today' };
  announce();
  await fetch(folder);
  const fetched = electronProgram({ folder, env });
  if (fetched) {
    rmSync(memory, { force: true });
    return { program: fetched };
  }
  remember(memory);
  return { reason: 'its runtime couldn’t be downloaded' };
}
