import type { ErrorCode } from '../shared/errors/errors.ts';
import { createContext, use } from 'react';
import { useStore, type ExtractState } from 'zustand';

/*
 * Each feature adds its part with `declare module`, so that app/ sees all of them and no feature imports
 * app/.
 */

/** Lives as long as the window. */
export interface App {
  /** Opens the guide at an error. */
  readonly explain: (code: ErrorCode) => void;
}

/** Belongs to one open connection. */
export interface Session {}

/** Parts that a tab may provide. */
export interface TabParts {}

export const AppContext = createContext<App | null>(null);
export const SessionContext = createContext<Session | null>(null);
export const TabContext = createContext<Partial<TabParts>>({});
/** The id of the tab that a component is in; null: none. */
export const TabIdContext = createContext<string | null>(null);

type KeysWithStore<T> = { [Key in keyof T]: T[Key] extends { store: unknown } ? Key : never }[keyof T];
type StateOf<T extends { store: unknown }> = ExtractState<T['store']>;

/** @throws Error outside the window */
export function useApp(): App {
  const app = use(AppContext);
  if (!app) throw new Error('no window is provided here');
  return app;
}

/** A part of a feature's state; the component renders again when it changes. */
export function useAppState<Key extends KeysWithStore<App>, Part>(
  key: Key,
  select: (state: StateOf<App[Key]>) => Part,
): Part {
  return useStore<App[Key]['store'], Part>(useApp()[key].store, select);
}

/** @throws Error where no connection is open */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('no open connection is provided here');
  return session;
}

/** A part of the state of an open connection's feature. */
export function useSessionState<Key extends KeysWithStore<Session>, Part>(
  key: Key,
  select: (state: StateOf<Session[Key]>) => Part,
): Part {
  return useStore<Session[Key]['store'], Part>(useSession()[key].store, select);
}

/** A part that the current tab provides. @throws Error outside such a tab */
export function useTab<Key extends keyof TabParts>(key: Key): NonNullable<Partial<TabParts>[Key]> {
  const part = use(TabContext)[key];
  if (part === undefined) throw new Error(`no ${key} is provided here`);
  return part;
}

/** A part of the state of what the current tab provides. */
export function useTabState<Key extends KeysWithStore<TabParts>, Part>(
  key: Key,
  select: (state: StateOf<TabParts[Key]>) => Part,
): Part {
  return useStore<TabParts[Key]['store'], Part>(useTab(key).store, select);
}
