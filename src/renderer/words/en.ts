import { commands } from './en-commands.ts';
import { authenticating, connection, doctor, start } from './en-connections.ts';
import { datasets } from './en-datasets.ts';
import { editing } from './en-editing.ts';
import { exporting } from './en-export.ts';
import { help } from './en-help.ts';
import { history } from './en-history.ts';
import { jobs } from './en-jobs.ts';
import { live } from './en-live.ts';
import { opened } from './en-opened.ts';
import { plot } from './en-plot.ts';
import { query } from './en-query.ts';
import { record, results } from './en-results.ts';
import { saved } from './en-saved.ts';
import { settings } from './en-settings.ts';
import { stages } from './en-stages.ts';
import { tabs } from './en-tabs.ts';
import { tour } from './en-tour.ts';
import { upload } from './en-upload.ts';
import { wells } from './en-wells.ts';

/** All words of the window in English. Functions where a word depends on a number or a name. */
export const en = {
  language: 'en',
  app: 'Wellbench',
  window: (connection: string) => `Wellbench, ${connection}`,
  or: 'or',
  cancel: 'Cancel',
  notCopied:
    'The text could not be copied. Allow this page to use the clipboard, or select the text and copy it.',
  tryAgain: 'Try again',
  clearSearch: 'Clear the search',
  close: 'Close',
  unknown: 'unknown',
  kept: {
    checking: (ago: string) => `As of ${ago}; asking for news…`,
    stale: (ago: string) => `As of ${ago}`,
    partial: 'Not all of it came.',
    refresh: 'Ask again',
    justNow: 'a moment ago',
  },
  link: {
    connecting: 'Connecting to the application…',
    reconnecting: 'The link to the application was lost. Connecting again…',
    signedOut:
      'Wellbench was restarted. Run “wellbench open”, or press Enter in its terminal, and open the link: this page then continues.',
    unanswered:
      'Wellbench does not answer. If it was restarted, run “wellbench open” and open the link; else start it again.',
  },
  theme: {
    label: 'Theme',
    system: 'As the system',
    light: 'Light',
    dark: 'Dark',
  },
  help,
  settings,
  commands,
  tabs,
  tour,
  saved,
  opened,
  history,
  start,
  connection,
  authenticating,
  doctor,
  wells,
  datasets,
  query,
  plot,
  live,
  editing,
  stages,
  record,
  results,
  export: exporting,
  jobs,
  upload,
};
