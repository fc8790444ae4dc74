import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import type * as Electron from 'electron';

/** What a test does with the running application, in Electron or on the stand-in alike. */
export interface Desktop {
  /** Runs a function in the main process, with the `electron` module; it can use nothing from outside itself. */
  evaluate<T, A>(work: (electron: typeof Electron, argument: A) => T | Promise<T>, argument: A): Promise<T>;
  evaluate<T>(work: (electron: typeof Electron) => T | Promise<T>): Promise<T>;
  /** The window's page, as it is now: after a crash there is a new one. */
  page(): Promise<Page>;
  /** What the main process wrote so far. */
  output(): string;
  /** Starts a second instance with the same data folder, and gives its exit code when it has ended. */
  second(args?: readonly string[]): Promise<number | null>;
  /** Quits as a person does, and waits for the end. Gives the exit code. */
  quit(): Promise<number | null>;
  /** Ends everything at once. */
  kill(): Promise<void>;
}

export interface LaunchOptions {
  readonly dataFolder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What the system hands over: files and links. */
  readonly args?: readonly string[];
}

/** The build that is tested. */
const build = resolve(process.env['WELLBENCH_BUILD'] ?? 'out');
export const builtMain = join(build, 'main', 'index.js');
export const builtPreload = join(build, 'preload', 'index.cjs');

/** An environment for the application with a folder of its own, and nothing of the machine's connections, keychain or proxies. */
export function environment({ dataFolder, env = {} }: LaunchOptions): Record<string, string> {
  const mine = Object.entries(process.env).filter(
    ([name]) => !/^(WELLBENCH_(?!CHROMIUM)|.*_proxy$)/i.test(name),
  );
  const kept = mine.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    ...Object.fromEntries(kept),
    WELLBENCH_DATA_DIR: dataFolder,
    WELLBENCH_KEYCHAIN: 'off',
    WELLBENCH_SAMPLE_RECORDS: '5000',
    WELLBENCH_SAMPLE_LIVE: 'off',
    ...env,
  };
}
