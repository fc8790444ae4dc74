import { AppError } from '../../../shared/errors.ts';
import type { JsonValue } from '../../../shared/json.ts';
import type { Table } from './table.ts';

/** What the window asks of the parsing thread. A page is known by the id of the request that brought it. */
export type ParserRequest =
  | { readonly ask: 'parse'; readonly id: number; readonly text: string }
  | { readonly ask: 'record'; readonly id: number; readonly page: number; readonly row: number }
  | { readonly ask: 'release'; readonly page: number };

export type ParserAnswer =
  | { readonly id: number; readonly table: Table }
  | { readonly id: number; readonly record: JsonValue }
  | { readonly id: number; readonly problem: string };

/** A page of records, parsed; the records themselves stay with the parsing thread. */
export interface ParsedPage {
  readonly table: Table;
  /** One record, whole. @throws AppError */
  readonly record: (row: number) => Promise<JsonValue>;
  /** Lets the records go. */
  readonly release: () => void;
}

export interface Parser {
  /** Parses the JSON text of an array of records, off this thread. @throws AppError */
  readonly parse: (text: string) => Promise<ParsedPage>;
}

/** What is needed of a worker. */
export interface ParsingThread {
  postMessage(request: ParserRequest, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ParserAnswer>) => void): void;
  addEventListener(type: 'error', listener: (event: { readonly message?: string }) => void): void;
}

/** A parser on a thread that is started at the first need. */
export function createParser(start: () => ParsingThread): Parser {
  let thread: ParsingThread | null = null;
  let lastId = 0;
  const waiting = new Map<number, (answer: ParserAnswer) => void>();

  const started = () => {
    if (thread) return thread;
    thread = start();
    thread.addEventListener('message', ({ data }) => {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    });
    // A thread that dies, as for want of memory, answers nobody: they are told, and the next need starts a new one.
    thread.addEventListener('error', ({ message = 'the parsing thread ended' }) => {
      thread = null;
      for (const [id, tell] of waiting) tell({ id, problem: message });
      waiting.clear();
    });
    return thread;
  };
  const ask = (request: (id: number) => ParserRequest) =>
    new Promise<ParserAnswer>((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      started().postMessage(request(lastId), []);
    });
  const problem = (answer: ParserAnswer) =>
    new AppError('internal', {
      problem: 'problem' in answer ? answer.problem : 'the parsing thread mixed its answers',
    });

  return {
    async parse(text) {
      const answer = await ask((id) => ({ ask: 'parse', id, text }));
      if (!('table' in answer)) throw problem(answer);
      return {
        table: answer.table,
        async record(row) {
          const found = await ask((id) => ({ ask: 'record', id, page: answer.id, row }));
          if (!('record' in found)) throw problem(found);
          return found.record;
        },
        release: () => thread?.postMessage({ ask: 'release', page: answer.id }, []),
      };
    },
  };
}
