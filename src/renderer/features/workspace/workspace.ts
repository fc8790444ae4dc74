import { createStore } from 'zustand/vanilla';
import type * as z from 'zod';
import type { about, RetryNotice, Theme } from '../../../shared/workspace.ts';
import type { Api } from '../../api/api.ts';
import type { Feature } from '../../state/context.tsx';
import { follow } from '../../state/follow.ts';
import { addNotice, withoutExpired, type TimedNotice } from './notices.ts';

export interface WorkspaceState {
  readonly theme: Theme;
  readonly version: string;
  /** How files are chosen here, and where results end up. */
  readonly files: z.infer<typeof about>['files'];
  /** Requests that wait for another try. */
  readonly notices: readonly TimedNotice[];
}

export interface WorkspaceActions {
  /** Loads what the person has set, and what this application is. */
  readonly load: () => Promise<void>;
  /** Listens to notices until the signal aborts. */
  readonly follow: (signal: AbortSignal) => Promise<void>;
  /** What whoever helps wants to know, as text. @throws AppError */
  readonly diagnostics: () => Promise<string>;
  readonly changeTheme: (theme: Theme) => Promise<void>;
}

export type Workspace = Feature<WorkspaceState, WorkspaceActions>;

export interface WorkspaceNeeds {
  readonly api: { readonly workspace: Api['workspace']; readonly events: Pick<Api['events'], 'notices'> };
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly after: (ms: number, act: () => void) => void;
}

const defaults: WorkspaceState = { theme: 'system', version: '', files: 'stream', notices: [] };

/** What belongs to the whole window: its settings and what is said about requests under way. */
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
      // Without them the window works as well, with the defaults.
      const [settings, about] = await Promise.allSettled([
        api.workspace.settings({}),
        api.workspace.about({}),
      ]);
      if (settings.status === 'fulfilled') store.setState({ theme: settings.value.theme });
      if (about.status === 'fulfilled')
        store.setState({ version: about.value.version, files: about.value.files });
    },
    follow: (signal) => follow(() => api.events.notices({}, { signal }), hear, { signal }),
    diagnostics: async () => (await api.workspace.diagnostics({})).text,
    async changeTheme(theme) {
      store.setState({ theme });
      // A theme that could not be kept still holds for this window.
      await api.workspace.change({ theme }).catch(() => undefined);
    },
  };
  return { store, actions };
}
