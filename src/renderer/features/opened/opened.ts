import { createStore } from 'zustand/vanilla';
import { fromBody, toAppError, type AppError } from '../../../shared/errors/errors.ts';
import type { Opened } from '../../../shared/contract/events.ts';
import type { GrantedFile } from '../../../shared/files/files.ts';
import type { SharedQueries } from '../../../shared/saved/sharing.ts';
import type { SharedQuery } from '../../../shared/saved/saved.ts';
import type { Api } from '../../api/api.ts';
import { followStream } from '../../state/follow-stream.ts';

/** A file or link from outside, until the user dismisses it. */
export type OpenedItem = { readonly key: number } & (
  | {
      readonly kind: 'queries';
      readonly file: string | null;
      readonly content: SharedQueries;
      /** Null: not tried. */
      readonly kept: boolean | null;
    }
  | { readonly kind: 'rows'; readonly file: GrantedFile }
  | { readonly kind: 'problem'; readonly error: AppError }
);

export interface OpenedDependencies {
  readonly api: { readonly events: Pick<Api['events'], 'opened'> };
  /** Opens a query in a tab without running it. @throws AppError */
  readonly open: (query: SharedQuery) => Promise<void>;
  /** Opens an upload of a file without sending it. @returns whether an open connection accepts files */
  readonly openRows: (file: GrantedFile) => boolean;
  /** Adds queries to the saved ones, which ask about conflicts. @returns whether they could */
  readonly saveQueries: (queries: SharedQueries) => Promise<boolean>;
  readonly showSettings: () => void;
}

/** Nothing from outside the window runs, is saved, or is sent by itself: files and links are only shown. */
export function createOpened({ api, open, openRows, saveQueries, showSettings }: OpenedDependencies) {
  const store = createStore<{ items: readonly OpenedItem[] }>()(() => ({ items: [] }));
  let last = 0;
  // The last one is shown first.
  const put = (item: OpenedItem): void => store.setState(({ items }) => ({ items: [item, ...items] }));
  const notify = (error: AppError): void => put({ key: (last += 1), kind: 'problem', error });
  const show = (opened: Opened): void => {
    if (opened.kind === 'queries') put({ key: (last += 1), ...opened, kept: null });
    else if (opened.kind === 'settings') showSettings();
    else if (opened.kind === 'rows') {
      if (!openRows(opened.file)) put({ key: (last += 1), ...opened });
    } else notify(fromBody(opened.error));
  };
  const actions = {
    /** Collects opened files and links until the signal aborts. */
    follow: (signal: AbortSignal) => followStream(() => api.events.opened({}, { signal }), show, { signal }),
    /** Opens a query in a tab. An item with a single query is then dismissed. */
    async open(query: SharedQuery, of: OpenedItem) {
      try {
        await open(query);
        if (of.kind === 'queries' && of.content.queries.length === 1) actions.close(of.key);
      } catch (error) {
        notify(toAppError(error));
      }
    },
    /** Opens an upload of a file that waited for a connection. */
    openRows({ file, key }: Extract<OpenedItem, { kind: 'rows' }>) {
      if (openRows(file)) actions.close(key);
    },
    /** Adds all queries of an item to the saved ones. */
    async keep(opened: OpenedItem) {
      if (opened.kind !== 'queries') return;
      const kept = await saveQueries(opened.content);
      store.setState(({ items }) => ({
        items: items.map((item) => (item.key === opened.key ? { ...opened, kept } : item)),
      }));
    },
    close: (key: number) =>
      store.setState(({ items }) => ({ items: items.filter((item) => item.key !== key) })),
  };
  return { store, actions };
}

export type OpenedFeature = ReturnType<typeof createOpened>;

export function textOf({ question }: SharedQuery): string {
  const { mode, find, aggregate, pipeline, sql } = question;
  const parts = {
    find: [find.query, find.sort, find.fields],
    aggregate: [aggregate.match, aggregate.group, aggregate.project, aggregate.sort],
    pipeline: [pipeline.stages],
    sql: [sql.statement],
  }[mode];
  return parts.filter((part) => part.trim() !== '').join('\n');
}
