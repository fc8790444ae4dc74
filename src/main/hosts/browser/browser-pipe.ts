import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';

/** The pages of a browser that this process started. */
export interface Pages {
  /** Resolves when the first page is open. */
  readonly opened: Promise<void>;
  /** Resolves when the last page is closed, or the browser has ended. */
  readonly closed: Promise<void>;
  /** Brings the newest page to the front. @returns false if the browser doesn't do it */
  focus(): Promise<boolean>;
  /** Asks the browser to end, without questions. Never rejects. */
  closeBrowser(): Promise<void>;
}

const target = z.object({ targetId: z.string(), type: z.string() });
/** The messages that are used; the browser sends others. */
const message = z.union([
  z.object({ id: z.int(), error: z.object({ message: z.string() }).optional() }),
  z.object({ method: z.literal('Target.targetCreated'), params: z.object({ targetInfo: target }) }),
  z.object({ method: z.literal('Target.targetDestroyed'), params: z.object({ targetId: z.string() }) }),
]);

/** How long the browser may take for an answer, in milliseconds. */
const answerMs = 3000;
/** Longest message that is read, in characters; more is no message of a browser. */
const maxLength = 16_000_000;

/**
 * Follows the pages of a browser by its DevTools protocol: JSON messages that end with a zero byte, over two files that
 * only the browser and this process have.
 * @param input what the browser reads
 * @param output what the browser writes
 * @returns its pages
 */
export function followPages(input: Writable, output: Readable): Pages {
  const pages = new Set<string>();
  const waiting = new Map<number, (isDone: boolean) => void>();
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let lastId = 0;

  function call(method: string, params: object = {}): Promise<boolean> {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve) => {
      const settle = (isDone: boolean): void => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(isDone);
      };
      const timer = setTimeout(() => settle(false), answerMs);
      waiting.set(id, settle);
      if (input.writable) input.write(`${JSON.stringify({ id, method, params })}\0`);
      else settle(false);
    });
  }

  function receive(text: string): void {
    const { data } = message.safeParse(JSON.parse(text));
    if (!data) return;
    if ('id' in data) return waiting.get(data.id)?.(data.error === undefined);
    if (data.method === 'Target.targetCreated') {
      const { targetId, type } = data.params.targetInfo;
      if (type !== 'page') return undefined;
      pages.add(targetId);
      return opened.resolve();
    }
    if (pages.delete(data.params.targetId) && pages.size === 0) closed.resolve();
    return undefined;
  }

  let rest = '';
  output.setEncoding('utf8').on('data', (part: string) => {
    const parts = (rest + part).split('\0');
    rest = parts.pop() ?? '';
    try {
      if (rest.length > maxLength) throw new Error('too long');
      parts.forEach(receive);
    } catch {
      output.destroy();
    }
  });
  for (const stream of [input, output]) stream.on('error', () => undefined);
  output.once('end', closed.resolve);
  void call('Target.setDiscoverTargets', { discover: true });
  return {
    opened: opened.promise,
    closed: closed.promise,
    async focus() {
      const targetId = [...pages].at(-1);
      return targetId !== undefined && call('Target.activateTarget', { targetId });
    },
    async closeBrowser() {
      await call('Browser.close');
    },
  };
}
