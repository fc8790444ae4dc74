import { createStore } from 'zustand/vanilla';
import { fromBody, toAppError, type AppError } from '../../../shared/errors/errors.ts';
import type { Opened as OpenedThing } from '../../../shared/files/opened.ts';
import type { SharedQueries } from '../../../shared/saved/saved-file.ts';
import type { SharedQuery } from '../../../shared/saved/saved.ts';
import type { Api } from '../../api/api.ts';
import { followStream } from '../../state/follow-stream.ts';

/** One thing that was opened from outside, until the person is done with it. */
export type Thing = { readonly key: number } & (
  | {
      readonly kind: 'queries';
      readonly file: string | null;
      readonly content: SharedQueries;
      readonly kept: boolean;
    }
  | { readonly kind: 'problem'; readonly error: AppError }
);

export interface OpenedState {
  readonly things: readonly Thing[];
}

export interface OpenedNeeds {
  readonly api: { readonly events: Pick<Api['events'], 'opened'> };
  /** Puts a query into a tab of the connection in view, without running it. @throws AppError */
  readonly open: (query: SharedQuery) => Promise<void>;
  /** Adds queries to the saved ones; conflicts are asked about there. */
  readonly keep: (queries: SharedQueries) => Promise<void>;
  /** Shows the settings, which the menu was asked for. */
  readonly showSettings: () => void;
}

/**
 * Files and links that the person opened outside the window. They are shown, and wait: nothing that comes from outside
 * is run, saved or sent by itself.
 */
export function createOpened({ api, open, keep, showSettings }: OpenedNeeds) {
  const store = createStore<OpenedState>()(() => ({ things: [] }));
  let last = 0;
  // What came last is what the person waits for.
  const put = (thing: Thing): void => store.setState(({ things }) => ({ things: [thing, ...things] }));
  const tell = (error: AppError): void => put({ key: (last += 1), kind: 'problem', error });
  const show = (thing: OpenedThing): void => {
    if (thing.kind === 'queries') put({ key: (last += 1), ...thing, kept: false });
    else if (thing.kind === 'settings') showSettings();
    else tell(fromBody(thing.error));
  };
  const actions = {
    /** Listens to what is opened from outside, until the signal aborts. */
    follow: (signal: AbortSignal) => followStream(() => api.events.opened({}, { signal }), show, { signal }),
    /** Puts a query of a thing into a tab, without running it; a thing of one query has done its work then. */
    async open(query: SharedQuery, of: Thing) {
      try {
        await open(query);
        if (of.kind === 'queries' && of.content.queries.length === 1) actions.close(of.key);
      } catch (error) {
        tell(toAppError(error));
      }
    },
    /** Adds all queries of a thing to the saved ones. */
    async keep(thing: Thing) {
      if (thing.kind !== 'queries') return;
      await keep(thing.content);
      store.setState(({ things }) => ({
        things: things.map((one) => (one.key === thing.key ? { ...thing, kept: true } : one)),
      }));
    },
    close: (key: number) =>
      store.setState(({ things }) => ({ things: things.filter((one) => one.key !== key) })),
  };
  return { store, actions };
}

export type OpenedFeature = ReturnType<typeof createOpened>;

/** What a query asks, as it was typed. */
export function textOf({ question }: SharedQuery): string {
  const { mode, find, aggregate, pipeline } = question;
  const parts: readonly string[] =
    mode === 'find'
      ? [find.query, find.sort, find.fields]
      : mode === 'aggregate'
        ? [aggregate.match, aggregate.group, aggregate.project, aggregate.sort]
        : [pipeline.stages];
  return parts.filter((part) => part.trim() !== '').join('\n');
}

declare module '../../state/contexts.ts' {
  interface App {
    readonly opened: OpenedFeature;
  }
}
