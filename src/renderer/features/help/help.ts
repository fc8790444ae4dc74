import { createStore } from 'zustand/vanilla';
import type { ErrorCode } from '../../../shared/errors/errors.ts';

/** A page of the guide, by file name, and a heading on it. */
export interface HelpPlace {
  readonly page: string;
  readonly heading: string | null;
}

export interface HelpState {
  /** The open page; null: closed. */
  readonly at: HelpPlace | null;
}

export const contents: HelpPlace = { page: 'README.md', heading: null };

export function createHelp() {
  const store = createStore<HelpState>()(() => ({ at: null }));
  return {
    store,
    actions: {
      open: (at: HelpPlace = contents) => store.setState({ at }),
      explain: (code: ErrorCode) => store.setState({ at: { page: 'troubleshooting.md', heading: code } }),
      close: () => store.setState({ at: null }),
      /** Opens the page about where the user is; closes the guide if it shows that page or has the focus. */
      toggle(here: HelpPlace, hasFocus: boolean): void {
        const { at } = store.getState();
        const isHere = at?.page === here.page && (here.heading === null || at.heading === here.heading);
        store.setState({ at: at && (hasFocus || isHere) ? null : here });
      },
    },
  };
}

export type Help = ReturnType<typeof createHelp>;
