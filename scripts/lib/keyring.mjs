import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run, say } from './run.mjs';

const programs = ['gnome-keyring-daemon', 'dbus-daemon', 'dbus-send', 'secret-tool'];
const packages = ['gnome-keyring', 'dbus', 'libsecret-tools'];

const folders = () => (process.env.PATH ?? '').split(delimiter);

/** Whether the tests of the keychain can run here: against a GNOME Keyring under a D-Bus of their own. */
export const hasKeyring = () =>
  process.platform === 'linux' &&
  programs.every((name) => folders().some((folder) => existsSync(join(folder, name))));

/** The longest that installing may take, in milliseconds. */
const patience = { update: 60_000, install: 120_000 };

/**
 * A GNOME Keyring for the tests of the keychain: an installed one, else Debian's where it can be installed. Without
 * one those tests are skipped, and say so. Gives whether there is one.
 */
export async function ensureKeyring() {
  if (hasKeyring()) return true;
  const mayInstall =
    process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (mayInstall) {
    say('Installing GNOME Keyring from the system’s packages …');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const quiet = { env, quiet: true };
    await run('apt-get', ['update', '-qq'], { ...quiet, timeoutMs: patience.update });
    const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
    await run('apt-get', install, { ...quiet, timeoutMs: patience.install });
  }
  if (hasKeyring()) return true;
  say('There is no GNOME Keyring with D-Bus here: the tests against a real keychain are skipped.');
  return false;
}
