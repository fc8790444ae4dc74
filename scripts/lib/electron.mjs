import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';
import { pinnedEnvironment, pinnedNode, root } from './setup.mjs';

const electronPackage = join(root, 'node_modules', 'electron');
const failedBefore = join(root, 'node_modules', '.wellbench-no-electron');

/** The longest that fetching the runtime may take, in milliseconds. */
const patienceMs = 60_000;
/** How long a failure to fetch it is remembered, in milliseconds: a day. */
const memoryMs = 24 * 60 * 60 * 1000;

const textOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined);

/**
 * The program of the Electron runtime where it is installed, else undefined. Looks only: to ask the package itself
 * would start a download.
 */
export function electronProgram({ folder = electronPackage, env = process.env } = {}) {
  const name = textOf(join(folder, 'path.txt'));
  const overrideFolder = env.ELECTRON_OVERRIDE_DIST_PATH;
  if (overrideFolder) return [join(overrideFolder, name ?? 'electron')].find(existsSync);
  const wanted = JSON.parse(textOf(join(folder, 'package.json')) ?? '{}').version;
  const there = textOf(join(folder, 'dist', 'version'))?.replace(/^v/, '');
  return name && there === wanted ? [join(folder, 'dist', name)].find(existsSync) : undefined;
}

/** Why Electron can't show a window here, whatever is installed; undefined when nothing speaks against it. */
export function hindrance({ platform = process.platform, env = process.env, uid = process.getuid?.() } = {}) {
  if (platform !== 'linux') return undefined;
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return 'there is no screen here';
  if (uid === 0) return 'Electron keeps its sandbox, and with it does not run as root';
  return undefined;
}

function remember(memory) {
  try {
    writeFileSync(memory, 'Remove this file to try again to fetch the Electron runtime.\n');
  } catch {
    // Then the next start tries again.
  }
}

const fetchRuntime = (folder) =>
  run(pinnedNode(), [join(folder, 'install.js')], {
    cwd: folder,
    env: pinnedEnvironment(),
    quiet: true,
    timeoutMs: patienceMs,
  });

/**
 * The program of the Electron runtime, fetched when that can be done in a short time, or why there is none. A failure
 * to fetch it is remembered for a day, so that not every start waits for it.
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
    return { reason: 'its runtime could not be fetched earlier today' };
  announce();
  await fetch(folder);
  const fetched = electronProgram({ folder, env });
  if (fetched) {
    rmSync(memory, { force: true });
    return { program: fetched };
  }
  remember(memory);
  return { reason: 'its runtime could not be fetched' };
}
