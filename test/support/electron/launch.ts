import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from '@playwright/test';
import * as z from 'zod';
import { toChromium } from './addresses.ts';
import { builtMain, environment, type Desktop, type LaunchOptions } from './desktop.ts';
import { ignore } from './events.ts';

const started = z.object({ endpoint: z.string() });
const answer = z.object({ id: z.number(), ok: z.boolean(), value: z.unknown() });

/** A process that runs the stand-in, before it is known to be ready. */
function start(options: LaunchOptions) {
  const child = fork(
    fileURLToPath(new URL('./run.ts', import.meta.url)),
    [builtMain, ...(options.args ?? [])],
    {
      env: environment(options),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  let written = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => (written += part.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended, output: () => written };
}

/** Starts the built application on the stand-in. */
export async function launchStandIn(options: LaunchOptions): Promise<Desktop> {
  const { child, ended, output } = start(options);
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let last = 0;
  const endpoint = await new Promise<string>((resolve, reject) => {
    void ended.then((code) => reject(new Error(`The application ended with code ${code}: ${output()}`)));
    child.once('message', (message) => resolve(started.parse(message).endpoint));
  });
  child.on('message', (message) => {
    const { id, ok, value } = answer.parse(message);
    if (ok) waiting.get(id)?.resolve(value as never);
    else waiting.get(id)?.reject(new Error(String(value)));
    waiting.delete(id);
  });
  void ended.then(() => {
    for (const { reject } of waiting.values()) reject(new Error('The application has ended'));
  });

  function evaluate<T>(work: (...given: never[]) => T | Promise<T>, argument?: unknown): Promise<T> {
    const id = ++last;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      child.send({ id, source: work.toString(), argument });
    });
  }

  let browser: Browser | null = null;
  async function page(): Promise<Page> {
    // A crashed page is lost to the driver; a new connection finds its replacement.
    await browser?.close();
    browser = await chromium.connectOverCDP(endpoint);
    const pages = browser.contexts().flatMap((context) => context.pages());
    const ours = pages.find((candidate) => candidate.url() === toChromium('app://wellbench/'));
    if (!ours) throw new Error(`No page of ours among ${pages.map((other) => other.url()).join(', ')}`);
    return ours;
  }

  return {
    evaluate,
    page,
    output,
    second: (args = []) => start({ ...options, args }).ended,
    async quit() {
      await browser?.close();
      await evaluate(({ app }: { app: { quit(): void } }) => app.quit()).catch(() => undefined);
      return ended;
    },
    async kill() {
      await browser?.close().catch(() => undefined);
      if (child.connected) ignore(evaluate(({ app }: { app: { exit(code: number): void } }) => app.exit(1)));
      const forced = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(forced);
    },
  };
}
