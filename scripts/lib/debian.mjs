import { existsSync } from 'node:fs';
import { run, say } from './run.mjs';

/**
 * Installs packages of Debian, if this is Debian and the user is root.
 * @param name of what they are
 * @param maxMs the maximum times, in milliseconds; without one it waits
 */
export async function installFromDebian(name, packages, maxMs = {}) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  say(`Installing ${name} from the system’s packages …`);
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, quiet: true };
  await run('apt-get', ['update', '-qq'], { ...options, timeoutMs: maxMs.update });
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  await run('apt-get', install, { ...options, timeoutMs: maxMs.install });
}
