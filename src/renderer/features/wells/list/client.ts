import type { LongCatalogueEvent } from '../../../../shared/catalogue/catalogue.ts';
import { AppError } from '../../../../shared/errors/errors.ts';
import type { Well } from '../../../../shared/wells/wells.ts';
import type { ScopedWell } from '../scope.ts';
import { createFoundWells, type FoundWells } from './found-wells.ts';
import {
  answers,
  type ListName,
  type Mentions,
  type Released,
  type RowSpan,
  type Seen,
  type WellAnswer,
  type WellCall,
  type WellRequest,
  type WellValues,
} from './protocol.ts';
import type { WellKey, WellQuestion } from './well-index.ts';

/** What is needed of a worker. */
export interface ThreadOfWells {
  postMessage(request: WellRequest, transfer: Transferable[]): void;
  terminate(): void;
  addEventListener(type: 'message', listener: (event: { readonly data: WellAnswer }) => void): void;
  addEventListener(type: 'error', listener: (event: { readonly message?: string }) => void): void;
}

/**
 * The wells of a connection, which are held, searched and sorted off the window's own thread: it gets those that it
 * shows. Look-ups are among all wells that are listed by then. Each of them throws an AppError when the thread is gone.
 */
export interface WellThread {
  /** A list comes in anew; what is listed stays until the new one is whole. */
  readonly begin: (list: ListName) => void;
  readonly hear: (list: ListName, event: LongCatalogueEvent) => void;
  /** No more of a list comes. */
  readonly end: (list: ListName) => void;
  readonly empty: (list: ListName) => void;
  readonly look: (list: ListName) => Promise<Seen>;
  /** `around`: rows that are in view, which come along. */
  readonly find: (list: ListName, question: WellQuestion, around: RowSpan) => Promise<FoundWells>;
  readonly wells: (by: WellKey, ids: readonly number[]) => Promise<Well[]>;
  /** The first ones by name in which every word of a text is found. */
  readonly search: (text: string, most: number) => Promise<Well[]>;
  /** Those that a misspelt name may mean. */
  readonly likely: (name: string) => Promise<ScopedWell[]>;
  readonly mentioned: (mentions: Mentions) => Promise<Well[]>;
  /** Tells a listener each time the thread ends by itself and takes the wells along. */
  readonly onLost: (listener: (error: AppError) => void) => void;
  /** Lets the thread go, and the wells. */
  readonly close: () => void;
}

/** A thread that is started at the first need. One that dies takes the wells along: they have to be loaded again. */
export function createWellThread(start: () => ThreadOfWells): WellThread {
  let thread: ThreadOfWells | null = null;
  /** Why there are no wells to ask about until they are loaded again. */
  let lost: string | null = null;
  let lastId = 0;
  const waiting = new Map<number, (answer: WellAnswer) => void>();
  let tellLost: (error: AppError) => void = () => undefined;

  const tellAll = (problem: string) => {
    for (const [id, tell] of waiting) tell({ id, problem });
    waiting.clear();
  };
  const started = (): ThreadOfWells => {
    if (thread) return thread;
    const made = start();
    thread = made;
    made.addEventListener('message', ({ data }) => {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    });
    made.addEventListener('error', ({ message = 'the thread of the wells ended' }) => {
      if (thread !== made) return;
      made.terminate();
      thread = null;
      lost = message;
      tellAll(message);
      tellLost(new AppError('internal', { problem: message }));
    });
    return made;
  };
  const tell = (request: WellRequest) => {
    if (lost === null) started().postMessage(request, []);
  };

  async function ask<C extends WellCall['ask']>(
    name: C,
    call: Extract<WellCall, { ask: C }>,
    id = (lastId += 1),
  ): Promise<WellValues[C]> {
    if (lost !== null) throw new AppError('internal', { problem: lost });
    const answer = await new Promise<WellAnswer>((resolve) => {
      waiting.set(id, resolve);
      started().postMessage({ ...call, id }, []);
    });
    if ('problem' in answer) throw new AppError('internal', { problem: answer.problem });
    if (!answers(answer, name)) throw new AppError('internal', { problem: 'answers were mixed up' });
    return answer.value;
  }

  return {
    begin(list) {
      lost = null;
      tell({ tell: 'begin', list });
    },
    hear: (list, event) => tell({ tell: 'hear', list, event }),
    end: (list) => tell({ tell: 'end', list }),
    empty: (list) => tell({ tell: 'empty', list }),
    look: (list) => ask('look', { ask: 'look', list }),
    async find(list, question, around) {
      let found = 0;
      const find = () => ask('find', { ask: 'find', list, question, around }, (found = lastId += 1));
      const head = await find();
      /** Finds again what the thread has released meanwhile, in favor of other results. */
      const fromResult = async <T>(call: () => Promise<T | Released>): Promise<T> => {
        for (;;) {
          const value = await call();
          if (value !== 'released') return value;
          await find();
        }
      };
      return createFoundWells(head, {
        rows: (span) => fromResult(() => ask('rows', { ask: 'rows', found, span })),
        locate: (text, from) => fromResult(() => ask('locate', { ask: 'locate', found, text, from })),
      });
    },
    wells: (by, ids) => ask('wells', { ask: 'wells', by, ids }),
    search: (text, most) => ask('search', { ask: 'search', text, most }),
    likely: (name) => ask('likely', { ask: 'likely', name }),
    mentioned: (mentions) => ask('mentioned', { ask: 'mentioned', mentions }),
    onLost: (listener) => void (tellLost = listener),
    close() {
      thread?.terminate();
      thread = null;
      lost = 'the wells are gone';
      tellAll(lost);
    },
  };
}
