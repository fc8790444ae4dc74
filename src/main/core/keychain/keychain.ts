import { AppError, isAppError, type KeychainTrouble } from '../../../shared/errors/errors.ts';
import type { ThreadCalls } from '../../../shared/threads.ts';
import { openIdleProcess } from '../processes/idle-process.ts';
import { createQueue } from '../queue.ts';
import { startProcess, type StartProcess } from '../../world/threads.ts';
import { clearTimeout, setTimeout } from '../../world/time.ts';

/**
 * The system's keychain. The service is the application, the account identifies the secret.
 * @throws AppError `keychain_unavailable` from every call, with the reason. An entry that can't be read is
 *   never overwritten.
 */
export interface Keychain {
  /** The secret; null if there is none. */
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  /** @returns false if there was none */
  deletePassword(service: string, account: string): Promise<boolean>;
}

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
  const helper = openIdleProcess<KeychainCalls>({
    start: () => start('keychain', env),
    idleMs,
    stopped: new AppError('keychain_unavailable', { trouble: 'silent' }),
  });
  let timer: NodeJS.Timeout | undefined;

  /** Limits the wait for the next result. Pending calls fail together, because they would wait for the same reason. */
  function setTimer(): void {
    clearTimeout(timer);
    if (helper.users() > 0) timer = setTimeout(helper.end, timeoutMs);
  }

  async function callKeychain<T>(call: (calls: ThreadCalls<KeychainCalls>) => Promise<T>): Promise<T> {
    if (env['WELLBENCH_KEYCHAIN'] === 'off') throw new AppError('keychain_unavailable', { trouble: 'off' });
    try {
      const pendingResult = helper.call(call);
      if (helper.users() === 1) setTimer();
      return await pendingResult;
    } catch (error) {
      if (isAppError(error, 'keychain_unavailable')) throw error;
      throw new AppError('keychain_unavailable', { trouble: 'other' }, { cause: error });
    } finally {
      setTimer();
    }
  }

  return {
    getPassword: (service, account) => callKeychain((calls) => calls.getPassword({ service, account })),
    setPassword: (service, account, password) =>
      callKeychain((calls) => calls.setPassword({ service, account, password })),
    deletePassword: (service, account) => callKeychain((calls) => calls.deletePassword({ service, account })),
    close: helper.end,
  };
}

interface Account {
  readonly service: string;
  readonly account: string;
}

export type KeychainCalls = ReturnType<typeof keychainCalls>;

/** The calls of the keychain process, run one at a time. */
export function keychainCalls(keychain: Keychain) {
  const queue = createQueue();
  return {
    getPassword: ({ service, account }: Account) => queue(() => keychain.getPassword(service, account)),
    setPassword: ({ service, account, password }: Account & { readonly password: string }) =>
      queue(() => keychain.setPassword(service, account, password)),
    deletePassword: ({ service, account }: Account) => queue(() => keychain.deletePassword(service, account)),
  };
}

/** Any error of the keychain, without its text, which may contain a secret. */
export const keychainError = (error: unknown): AppError =>
  new AppError('keychain_unavailable', { trouble: troubleOf(error) });

export class KeychainFailure extends Error {
  override readonly name = 'KeychainFailure';
  readonly trouble: KeychainTrouble;
  constructor(trouble: KeychainTrouble, options?: ErrorOptions) {
    super(trouble, options);
    this.trouble = trouble;
  }
}

// The package gives every failure the code `GenericFailure`, so messages are matched: those of D-Bus and the
// Secret Service as observed, those of Windows and macOS as documented.
const messagePatterns: readonly [RegExp, KeychainTrouble][] = [
  [/did not receive a reply|NoReply|timed? ?out/i, 'silent'],
  [/prompt was dismissed|IsLocked|locked|interaction is not allowed/i, 'locked'],
  [
    /DBUS_SESSION_BUS_ADDRESS|not provided by any|failed to connect to socket|ServiceUnknown|NameHasNoOwner|NoServer|not been created|no such secret collection|no default/i,
    'absent',
  ],
  [/AccessDenied|denied|not allowed|not permitted|cancell?ed|not correct|authoriz|logon session/i, 'denied'],
];

/** The cause of an error of the keychain package. Its text is dropped, because it may contain a secret. */
export function troubleOf(error: unknown): KeychainTrouble {
  if (error instanceof KeychainFailure) return error.trouble;
  const text = error instanceof Error ? error.message : '';
  return messagePatterns.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
}
