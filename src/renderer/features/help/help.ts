import { createStore } from 'zustand/vanilla';
import type { ErrorCode } from '../../../shared/errors/errors.ts';

/** A page of the guide by its file's name, and a heading of it. */
export interface HelpPlace {
  readonly page: string;
  readonly heading: string | null;
}

export interface HelpState {
  /** What is shown; null: the help is closed. */
  readonly at: HelpPlace | null;
}

export const contents: HelpPlace = { page: 'README.md', heading: null };

/** The guide, beside the work. */
export function createHelp() {
  const store = createStore<HelpState>()(() => ({ at: null }));
  return {
    store,
    actions: {
      /** Shows a page, the contents by default. */
      open: (at: HelpPlace = contents) => store.setState({ at }),
      /** Shows what to do about an error. */
      explain: (code: ErrorCode) => store.setState({ at: { page: 'troubleshooting.md', heading: code } }),
      close: () => store.setState({ at: null }),
    },
  };
}

export type Help = ReturnType<typeof createHelp>;

declare module '../../state/contexts.ts' {
  interface App {
    readonly help: Help;
  }
}
