import { createStore } from 'zustand/vanilla';

export const sectionIds = ['wells', 'datasets', 'saved', 'history'] as const;
export type SectionId = (typeof sectionIds)[number];

export interface SidebarState {
  readonly isOpen: boolean;
  /** The section that the person selected last; null: none in this window. */
  readonly selected: SectionId | null;
}

/** Frames to wait for the search of a section, whose code and list load when it is shown first. */
const maxFrames = 300;

export function createSidebar() {
  const store = createStore<SidebarState>()(() => ({ isOpen: true, selected: null }));

  function focusSearch(section: SectionId, frames: number): void {
    requestAnimationFrame(() => {
      const { isOpen, selected } = store.getState();
      if (!isOpen || selected !== section) return;
      const search = document.querySelector<HTMLElement>(`[data-section=${section}] input`);
      if (search) search.focus();
      else if (frames > 0) focusSearch(section, frames - 1);
    });
  }
  const actions = {
    setOpen: (isOpen: boolean): void => store.setState({ isOpen }),
    toggle: (): void => store.setState(({ isOpen }) => ({ isOpen: !isOpen })),
    select: (selected: SectionId): void => store.setState({ selected }),
    focus(selected: SectionId): void {
      store.setState({ isOpen: true, selected });
      focusSearch(selected, maxFrames);
    },
  };
  return { store, actions };
}

export type Sidebar = ReturnType<typeof createSidebar>;
