import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import type * as Electron from 'electron';

/** A test's actions on the running application, in Electron or on the stand-in. */
export interface Desktop {
  /** Runs a function in the main process, with the `electron` module; it can use nothing from outside itself. */
  evaluate<T, A>(work: (electron: typeof Electron, argument: A) => T | Promise<T>, argument: A): Promise<T>;
  evaluate<T>(work: (electron: typeof Electron) => T | Promise<T>): Promise<T>;
  /** The window's current page: after a crash there is a new one. */
  page(): Promise<Page>;
  /** The output of the main process up to now. */
  output(): string;
  /** Starts a second instance with the same data folder, and returns its exit code. */
  second(args?: readonly string[]): Promise<number | null>;
  /** Quits as a user does, and waits for the end. Returns the exit code. */
  quit(): Promise<number | null>;
  /** Kills all processes. */
  kill(): Promise<void>;
}

export interface LaunchOptions {
  readonly dataFolder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Items that the system passes: files and links. */
  readonly args?: readonly string[];
}

/** The build under test. */
const build = resolve(process.env['WELLBENCH_BUILD'] ?? 'out');
export const builtMain = join(build, 'main', 'index.js');
export const builtPreload = join(build, 'preload', 'index.cjs');

/**
 * An environment for the application with its own folder, and without the machine's connections, keychain, and
 * proxies.
 */
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
