import { AppError } from '../../../shared/errors.ts';
import type { Well } from '../../../shared/wells.ts';
import type { WellQuestion } from './well-index.ts';

/** What the window asks of the thread that searches. Wells cross as JSON text, which costs least by far. */
export type FinderRequest =
  | { readonly ask: 'reset' }
  | { readonly ask: 'add'; readonly text: string }
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
  /** Adds wells at the end. `text`: their JSON, where it is at hand. */
  readonly add: (wells: readonly Well[], text?: string) => void;
  /** Begins again with these wells. */
  readonly replace: (wells: readonly Well[]) => void;
  /** The wells that are asked for, among those there are by then. @throws AppError */
  readonly find: (question: WellQuestion) => Promise<Well[]>;
  /** Lets the thread go, and the wells. */
  readonly close: () => void;
}

/** As many wells go over at a time: writing more of them as text would hold up the window. */
const portion = 1000;

/** A finder on a thread that is started at the first need. */
export function createFinder(start: () => FindingThread): Finder {
  let thread: FindingThread | null = null;
  let held: Well[] = [];
  /** Texts that came with the wells, by where these begin; they go when they have been sent. */
  let texts = new Map<number, { readonly count: number; readonly text: string }>();
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
  /** The next wells to go over, as text. */
  const next = (): { count: number; text: string } => {
    const known = texts.get(sent);
    texts.delete(sent);
    if (known) return known;
    const wells = held.slice(sent, sent + portion);
    return { count: wells.length, text: JSON.stringify(wells) };
  };
  /** Brings the thread up to what is held, a portion at a time. */
  const send = async (): Promise<void> => {
    await Promise.resolve();
    while (sent < held.length) {
      const to = started();
      const { count, text } = next();
      to.postMessage({ ask: 'add', text }, []);
      sent += count;
      if (sent < held.length) await new Promise((resolve) => setTimeout(resolve));
    }
    sending = null;
  };
  const bringUp = (): Promise<void> => (sending ??= send());

  return {
    add(wells, text) {
      if (text !== undefined) texts.set(held.length, { count: wells.length, text });
      for (const well of wells) held.push(well);
      void bringUp();
    },
    replace(wells) {
      held = [...wells];
      texts = new Map();
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
      const found: Well[] = [];
      for (const position of answer.positions) {
        const well = among[position];
        if (well) found.push(well);
      }
      return found;
    },
    close() {
      thread?.terminate();
      thread = null;
      held = [];
      texts = new Map();
      sent = 0;
      for (const [id, tell] of waiting) tell({ id, problem: 'the wells are gone' });
      waiting.clear();
    },
  };
}
