import { createStore } from 'zustand/vanilla';
import * as z from 'zod';
import { AppError } from '../../../../../src/shared/errors/errors.ts';
import { defineTabKind } from '../../../../../src/renderer/features/tabs/tab-kind.ts';
import { createTabs, type TabsFollower } from '../../../../../src/renderer/features/tabs/tabs.ts';

/** A note of a text: a kind of tab of the tests alone. */
export function createNote(text: string, onClose: (text: string) => void = () => undefined) {
  const store = createStore(() => ({
    text,
    isVisible: false,
    times: 'utc',
    isUnsent: false,
    isPristine: false,
    selections: 0,
  }));
  return {
    store,
    actions: {
      type: (typed: string) => store.setState({ text: typed }),
      close: () => onClose(store.getState().text),
    },
  };
}
/** Whether notes can’t be loaded now. */
export const outage = { isOn: false };
export type Note = ReturnType<typeof createNote>;

export const noteKind = defineTabKind({
  kind: 'note',
  schema: z.object({ text: z.string(), isUnsent: z.boolean().default(false) }),
  restore({ text }): Note {
    if (outage.isOn) throw new AppError('timed_out', { service: 'data', host: 'h', afterMs: 1 });
    if (text === 'gone') throw new AppError('not_found', { service: 'data', what: text });
    return createNote(text);
  },
  serialize({ store }) {
    const { text, isUnsent } = store.getState();
    return { text, ...(isUnsent ? { isUnsent } : {}) };
  },
  stores: ({ store }) => [store],
  // The command of the table that it has: it empties the note.
  commands: ({ actions, store }) => ({
    run: () => (store.getState().text === '' ? null : () => actions.type('')),
  }),
  View: ({ tab }) => <p>{tab.store.getState().text}</p>,
  helpPage: 'README.md',
  setVisible: ({ store }, isVisible) => store.setState({ isVisible }),
  onWellsSelected: ({ store }) => store.setState(({ selections }) => ({ selections: selections + 1 })),
  showTimes: ({ store }, times) => store.setState({ times }),
  isPristine: ({ store }) => store.getState().isPristine,
  losesWorkOnClose: ({ isUnsent }) => isUnsent,
  runsHidden: ({ text }) => text === 'watch',
  hasUnsavedWork: ({ store }) => store.getState().text === 'running',
});

/** Tabs without a session. */
export const tabsAlone = (follower: Partial<TabsFollower> = {}) =>
  createTabs({
    current: (wells) => wells,
    onWells: () => undefined,
    losesWorkOnClose: noteKind.losesWorkOnClose,
    ...follower,
  });
