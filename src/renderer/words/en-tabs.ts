import { formatCount } from '../format/numbers.ts';

/** The words of tabs in English. */
export const tabs = {
  label: 'Open queries and uploads',
  loading: 'Loading…',
  close: (title: string) => `Close ${title}`,
  closeHint: 'Press Delete to close the tab.',
  query: (dataset: string, number: number) => `${dataset} · query ${number}`,
  emptyHeading: 'Ask a dataset',
  emptySteps: [
    'Choose one well or several on the left.',
    'Choose a dataset below them: a query for these wells opens here.',
    'Run it, look at the records, and export everything that matches.',
  ],
  emptyUpload: 'To put a CSV file in, press Upload above, or drop the file anywhere on this window.',
  new: 'New query',
  newHint: 'Another query to this dataset',
  all: (count: number) => `All ${formatCount(count)} tabs`,
  menu: (title: string) => `Menu of ${title}`,
  actions: {
    rename: 'Rename…',
    duplicate: 'Duplicate',
    left: 'Move left',
    right: 'Move right',
    close: 'Close',
    others: 'Close the others',
    reopen: 'Reopen closed tab',
  },
  keys: {
    rename: 'F2',
    left: 'Alt+Shift+PageUp',
    right: 'Alt+Shift+PageDown',
    close: 'Alt+W',
    reopen: 'Alt+Shift+T',
  },
  renameHeading: 'Rename the tab',
  name: 'Name',
  nameNote: 'Leave it empty to call the tab by what it holds.',
  rename: 'Rename',
  dismiss: 'Close the message',
  waking: (title: string) => `Bringing back ${title}…`,
  notBack: 'This tab could not be brought back. What was typed into it is kept.',
  unreadable:
    'What was kept of this tab can’t be read. It is left as it is. Close the tab if you need it no more.',
  unknownKind: 'A newer version of Wellbench made this tab. It is left as it is: update to open it.',
};
