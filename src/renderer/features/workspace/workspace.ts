import { createStore } from 'zustand/vanilla';
import type * as z from 'zod';
import type { about, RetryNotice } from '../../../shared/workspace/workspace.ts';
import type { Api } from '../../api/api.ts';
import { followStream } from '../../state/follow-stream.ts';

export interface WorkspaceState {
  readonly version: string;
  /** How files are chosen here, and where results end up. */
  readonly files: z.infer<typeof about>['files'];
  /** Requests that wait for another try. */
  readonly notices: readonly TimedNotice[];
}

export interface WorkspaceNeeds {
  readonly api: { readonly workspace: Api['workspace']; readonly events: Pick<Api['events'], 'notices'> };
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly after: (ms: number, act: () => void) => void;
}

const defaults: WorkspaceState = { version: '', files: 'stream', notices: [] };

/** What belongs to the whole window: what it is part of, and what is said about requests under way. */
export function createWorkspace({ api, now, after }: WorkspaceNeeds) {
  const store = createStore<WorkspaceState>()(() => defaults);

  const hear = (notice: RetryNotice) => {
    store.setState(({ notices }) => ({ notices: addNotice(notices, notice, now()) }));
    after(notice.nextTryMs + 50, () =>
      store.setState(({ notices }) => ({ notices: withoutExpired(notices, now()) })),
    );
  };
  const actions = {
    /** Asks what this application is. */
    async load() {
      // Without it the window works as well, as in a browser.
      const about = await api.workspace.about({}).catch(() => null);
      if (about) store.setState({ version: about.version, files: about.files });
    },
    /** Listens to notices until the signal aborts. */
    follow: (signal: AbortSignal) => followStream(() => api.events.notices({}, { signal }), hear, { signal }),
    /** What whoever helps wants to know, as text. @throws AppError */
    diagnostics: async () => (await api.workspace.diagnostics({})).text,
  };
  return { store, actions };
}

export type Workspace = ReturnType<typeof createWorkspace>;

declare module '../../state/contexts.ts' {
  interface App {
    readonly workspace: Workspace;
  }
}

export interface TimedNotice {
  readonly notice: RetryNotice;
  /** When the next try begins, in Unix milliseconds. */
  readonly at: number;
}

/** The notices with a newer one, which replaces that of the same service at the same host. */
export function addNotice(notices: readonly TimedNotice[], notice: RetryNotice, now: number): TimedNotice[] {
  const others = withoutExpired(notices, now).filter(
    ({ notice: { service, host } }) => service !== notice.service || host !== notice.host,
  );
  return [...others, { notice, at: now + notice.nextTryMs }];
}

/** The notices whose next try is still to come. */
export function withoutExpired(notices: readonly TimedNotice[], now: number): TimedNotice[] {
  return notices.filter(({ at }) => at > now);
}

/** Whole seconds until the next try, rounded up; never negative. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(Math.ceil((at - now) / 1000), 0);
}
