import { serve, type ServedFunctions, type ThreadPort } from '../../../src/shared/threads.ts';
import type * as Real from '../../../src/main/world/threads.ts';
import { workerUrl, type WorkerName } from '../../../src/main/world/workers.ts';
import { Process } from './machine.ts';

// Takes the place of `src/main/world/threads.ts`: threads serve their calls in place, in the process that calls them.

/** Serves calls at a port. @returns what ends it, if anything has to */
type Creator = (port: ThreadPort) => (() => void) | undefined;

const creators = new Map<string, Creator>();
let loading: WorkerName | null = null;

/** Loads the code of threads; each tells what it serves. */
export async function loadThreads(names: readonly WorkerName[]): Promise<void> {
  for (const name of names) {
    loading = name;
    await import(workerUrl(name).href);
  }
  loading = null;
}

/** What serves the calls of a process, in place of its entry file. */
export function setProcess(name: WorkerName, creator: Creator): void {
  creators.set(name, creator);
}

export const serveUses: typeof Real.serveUses = <C extends ServedFunctions<C> & { close?(): void }>(
  createCalls: () => C,
  toError: Parameters<typeof serve>[2],
): void => {
  if (loading === null) throw new Error('a thread was loaded as a module');
  creators.set(loading, (port) => {
    serve<C>(port, createCalls(), toError);
    return undefined;
  });
};

type Listener = Parameters<ThreadPort['onMessage']>[0];

/** Two ends of a channel: messages are copied, and arrive a moment later. */
function channel(): [ThreadPort, ThreadPort] {
  const listeners: [Listener | null, Listener | null] = [null, null];
  let isOpen = true;
  const end = (own: 0 | 1): ThreadPort => ({
    send(message, transfer) {
      const { world } = Process.caller().computer;
      const copied: Parameters<Listener>[0] = structuredClone(message as never, { transfer: [...transfer] });
      world.after(world.chance.next() * 0.1, () => {
        if (isOpen) listeners[own === 0 ? 1 : 0]?.(copied);
      });
    },
    onMessage: (listener) => void (listeners[own] = listener),
    onEnd: () => undefined,
    close: () => void (isOpen = false),
  });
  return [end(0), end(1)];
}

function openPort(name: string): ThreadPort {
  const creator = creators.get(name);
  if (!creator) throw new Error(`the thread ${name} is not loaded`);
  const [ours, theirs] = channel();
  const end = creator(theirs);
  return {
    ...ours,
    close() {
      ours.close();
      end?.();
    },
  };
}

export const threadPort: typeof Real.threadPort = (name) => openPort(name);

export const startProcess: typeof Real.startProcess = (name) => ({
  ...openPort(name),
  setReferenced: () => undefined,
});

export const systemVariables: typeof Real.systemVariables = () => ({});

export function Worker(): never {
  throw new Error('the sample workspace is not simulated');
}
