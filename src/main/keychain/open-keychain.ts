import { AppError, isAppError, type KeychainTrouble } from '../../shared/errors/errors.ts';
import { openThread, type Thread, type ThreadCalls } from '../../shared/threads.ts';
import type { KeychainCalls } from './calls.ts';
import type { Keychain } from './keychain.ts';
import { startHelper, type KeychainPort, type StartKeychain } from './start-helper.ts';

export interface KeychainOptions {
  /** Where the address of the keychain is read, such as that of D-Bus. `WELLBENCH_KEYCHAIN=off`: do without one. */
  readonly env: NodeJS.ProcessEnv;
  /** How long a call may take, in milliseconds: a person may have to unlock the keychain first. */
  readonly patienceMs?: number;
  /** How long the process that holds the keychain stays when nothing is asked of it, in milliseconds. */
  readonly idleMs?: number;
  readonly start?: StartKeychain | undefined;
}

export type OpenKeychain = ReturnType<typeof openKeychain>;

/** The system's keychain, in a process of its own that is started when it is needed. */
export function openKeychain({
  env,
  patienceMs = 90_000,
  idleMs = 15_000,
  start = startHelper,
}: KeychainOptions): Keychain & { close(): void } {
  let thread: Thread<KeychainCalls> | null = null;
  let port: KeychainPort | null = null;
  let timer: NodeJS.Timeout | undefined;
  let underWay = 0;

  /** Ends the process. Those in line would wait for the same, and are told at once. */
  function end(trouble: KeychainTrouble): void {
    clearTimeout(timer);
    const ended = thread;
    thread = null;
    ended?.close(new AppError('keychain_unavailable', { trouble }));
  }

  /** Limits the wait for the next answer; without one to wait for, the process holds nothing up and ends soon. */
  function setTimer(): void {
    clearTimeout(timer);
    port?.hold(underWay > 0);
    timer = setTimeout(end, underWay > 0 ? patienceMs : idleMs, 'silent');
    if (underWay === 0) timer.unref();
  }

  async function ask<T>(call: (calls: ThreadCalls<KeychainCalls>) => Promise<T>): Promise<T> {
    if (env['WELLBENCH_KEYCHAIN'] === 'off') throw new AppError('keychain_unavailable', { trouble: 'off' });
    thread ??= openThread<KeychainCalls>(() => (port = start(env)));
    underWay += 1;
    try {
      const answer = call(thread.calls);
      if (underWay === 1) setTimer();
      return await answer;
    } catch (error) {
      if (isAppError(error, 'keychain_unavailable')) throw error;
      throw new AppError('keychain_unavailable', { trouble: 'other' }, { cause: error });
    } finally {
      underWay -= 1;
      setTimer();
    }
  }

  return {
    getPassword: (service, account) => ask((calls) => calls.getPassword({ service, account })),
    setPassword: (service, account, password) =>
      ask((calls) => calls.setPassword({ service, account, password })),
    deletePassword: (service, account) => ask((calls) => calls.deletePassword({ service, account })),
    findCredentials: (service) => ask((calls) => calls.findCredentials({ service })),
    close: () => end('silent'),
  };
}
