import { AppError } from '../../../shared/errors.ts';
import type { Well } from '../../../shared/wells.ts';
import type { WellQuestion } from './well-index.ts';

/** What the window asks of the thread that searches. */
export type FinderRequest =
  | { readonly ask: 'reset' }
  | { readonly ask: 'add'; readonly wells: readonly Well[] }
  | { readonly ask: 'find'; readonly id: number; readonly question: WellQuestion };

export type FinderAnswer =
  | { readonly id: number; readonly positions: Uint32Array }
  | { readonly id: number; readonly problem: string };

/** What is needed of a worker. */
export interface FindingThread {
  postMessage(request: FinderRequest, transfer: Transferable[]): void;
  terminate(): void;
  addEventListener(type: 'message', listener: (event: { readonly data: FinderAnswer }) => void): void;
  addEventListener(type: 'error', listener: (event: { readonly message?: string }) => void): void;
}

/** Searches and sorts wells off the window's own thread. */
export interface Finder {
  /** Adds wells at the end. */
  readonly add: (wells: readonly Well[]) => void;
  /** Begins again with these wells. */
  readonly replace: (wells: readonly Well[]) => void;
  /** The wells that are asked for, among those there are by then. @throws AppError */
  readonly find: (question: WellQuestion) => Promise<Well[]>;
  /** Lets the thread go, and the wells. */
  readonly close: () => void;
}

/** As many wells go over at a time: copying more would hold up the window. */
const portion = 1000;

/** A finder on a thread that is started at the first need. */
export function createFinder(start: () => FindingThread): Finder {
  let thread: FindingThread | null = null;
  let held: Well[] = [];
  let sent = 0;
  let lastId = 0;
  let sending: Promise<void> | null = null;
  const waiting = new Map<number, (answer: FinderAnswer) => void>();

  const started = (): FindingThread => {
    if (thread) return thread;
    const made = start();
    thread = made;
    sent = 0;
    made.addEventListener('message', ({ data }) => {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    });
    // A thread that dies answers nobody: they are told, and the next need starts a new one with all wells.
    made.addEventListener('error', ({ message = 'the searching thread ended' }) => {
      if (thread === made) thread = null;
      for (const [id, tell] of waiting) tell({ id, problem: message });
      waiting.clear();
    });
    return made;
  };
  /** Brings the thread up to what is held, a portion at a time. */
  const send = async (): Promise<void> => {
    await Promise.resolve();
    while (sent < held.length) {
      const wells = held.slice(sent, sent + portion);
      started().postMessage({ ask: 'add', wells }, []);
      sent += wells.length;
      if (sent < held.length) await new Promise((resolve) => setTimeout(resolve));
    }
    sending = null;
  };
  const bringUp = (): Promise<void> => (sending ??= send());

  return {
    add(wells) {
      held = [...held, ...wells];
      void bringUp();
    },
    replace(wells) {
      held = [...wells];
      sent = 0;
      thread?.postMessage({ ask: 'reset' }, []);
      void bringUp();
    },
    async find(question) {
      started();
      while (sent < held.length) await bringUp();
      const among = held;
      const answer = await new Promise<FinderAnswer>((resolve) => {
        lastId += 1;
        waiting.set(lastId, resolve);
        started().postMessage({ ask: 'find', id: lastId, question }, []);
      });
      if ('problem' in answer) throw new AppError('internal', { problem: answer.problem });
      return Array.from(answer.positions, (position) => among[position]).filter((well) => well !== undefined);
    },
    close() {
      thread?.terminate();
      thread = null;
      held = [];
      sent = 0;
      for (const [id, tell] of waiting) tell({ id, problem: 'the wells are gone' });
      waiting.clear();
    },
  };
}
