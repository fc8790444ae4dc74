import { formatCount } from '../format/numbers.ts';
import { visibleLine } from '../../shared/errors/visible-text.ts';
import { commands } from './commands.ts';
import { authenticating, connection, diagnostics, start } from './connections.ts';
import { datasets } from './datasets.ts';
import { editing } from './editing.ts';
import { exporting } from './export.ts';
import { help } from './help.ts';
import { home } from './home.ts';
import { history } from './history.ts';
import { jobs } from './jobs.ts';
import { live } from './live.ts';
import { mirrors } from './mirrors.ts';
import { opened } from './opened.ts';
import { quality } from './quality.ts';
import { query } from './query.ts';
import { record, results } from './results.ts';
import { saved } from './saved.ts';
import { settings } from './settings.ts';
import { counted } from './counted.ts';
import { stages } from './stages.ts';
import { summary } from './summary.ts';
import { tabs } from './tabs.ts';
import { tour } from './tour.ts';
import { sql } from './sql.ts';
import { wells } from './wells.ts';

/** All strings of the window, in American English. Functions where a string depends on a number or a name. */
export const words = {
  app: 'Wellbench',
  window: (connection: string) => `Wellbench, ${connection}`,
  cancel: 'Cancel',
  notCopied: 'Couldn’t copy the text. Allow this page to use the clipboard, or select the text and copy it.',
  /** Of a copy whose HTML would be above 10 million characters. */
  copiedTextOnly:
    'A copy of this size is text only: a spreadsheet may read texts such as 0012 as numbers. An exported workbook keeps them.',
  tryAgain: 'Retry',
  notices: (count: number) => `${count} notices`,
  clearSearch: 'Clear search',
  close: 'Close',
  unknown: 'unknown',
  panelWidth: 'Width of the panel',
  list: {
    values: (count: number) => counted(count, 'value', 'values'),
    notFound: (names: string) => `Not found: ${names}`,
  },
  kept: {
    checking: (ago: string) => `Updated ${ago}. Checking for updates…`,
    stale: (ago: string) => `Updated ${ago}`,
    partial: 'Partially loaded',
    refresh: 'Refresh',
    justNow: 'just now',
  },
  link: {
    connecting: 'Connecting to Wellbench…',
    reconnecting: 'Lost the connection to Wellbench. Reconnecting…',
    signedOut:
      'Wellbench was restarted. Run “wellbench open” or press Enter in its terminal. Open the link that it prints to continue on this page.',
    unanswered:
      'Wellbench isn’t responding. If it was restarted, run “wellbench open” and open the link that it prints. Otherwise, start it again.',
  },
  theme: {
    label: 'Theme',
    system: 'System',
    light: 'Light',
    dark: 'Dark',
  },
  drop: {
    here: 'Drop the file to upload it',
    many: (count: number) => `Drop ${formatCount(count)} files to upload them`,
    noConnection: 'Open a connection first, then drop the file',
    readOnly: 'This connection is read-only',
    text: 'You review the columns before anything is sent.',
  },
  tableOf: (file: string, table: string) => `${file} (${visibleLine(table)})`,
  help,
  settings,
  commands,
  tabs,
  tour,
  saved,
  sql,
  opened,
  history,
  home,
  start,
  connection,
  authenticating,
  diagnostics,
  wells,
  datasets,
  quality,
  query,
  live,
  editing,
  stages,
  summary,
  record,
  results,
  export: exporting,
  mirrors,
  jobs,
};
