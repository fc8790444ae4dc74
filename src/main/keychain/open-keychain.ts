import * as z from 'zod';
import { AppError, type KeychainTrouble, keychainTrouble } from '../../shared/errors/errors.ts';
import type { Keychain } from './keychain.ts';
import type { Reply, Request } from './messages.ts';
import { startHelper, type Helper, type StartHelper } from './start-helper.ts';

export interface KeychainOptions {
  /** Where the way to the keychain is read, such as the address of D-Bus. `WELLBENCH_KEYCHAIN=off`: do without one. */
  readonly env: NodeJS.ProcessEnv;
  /** How long a call may take, in milliseconds: a person may have to unlock the keychain first. */
  readonly patienceMs?: number;
  /** How long the process that holds the keychain stays when nothing is asked of it, in milliseconds. */
  readonly idleMs?: number;
  readonly start?: StartHelper | undefined;
}

export interface OpenKeychain extends Keychain {
  close(): void;
}

const reply = z.object({
  id: z.number(),
  value: z.union([
    z.string(),
    z.boolean(),
    z.array(z.object({ account: z.string(), password: z.string() })),
    z.null(),
  ]),
  trouble: keychainTrouble.nullable(),
});

type Answer = { readonly value: Reply['value'] } | { readonly trouble: KeychainTrouble };
interface Call {
  readonly request: Request;
  readonly settle: (answer: Answer) => void;
}

/** The system's keychain, in a process of its own that is started when it is needed. One call at a time. */
export function openKeychain(options: KeychainOptions): OpenKeychain {
  const line = new Line(options);
  async function ask(call: Request['call'], service: string, account = '', password = ''): Promise<unknown> {
    if (options.env['WELLBENCH_KEYCHAIN'] === 'off')
      throw new AppError('keychain_unavailable', { trouble: 'off' });
    const answer = await line.ask({ call, service, account, password });
    if ('trouble' in answer) throw new AppError('keychain_unavailable', { trouble: answer.trouble });
    return answer.value;
  }
  return {
    getPassword: async (service, account) =>
      z
        .string()
        .nullable()
        .parse(await ask('getPassword', service, account)),
    setPassword: async (service, account, password) =>
      void (await ask('setPassword', service, account, password)),
    deletePassword: async (service, account) => (await ask('deletePassword', service, account)) === true,
    findCredentials: async (service) =>
      z
        .array(z.object({ account: z.string(), password: z.string() }))
        .parse(await ask('findCredentials', service)),
    close: () => line.close(),
  };
}

/** Calls that wait for their turn at the helper. */
class Line {
  readonly #options: KeychainOptions;
  #waiting: Call[] = [];
  #running: Call | null = null;
  #helper: Helper | null = null;
  #timer: NodeJS.Timeout | undefined;
  #asked = 0;

  constructor(options: KeychainOptions) {
    this.#options = options;
  }

  ask(request: Omit<Request, 'id'>): Promise<Answer> {
    this.#asked += 1;
    const numbered = { ...request, id: this.#asked };
    return new Promise((settle) => {
      this.#waiting.push({ request: numbered, settle });
      this.#next();
    });
  }

  close(): void {
    this.#giveUp('silent');
  }

  #next(): void {
    if (this.#running) return;
    clearTimeout(this.#timer);
    this.#running = this.#waiting.shift() ?? null;
    if (!this.#running) return this.#rest();
    this.#helper ??= this.#start();
    this.#helper.hold(true);
    this.#timer = setTimeout(() => this.#giveUp('silent'), this.#options.patienceMs ?? 90_000);
    this.#helper.send(this.#running.request);
  }

  /** Nothing is asked: the helper holds nothing up, and goes after a while. */
  #rest(): void {
    this.#helper?.hold(false);
    this.#timer = setTimeout(() => this.#drop(), this.#options.idleMs ?? 15_000).unref();
  }

  #start(): Helper {
    const helper = (this.#options.start ?? startHelper)(this.#options.env);
    helper.onMessage((message) => {
      const parsed = reply.safeParse(message);
      const running = this.#running;
      if (this.#helper !== helper || !parsed.success || parsed.data.id !== running?.request.id) return;
      const { trouble, value } = parsed.data;
      this.#running = null;
      running.settle(trouble === null ? { value } : { trouble });
      this.#next();
    });
    helper.onEnd(() => {
      if (this.#helper === helper) this.#giveUp('other');
    });
    return helper;
  }

  /** Those in line would wait for the same: they are told at once. */
  #giveUp(trouble: KeychainTrouble): void {
    const all = [...(this.#running ? [this.#running] : []), ...this.#waiting];
    this.#running = null;
    this.#waiting = [];
    clearTimeout(this.#timer);
    this.#drop();
    for (const { settle } of all) settle({ trouble });
  }

  #drop(): void {
    const helper = this.#helper;
    this.#helper = null;
    helper?.kill();
  }
}
