import { createStore } from 'zustand/vanilla';
import type { ErrorCode } from '../../../shared/errors/errors.ts';
import type { Feature } from '../../state/feature.ts';

/** A page of the guide by its file's name, and a heading of it. */
export interface HelpPlace {
  readonly page: string;
  readonly heading: string | null;
}

export interface HelpState {
  /** What is shown; null: the help is closed. */
  readonly at: HelpPlace | null;
}

export interface HelpActions {
  /** Shows a page, the contents by default. */
  readonly open: (at?: HelpPlace) => void;
  /** Shows what to do about an error. */
  readonly explain: (code: ErrorCode) => void;
  readonly close: () => void;
}

export type Help = Feature<HelpState, HelpActions>;

export const contents: HelpPlace = { page: 'README.md', heading: null };

/** The guide, beside the work. */
export function createHelp(): Help {
  const store = createStore<HelpState>()(() => ({ at: null }));
  return {
    store,
    actions: {
      open: (at = contents) => store.setState({ at }),
      explain: (code) => store.setState({ at: { page: 'troubleshooting.md', heading: code } }),
      close: () => store.setState({ at: null }),
    },
  };
}

declare module '../../state/contexts.ts' {
  interface App {
    readonly help: Help;
  }
}
