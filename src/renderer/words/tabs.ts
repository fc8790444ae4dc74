import { counted } from './counted.ts';

/** The words of tabs. */
export const tabs = {
  label: 'Open queries and uploads',
  loading: 'Loading…',
  close: (title: string) => `Close ${title}`,
  dataset: (dataset: string) => `About ${dataset}`,
  query: (dataset: string, number: number) => `${dataset} · query ${number}`,
  emptyHeading: 'Ask a dataset',
  emptySteps: [
    'Choose one well or several on the left.',
    'Choose a dataset below them: a query for these wells opens here.',
    'Run it, look at the records, and export everything that matches.',
  ],
  emptyUpload: 'To put a CSV file in, press Upload above, or drop the file anywhere on this window.',
  side: 'Wells, datasets and what you keep',
  new: 'New query',
  all: (count: number) => counted(count, 'open tab', 'open tabs'),
  menu: (title: string) => `Menu of ${title}`,
  actions: {
    rename: 'Rename…',
    duplicate: 'Duplicate',
    left: 'Move left',
    right: 'Move right',
    beside: 'Show beside',
    close: 'Close',
    others: 'Close the others',
    reopen: 'Reopen closed tab',
  },
  renameHeading: 'Rename the tab',
  name: 'Name',
  nameNote: 'Leave it empty to call the tab by what it holds.',
  beside: (title: string) => `Beside: ${title}`,
  swap: 'Change places',
  alone: 'Show one tab alone',
  rename: 'Rename',
  dismiss: 'Close the message',
  waking: (title: string) => `Bringing back ${title}…`,
  notBack: 'This tab could not be brought back. What was typed into it is kept.',
  unreadable:
    'What was kept of this tab can’t be read. It is left as it is. Close the tab if you need it no more.',
  unknownKind: 'A newer version of Wellbench made this tab. It is left as it is: update to open it.',
};
