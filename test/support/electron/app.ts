import { EventEmitter } from 'node:events';
import { mkdirSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { preventable } from './events.ts';
import { host } from './host.ts';
import { lockInstance } from './instance.ts';

type Closing = { close(): void; once(event: 'closed', listener: () => void): unknown };

class App extends EventEmitter {
  readonly isPackaged = false;
  readonly commandLine = { appendSwitch: (_name: string, _value?: string) => undefined };
  readonly #paths: Record<string, string> = {
    home: homedir(),
    temp: tmpdir(),
    userData: join(tmpdir(), `stand-in-${process.pid}`),
    downloads: join(homedir(), 'Downloads'),
  };
  readonly #ready = Promise.withResolvers<void>();
  /** The stand-in's own: the open windows, reported by BrowserWindow. */
  windows: () => Closing[] = () => [];
  #name = 'stand-in';
  #quitting = false;
  sandboxed = false;
  exiting = false;
  relaunches = 0;

  getName = (): string => this.#name;
  setName(name: string): void {
    this.#name = name;
  }
  getVersion = (): string => '0.0.0';
  getAppPath = (): string => process.cwd();
  getPath(name: string): string {
    const path = this.#paths[name];
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  }
  /** Has an effect on Windows only. */
  setAppUserModelId(_id: string): void {}

  setPath(name: string, path: string): void {
    if (!statSync(path).isDirectory()) throw new Error(`${path} is not a folder`);
    this.#paths[name] = path;
  }
  enableSandbox(): void {
    this.#before('enableSandbox');
    this.sandboxed = true;
  }
  isReady = (): boolean => host.ready;
  whenReady = (): Promise<void> => this.#ready.promise;

  requestSingleInstanceLock(data?: Record<string, unknown>): boolean {
    const onSecondInstance = (argv: string[], cwd: string, data: unknown): unknown =>
      this.emit('second-instance', {}, argv, cwd, data);
    return lockInstance(this.getPath('userData'), data, onSecondInstance);
  }

  relaunch(): void {
    this.relaunches += 1;
  }

  quit(): void {
    const event = preventable({});
    this.emit('before-quit', event);
    if (event.defaultPrevented) return;
    this.#quitting = true;
    const open = this.windows();
    if (open.length === 0) this.#willQuit();
    else for (const window of open) window.close();
  }

  exit(code = 0): void {
    this.exiting = true;
    this.emit('quit', {}, code);
    void host.stop().finally(() => process.exit(code));
  }

  /** The stand-in's own: whether a function must be called before Electron is ready. */
  #before(name: string): void {
    if (host.ready) throw new Error(`${name} can only be called before app is ready`);
  }

  /** The stand-in's own: the main script has completed. */
  async becomeReady(): Promise<void> {
    if (this.exiting) return new Promise(() => undefined);
    const profile = join(this.getPath('userData'), 'chromium');
    mkdirSync(profile, { recursive: true });
    await host.start(profile);
    host.ready = true;
    this.emit('ready', {}, {});
    this.#ready.resolve();
  }

  /** The stand-in's own: the last window is closed. */
  windowsGone(): void {
    if (this.#quitting) this.#willQuit();
    else if (this.listenerCount('window-all-closed') === 0) this.quit();
    else this.emit('window-all-closed');
  }

  #willQuit(): void {
    const event = preventable({});
    this.emit('will-quit', event);
    if (event.defaultPrevented) this.#quitting = false;
    else this.exit(0);
  }
}

export const app = new App();
