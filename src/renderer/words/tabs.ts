import { counted } from './counted.ts';

/** The words of tabs. */
export const tabs = {
  label: 'Open tabs',
  loading: 'Loading…',
  close: (title: string) => `Close ${title}`,
  dataset: (dataset: string) => `About ${dataset}`,
  /** A query by its dataset, a number where there are several, and its wells. */
  query: (dataset: string, number: number, wells: readonly { readonly name: string }[]) =>
    [
      number === 1 ? dataset : `${dataset} ${number}`,
      ...(wells.length > 1 ? [counted(wells.length, 'well', 'wells')] : wells.map(({ name }) => name)),
    ].join(' · '),
  copy: (title: string) => `${title} (copy)`,
  side: 'Sidebar',
  new: 'New query',
  all: (count: number) => counted(count, 'open tab', 'open tabs'),
  menu: (title: string) => `Menu of ${title}`,
  actions: {
    rename: 'Rename…',
    duplicate: 'Duplicate',
    left: 'Move left',
    right: 'Move right',
    beside: 'Split view',
    keep: 'Keep open',
    close: 'Close',
    others: 'Close others',
    all: 'Close all',
    reopen: 'Reopen closed tab',
  },
  preview: (title: string) => `${title}, preview`,
  previewNote: (title: string) =>
    `${title}. Preview: the next dataset or well replaces it. Double-click to keep it.`,
  closing: {
    heading: (tabs: number) => `Close ${counted(tabs, 'tab', 'tabs')}?`,
    unfinished: (tabs: number) =>
      tabs === 1
        ? 'The rows of this upload aren’t sent yet:'
        : `The rows of ${tabs} uploads aren’t sent yet:`,
    all: (tabs: number) => (tabs === 1 ? 'Close it' : `Close all ${tabs}`),
    finished: (kept: number) => `Keep ${counted(kept, 'upload', 'uploads')}`,
  },
  renameHeading: 'Rename tab',
  name: 'Name',
  nameNote: 'Leave empty to use the default name.',
  beside: (title: string) => `Split view: ${title}`,
  swap: 'Swap sides',
  alone: 'Close split view',
  rename: 'Rename',
  dismiss: 'Dismiss',
  restoring: (title: string) => `Restoring ${title}…`,
  notBack: 'Couldn’t restore this tab. Its content is kept.',
  unreadable:
    'The stored content of this tab is damaged and was left unchanged. Close the tab if you don’t need it.',
  unknownKind: 'A newer version of Wellbench created this tab. Update Wellbench to open it.',
};
