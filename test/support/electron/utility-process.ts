import { fork as forkNode, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { ForkOptions } from 'electron';

/**
 * Electron's utilityProcess: a plain Node process whose only channel to its parent is `process.parentPort`.
 * Electron rejects its run-as-Node variable when that fuse is off, so it is rejected here too.
 */
class UtilityProcess extends EventEmitter {
  readonly #child: ChildProcess;

  constructor(modulePath: string, args: readonly string[], options: ForkOptions) {
    super();
    const { env, execArgv = [] } = options;
    if ('ELECTRON_RUN_AS_NODE' in { ...env }) throw new Error('A utility process is not started as Node.');
    const port = new URL('./parent-port.ts', import.meta.url).href;
    this.#child = forkNode(modulePath, args, {
      env: { ...(env ?? process.env) },
      execArgv: [...execArgv, '--import', port],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('spawn', () => this.emit('spawn'));
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.once('exit', (code) => this.emit('exit', code ?? 1));
  }

  get pid(): number | undefined {
    return this.#child.exitCode === null ? this.#child.pid : undefined;
  }

  postMessage(message: object): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  kill(): boolean {
    return this.#child.kill();
  }
}

export const utilityProcess = {
  fork: (modulePath: string, args: readonly string[] = [], options: ForkOptions = {}): UtilityProcess =>
    new UtilityProcess(modulePath, args, options),
};
