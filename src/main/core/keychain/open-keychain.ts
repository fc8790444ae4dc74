import { AppError, isAppError, type KeychainTrouble } from '../../../shared/errors/errors.ts';
import { openThread, type Thread, type ThreadCalls } from '../../../shared/threads.ts';
import type { KeychainCalls } from './calls.ts';
import type { Keychain } from './keychain.ts';
import { startProcess, type ProcessPort, type StartProcess } from '../../world/threads.ts';
import { clearTimeout, setTimeout } from '../../world/time.ts';

export interface KeychainOptions {
  /** Source of addresses such as that of D-Bus. `WELLBENCH_KEYCHAIN=off` disables the keychain. */
  readonly env: NodeJS.ProcessEnv;
  /** Limit of a call, in milliseconds: the user may have to unlock the keychain. */
  readonly timeoutMs?: number;
  /** How long the idle process stays, in milliseconds. */
  readonly idleMs?: number;
  readonly start?: StartProcess | undefined;
}

export type OpenKeychain = ReturnType<typeof openKeychain>;

/** The system's keychain, in a process that is started on demand. */
export function openKeychain({
  env,
  timeoutMs = 90_000,
  idleMs = 15_000,
  start = startProcess,
}: KeychainOptions): Keychain & { close(): void } {
  let thread: Thread<KeychainCalls> | null = null;
  let port: ProcessPort | null = null;
  let timer: NodeJS.Timeout | undefined;
  let pendingCalls = 0;

  /** Ends the process. Pending calls fail at once, because they would wait for the same reason. */
  function end(trouble: KeychainTrouble): void {
    clearTimeout(timer);
    const oldThread = thread;
    thread = null;
    oldThread?.close(new AppError('keychain_unavailable', { trouble }));
  }

  /** Limits the wait for the next result; an idle process is unreferenced and ends soon. */
  function setTimer(): void {
    clearTimeout(timer);
    port?.setReferenced(pendingCalls > 0);
    timer = setTimeout(end, pendingCalls > 0 ? timeoutMs : idleMs, 'silent');
    if (pendingCalls === 0) timer.unref();
  }

  async function callKeychain<T>(call: (calls: ThreadCalls<KeychainCalls>) => Promise<T>): Promise<T> {
    if (env['WELLBENCH_KEYCHAIN'] === 'off') throw new AppError('keychain_unavailable', { trouble: 'off' });
    thread ??= openThread<KeychainCalls>(() => (port = start('keychain', env)));
    pendingCalls += 1;
    try {
      const pendingResult = call(thread.calls);
      if (pendingCalls === 1) setTimer();
      return await pendingResult;
    } catch (error) {
      if (isAppError(error, 'keychain_unavailable')) throw error;
      throw new AppError('keychain_unavailable', { trouble: 'other' }, { cause: error });
    } finally {
      pendingCalls -= 1;
      setTimer();
    }
  }

  return {
    getPassword: (service, account) => callKeychain((calls) => calls.getPassword({ service, account })),
    setPassword: (service, account, password) =>
      callKeychain((calls) => calls.setPassword({ service, account, password })),
    deletePassword: (service, account) => callKeychain((calls) => calls.deletePassword({ service, account })),
    close: () => end('silent'),
  };
}
