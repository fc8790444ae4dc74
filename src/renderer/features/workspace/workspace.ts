import { createStore } from 'zustand/vanilla';
import type * as z from 'zod';
import type { about, RetryNotice } from '../../../shared/workspace/workspace.ts';
import type { Api } from '../../api/api.ts';
import type { Feature } from '../../state/feature.ts';
import { follow } from '../../state/follow.ts';
import { addNotice, withoutExpired, type TimedNotice } from './notices.ts';

export interface WorkspaceState {
  readonly version: string;
  /** How files are chosen here, and where results end up. */
  readonly files: z.infer<typeof about>['files'];
  /** Requests that wait for another try. */
  readonly notices: readonly TimedNotice[];
}

export interface WorkspaceActions {
  /** Asks what this application is. */
  readonly load: () => Promise<void>;
  /** Listens to notices until the signal aborts. */
  readonly follow: (signal: AbortSignal) => Promise<void>;
  /** What whoever helps wants to know, as text. @throws AppError */
  readonly diagnostics: () => Promise<string>;
}

export type Workspace = Feature<WorkspaceState, WorkspaceActions>;

export interface WorkspaceNeeds {
  readonly api: { readonly workspace: Api['workspace']; readonly events: Pick<Api['events'], 'notices'> };
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly after: (ms: number, act: () => void) => void;
}

const defaults: WorkspaceState = { version: '', files: 'stream', notices: [] };

/** What belongs to the whole window: what it is part of, and what is said about requests under way. */
export function createWorkspace({ api, now, after }: WorkspaceNeeds): Workspace {
  const store = createStore<WorkspaceState>()(() => defaults);

  const hear = (notice: RetryNotice) => {
    store.setState(({ notices }) => ({ notices: addNotice(notices, notice, now()) }));
    after(notice.nextTryMs + 50, () =>
      store.setState(({ notices }) => ({ notices: withoutExpired(notices, now()) })),
    );
  };
  const actions: WorkspaceActions = {
    async load() {
      // Without it the window works as well, as in a browser.
      const about = await api.workspace.about({}).catch(() => null);
      if (about) store.setState({ version: about.version, files: about.files });
    },
    follow: (signal) => follow(() => api.events.notices({}, { signal }), hear, { signal }),
    diagnostics: async () => (await api.workspace.diagnostics({})).text,
  };
  return { store, actions };
}

declare module '../../state/contexts.ts' {
  interface App {
    readonly workspace: Workspace;
  }
}
