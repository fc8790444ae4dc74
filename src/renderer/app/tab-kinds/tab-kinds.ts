import { AppError } from '../../../shared/errors/errors.ts';
import { longestTitle, type KeptTab } from '../../../shared/tabs/tabs.ts';
import { titleOf } from '../tab-title.ts';
import type { Tab, TabContent } from '../tabs.ts';
import type { Waking } from './asleep.ts';
import type { TabKind } from './kind.ts';

/** Every kind of tab but the one that waits to become one of them. */
export type TabKinds = {
  readonly [Kind in Exclude<TabContent['kind'], 'asleep'>]: TabKind<Extract<TabContent, { kind: Kind }>>;
};

/** A tab as it is kept; null: there is nothing to keep of it. */
export function keepTab(kinds: TabKinds, tab: Tab): KeptTab | null {
  const { id, name } = tab;
  if (tab.kind === 'asleep') return { ...tab.model.kept, id, name };
  const state = stateOf(kinds, tab);
  // An upload is called by its file, also while it is not looked at again.
  const title = titleOf({ ...tab, name: null }).slice(0, longestTitle);
  return state && { id, kind: tab.kind, title, name, scope: [...tab.scope], state };
}

function stateOf(kinds: TabKinds, tab: Exclude<Tab, { kind: 'asleep' }>): object | null {
  switch (tab.kind) {
    case 'query':
      return kinds.query.keep(tab.model);
    case 'dataset':
      return kinds.dataset.keep(tab.model);
    case 'upload':
      return kinds.upload.keep(tab.model);
    case 'live':
      return kinds.live.keep(tab.model);
    case 'browse':
      return kinds.browse.keep(tab.model);
  }
}

/** Calls back whenever {@link keepTab} may say something else. */
export function watchTab(kinds: TabKinds, tab: Tab, changed: () => void): () => void {
  switch (tab.kind) {
    case 'asleep':
      return () => undefined;
    case 'query':
      return kinds.query.watch(tab.model, changed);
    case 'dataset':
      return kinds.dataset.watch(tab.model, changed);
    case 'upload':
      return kinds.upload.watch(tab.model, changed);
    case 'live':
      return kinds.live.watch(tab.model, changed);
    case 'browse':
      return kinds.browse.watch(tab.model, changed);
  }
}

/** What a kept tab was, or why it can't be had back. */
export async function restoreTab(kinds: TabKinds, kept: KeptTab): Promise<TabContent | Waking> {
  const kind = Object.entries(kinds).find(([name]) => name === kept.kind)?.[1];
  if (!kind) return { face: 'unknown' };
  try {
    return await kind.restore(kept.state, kept);
  } catch (error) {
    return error instanceof AppError ? { face: 'failed', error } : { face: 'unreadable' };
  }
}
