import { createStore } from 'zustand/vanilla';

export const sectionIds = ['wells', 'datasets', 'saved', 'history'] as const;
export type SectionId = (typeof sectionIds)[number];

/** The section of the sidebar that the person selected last; null: none in this window. */
export interface SidebarState {
  readonly selected: SectionId | null;
}

/** The sections of the sidebar, one of which is shown. */
export function createSidebar() {
  const store = createStore<SidebarState>()(() => ({ selected: null }));
  const actions = {
    select: (selected: SectionId): void => store.setState({ selected }),
    /** Shows a section with the focus in its search. */
    focus(selected: SectionId): void {
      actions.select(selected);
      requestAnimationFrame(() =>
        document.querySelector<HTMLElement>(`[data-section=${selected}] input`)?.focus(),
      );
    },
  };
  return { store, actions };
}

export type Sidebar = ReturnType<typeof createSidebar>;

declare module '../state/contexts.ts' {
  interface App {
    readonly sidebar: Sidebar;
  }
}
