import { createStore } from 'zustand/vanilla';
import type * as z from 'zod';
import type { Notice } from '../../../shared/workspace/workspace.ts';
import type { about } from '../../../shared/contract/workspace.ts';
import type { Api } from '../../api/api.ts';
import { followStream } from '../../state/follow-stream.ts';

export interface WorkspaceState extends Pick<z.infer<typeof about>, 'version' | 'files' | 'endsWithWindow'> {
  /** Requests that will be retried, lists with entries that couldn't be read, and wrong clocks. */
  readonly notices: readonly TimedNotice[];
}

export interface WorkspaceDependencies {
  readonly api: { readonly workspace: Api['workspace']; readonly events: Pick<Api['events'], 'notices'> };
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly after: (ms: number, act: () => void) => void;
}

/** The delay before facts that couldn't be loaded are requested again, in milliseconds. */
const retryMs = 2000;

const defaults: WorkspaceState = { version: '', files: 'stream', endsWithWindow: false, notices: [] };

/** Facts about the application, and notices of its services. */
export function createWorkspace({ api, now, after }: WorkspaceDependencies) {
  const store = createStore<WorkspaceState>()(() => defaults);

  const onNotice = (notice: Notice) => {
    store.setState(({ notices }) => ({ notices: addNotice(notices, notice, now()) }));
    after(durationOf(notice) + 50, () =>
      store.setState(({ notices }) => ({ notices: withoutExpired(notices, now()) })),
    );
  };
  const actions = {
    async load() {
      // The window works without them, and they decide where files are saved.
      const about = await api.workspace.about({}).catch(() => null);
      if (about) {
        const { version, files, endsWithWindow } = about;
        store.setState({ version, files, endsWithWindow });
      } else after(retryMs, () => void actions.load());
    },
    follow: (signal: AbortSignal) =>
      followStream(() => api.events.notices({}, { signal }), onNotice, { signal }),
    /** Diagnostics as text. @throws AppError */
    diagnostics: async () => (await api.workspace.diagnostics({})).text,
  };
  return { store, actions };
}

export type Workspace = ReturnType<typeof createWorkspace>;

export interface TimedNotice {
  readonly notice: Notice;
  /** When it ends, at the next retry: Unix milliseconds. */
  readonly at: number;
}

/** How long a list with unreadable entries is reported, in milliseconds. */
const skippedMs = 30_000;

/** How long a difference between clocks is reported, in milliseconds. */
const clockMs = 600_000;

const durationOf = (notice: Notice): number =>
  notice.kind === 'retry' ? notice.nextTryMs : notice.kind === 'clock' ? clockMs : skippedMs;

/** The notices with a new one, which replaces that of the same kind, service, and host. */
export function addNotice(notices: readonly TimedNotice[], notice: Notice, now: number): TimedNotice[] {
  const otherNotices = withoutExpired(notices, now).filter(
    ({ notice: { kind, service, host } }) =>
      kind !== notice.kind || service !== notice.service || host !== notice.host,
  );
  return [...otherNotices, { notice, at: now + durationOf(notice) }];
}

export function withoutExpired(notices: readonly TimedNotice[], now: number): TimedNotice[] {
  return notices.filter(({ at }) => at > now);
}

/** The seconds until the next retry, rounded up; at least 0. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(Math.ceil((at - now) / 1000), 0);
}
