import { createStore } from 'zustand/vanilla';
import type { App } from '../../../../src/main/app.ts';
import { sourceAt } from '../../../../src/main/core/files/files.ts';
import { tabKinds } from '../../../../src/renderer/app/tab-kinds.ts';
import { createSession } from '../../../../src/renderer/app/session.ts';
import type { Session, SessionApp } from '../../../../src/renderer/contexts.ts';
import {
  createConnections,
  type SessionsState,
} from '../../../../src/renderer/features/connections/connections.ts';
import { createFieldCatalogue } from '../../../../src/renderer/features/datasets/field-catalogue.ts';
import { createJobs } from '../../../../src/renderer/features/jobs/jobs.ts';
import { createSettings } from '../../../../src/renderer/features/settings/settings.ts';
import { createSidebar } from '../../../../src/renderer/features/sidebar/sidebar.ts';
import { createUploadQueue } from '../../../../src/renderer/features/upload/queue/upload-queue.ts';

/** What sessions need of a window. Queries can't be run, and files are transferred by their names as paths. */
export function sessionApp({ client: api, files }: App): SessionApp {
  const look = { theme: 'system', motion: 'system' } as const;
  const settings = createSettings({ api, memory: { recall: () => look, remember: () => undefined } });
  const last = { read: () => null, write: () => undefined, forget: () => undefined };
  const recent = { use: () => undefined, sort: <T>(list: readonly T[]) => [...list] };
  const sidebar = createSidebar();
  return {
    api,
    settings,
    records: {
      open: () => Promise.reject(new Error('nothing is run in this test')),
      live: async () => undefined,
      warm: () => undefined,
    },
    fields: createFieldCatalogue(api),
    jobs: createJobs(api, () => undefined),
    queue: createUploadQueue(),
    // No element takes the focus.
    sidebar: { ...sidebar, actions: { ...sidebar.actions, focus: sidebar.actions.select } },
    connections: createConnections(api, last, recent),
    sessions: createStore<SessionsState>()(() => ({ open: new Map(), current: null })),
    transferFile: ({ name }) => files.grantSource(sourceAt(name)),
  };
}

/**
 * Sessions of one window on one connection, one after the other.
 * @param windowMemory what the window remembers: the id of its stored tabs, once it holds them
 */
export function sessionsOf(
  app: SessionApp,
  connection: string,
  kinds = tabKinds,
  windowMemory = rememberedSet(),
): () => Session {
  return () =>
    createSession(app, kinds, {
      connection,
      windowMemory,
    });
}

/** The memory of a new window. */
export function rememberedSet() {
  let remembered: string | null = null;
  return { recall: () => remembered, remember: (set: string) => void (remembered = set) };
}
