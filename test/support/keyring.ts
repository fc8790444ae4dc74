import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

export { hasKeyring } from '../../scripts/lib/keyring.mjs';

const run = promisify(execFile);

export interface Keyring {
  /** The environment of a process that uses only this keyring. */
  readonly env: Record<string, string>;
  /** Locks the entries; they can't be unlocked, because there is no screen for a prompt. */
  lock(): Promise<void>;
  /** Suspends the daemon: it no longer responds. */
  freeze(): void;
  thaw(): void;
  /** Replaces the secret of an account, as another program does. */
  write(service: string, account: string, secret: string): Promise<void>;
  /** The secret of an account, read by another program. */
  read(service: string, account: string): Promise<string>;
  /** The account names of a service, read by another program. */
  accounts(service: string): Promise<string[]>;
  close(): Promise<void>;
}

const configuration = (folder: string): string => `<!DOCTYPE busconfig PUBLIC
  "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <servicedir>${folder}/services</servicedir>
  <listen>unix:path=${folder}/bus</listen>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`;

// Replaces the prompt for the keyring's password, without a user to answer it.
const silentPrompter = '[D-BUS Service]\nName=org.gnome.keyring.SystemPrompter\nExec=/bin/sleep 20\n';

async function until(ready: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await ready()) return;
    await sleep(50);
  }
  throw new Error('the keyring did not start');
}

const ended = (child: ChildProcess): Promise<unknown> =>
  child.exitCode === null && child.signalCode === null
    ? new Promise((resolve) => child.once('exit', resolve))
    : Promise.resolve();

/** A GNOME Keyring with its own D-Bus, in a folder that is deleted with it. */
export async function startKeyring({ daemon = true, prompter = false } = {}): Promise<Keyring> {
  const folder = await mkdtemp(join(tmpdir(), 'wellbench-keyring-'));
  for (const name of ['services', 'home', 'run', 'control']) await mkdir(join(folder, name), { mode: 0o700 });
  if (prompter) await writeFile(join(folder, 'services', 'prompter.service'), silentPrompter);
  await writeFile(join(folder, 'bus.conf'), configuration(folder));
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder}/bus`,
    HOME: `${folder}/home`,
    XDG_DATA_HOME: `${folder}/home`,
    XDG_RUNTIME_DIR: `${folder}/run`,
  };
  const started: ChildProcess[] = [];
  const start = (program: string, args: string[]): ChildProcess => {
    const child = spawn(program, args, { env, stdio: ['pipe', 'ignore', 'ignore'] });
    started.push(child);
    return child;
  };
  start('dbus-daemon', [`--config-file=${folder}/bus.conf`, '--nofork', '--nopidfile']);
  await until(() => existsSync(join(folder, 'bus')));
  const secrets = daemon
    ? start('gnome-keyring-daemon', [
        '--unlock',
        '--components=secrets',
        '--foreground',
        `--control-directory=${folder}/control`,
      ])
    : null;
  secrets?.stdin?.end('password of the keyring');
  const tool = (program: string, args: string[]) => run(program, args, { env });
  const ask = (method: string, ...args: string[]) =>
    tool('dbus-send', [
      '--session',
      '--print-reply',
      '--dest=org.freedesktop.secrets',
      '/org/freedesktop/secrets',
      `org.freedesktop.Secret.Service.${method}`,
      ...args,
    ]);
  const login = '/org/freedesktop/secrets/collection/login';
  if (daemon)
    await until(() =>
      ask('ReadAlias', 'string:default').then(
        ({ stdout }) => stdout.includes(login),
        () => false,
      ),
    );
  return {
    env,
    lock: async () => void (await ask('Lock', `array:objpath:${login}`)),
    freeze: () => void secrets?.kill('SIGSTOP'),
    thaw: () => void secrets?.kill('SIGCONT'),
    async write(service, account, secret) {
      const stored = tool('secret-tool', ['store', '--label=x', 'service', service, 'username', account]);
      stored.child.stdin?.end(secret);
      await stored;
    },
    read: async (service, account) =>
      (await tool('secret-tool', ['lookup', 'service', service, 'username', account])).stdout,
    async accounts(service) {
      const { stdout, stderr } = await tool('secret-tool', ['search', '--all', 'service', service]);
      return [...(stdout + stderr).matchAll(/attribute\.username = (.*)/g)]
        .map(([, name]) => name ?? '')
        .sort();
    },
    async close() {
      for (const child of started) child.kill('SIGKILL');
      await Promise.all(started.map(ended));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
