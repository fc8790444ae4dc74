import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installFromDebian } from './debian.mjs';
import { say } from './run.mjs';

const programs = ['gnome-keyring-daemon', 'dbus-daemon', 'dbus-send', 'secret-tool'];
const packages = ['gnome-keyring', 'dbus', 'libsecret-tools'];

const folders = () => (process.env.PATH ?? '').split(delimiter);

/** Whether the tests of the keychain can run: against a GNOME Keyring with its own D-Bus. */
export const hasKeyring = () =>
  process.platform === 'linux' &&
  programs.every((name) => folders().some((folder) => existsSync(join(folder, name))));

/** Time limit of the installation, in milliseconds. */
const maxMs = { update: 60_000, install: 120_000 };

/**
 * A GNOME Keyring for the tests of the keychain: an installed one, else Debian's package. Without it, these tests are skipped.
 * @returns whether it is available
 */
export async function ensureKeyring() {
  if (hasKeyring()) return true;
  await installFromDebian('GNOME Keyring', packages, maxMs);
  if (hasKeyring()) return true;
  say('GNOME Keyring with D-Bus isn’t available: the tests with a real keychain are skipped.');
  return false;
}
