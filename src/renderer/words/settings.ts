import { formatCount } from '../format/numbers.ts';
import { localZone } from '../format/zoned.ts';
import type { SettingName, Settings } from '../../shared/settings/settings.ts';

type Chosen<N extends SettingName> = Settings[N] extends string ? Record<Settings[N], string> : never;

export const settings = {
  open: 'Settings',
  region: 'Settings',
  close: 'Close settings',
  search: 'Search settings and shortcuts',
  noMatch: 'No matching settings',
  found: (count: number) => (count === 1 ? '1 match' : `${formatCount(count)} matches`),
  changed: 'modified',
  reset: (name: string) => `Reset ${name}`,
  resetAll: 'Reset all',
  changedSaid: 'Changed.',
  wasReset: (name: string) => `${name} reset.`,
  allReset: 'All settings and shortcuts reset.',
  undone: 'Reset undone.',
  decimalToo: (sign: string) =>
    `The decimal separator is now “${sign}”, because it can’t equal the delimiter.`,
  delimiterToo: (sign: string) =>
    `The delimiter is now “${sign}”, because it can’t equal the decimal separator.`,
  notKept: 'Changes apply to this window only, because settings can’t be saved.',
  ranges: {
    limit: 'Enter a number from 1 to 10,000.',
    spikeThreshold: 'Enter a number from 3 to 1,000.',
    minFlatRecords: 'Enter a number from 5 to 1,000,000.',
    keptJobs: 'Enter a number from 20 to 100,000.',
    keptJobDays: 'Enter a number from 1 to 10,000.',
  },
  sections: {
    look: 'Appearance',
    values: 'Names, times, numbers, and units',
    questions: 'New queries',
    sql: 'SQL',
    quality: 'Quality checks',
    csv: 'CSV exports',
    jobs: 'Jobs',
    leaving: 'On exit',
    channelNames: 'Channel names',
    shortcuts: 'Shortcuts',
  },
  names: {
    theme: { name: 'Theme', note: 'Follows the system by default.' },
    motion: { name: 'Motion', note: 'Animations of progress bars and indicators.' },
    names: {
      name: 'Field names',
      note: 'How tables, plots, and lists name fields. Queries and exported files use the dataset’s names.',
    },
    times: { name: 'Result time zone', note: 'Time zone of tables. Each tab can use another.' },
    dates: {
      name: 'Dates',
      note: 'Date format in history and dataset details. Tables, plots, and files use ISO 8601.',
    },
    numbers: {
      name: 'Numbers',
      note: 'Number format of counts, sizes, plots, and tables. Copies and files use plain numbers.',
    },
    units: { name: 'Units', note: 'Units of tables and plots. Each export has its own setting.' },
    copies: {
      name: 'Units of copies',
      note: 'Units of copied and saved tables. JSON always contains stored values.',
    },
    wellRows: {
      name: 'Well list',
      note: 'What each row shows, unless you select other fields above the list.',
    },
    runOnOpen: {
      name: 'Load records when a dataset is opened',
      note: 'Off: a new query waits until you run it.',
    },
    limit: { name: 'Limit', note: 'Records that a new query loads, from 1 to 10,000.' },
    countFirst: { name: 'Count first', note: 'New queries count matching records before they run.' },
    sqlMemory: {
      name: 'Memory limit',
      note: 'For SQL, exports, mirrors, and Parquet uploads together. Above this limit, SQL uses the disk. Takes effect the next time tables open.',
    },
    spikeThreshold: {
      name: 'Spike threshold',
      note: 'How many robust standard deviations from the median make a value a spike. A lower number finds more spikes.',
    },
    minFlatRecords: {
      name: 'Shortest flat line',
      note: 'Fewest equal values in a row that count as a flat line. The line must also be much longer than is usual for the field.',
    },
    csvDelimiter: { name: 'Delimiter', note: 'Character between values.' },
    csvDecimal: { name: 'Decimal separator', note: 'Character before the decimals of a number.' },
    csvNewline: { name: 'Line endings', note: 'Excel and RFC 4180 use CRLF; scripts mostly use LF.' },
    csvBom: { name: 'Byte order mark', note: 'Lets Excel detect UTF-8. Some scripts can’t read it.' },
    csvFormulas: {
      name: 'Escape formulas',
      note: 'Adds an apostrophe to text that a spreadsheet would run as a formula.',
    },
    askBeforeLeaving: {
      name: 'Confirm before closing',
      note: 'Asks if closing the window would stop an export or upload, or lose an unsent file.',
    },
    keptJobs: {
      name: 'Finished jobs to keep',
      note: 'Older jobs are removed, except those with unknown rows, or with rejected rows that are stored nowhere else.',
    },
    keptJobDays: {
      name: 'Days to keep finished jobs',
      note: 'Older jobs are removed, except the last 20 and the exceptions above.',
    },
    notifyWhenDone: {
      name: 'Notify me when jobs finish',
      note: 'Notifies you while Wellbench is in the background. A browser needs your permission: select “Notify me when finished” beside a job.',
    },
  } satisfies Record<SettingName, { name: string; note: string }>,
  options: {
    theme: { system: 'System', light: 'Light', dark: 'Dark' } satisfies Chosen<'theme'>,
    motion: { system: 'System', still: 'Reduced' } satisfies Chosen<'motion'>,
    names: {
      plain: 'Plain',
      fields: 'As in the dataset',
      both: 'Plain, with the dataset’s names',
    } satisfies Chosen<'names'>,
    times: {
      utc: 'UTC',
      get local() {
        return `Local (${localZone()})`;
      },
      well: 'Well',
      raw: 'Raw',
    } satisfies Chosen<'times'>,
    dates: { iso: '2026-11-21 06:58:01', locale: 'Regional format' } satisfies Chosen<'dates'>,
    numbers: { locale: 'Regional format', plain: '1234567.8' } satisfies Chosen<'numbers'>,
    units: { stored: 'As stored', us: 'US oil field', metric: 'Metric', si: 'SI' } satisfies Chosen<'units'>,
    copies: { stored: 'As stored', shown: 'As shown in the table' } satisfies Chosen<'copies'>,
    wellRows: {
      one: 'One line: name, status, last activity',
      two: 'Two lines: also API number and asset ID',
      three: 'Three lines: also the company',
    } satisfies Chosen<'wellRows'>,
    sqlMemory: {
      quarter: 'A quarter of the computer’s memory',
      half: 'Half of the computer’s memory',
      '1': '1 GB',
      '2': '2 GB',
      '4': '4 GB',
      '8': '8 GB',
      '16': '16 GB',
    } satisfies Chosen<'sqlMemory'>,
    csvDelimiter: {
      ',': 'Comma',
      ';': 'Semicolon',
      '\t': 'Tab',
      '|': 'Vertical bar',
    } satisfies Chosen<'csvDelimiter'>,
    csvDecimal: { '.': 'Point', ',': 'Comma' } satisfies Chosen<'csvDecimal'>,
    csvNewline: { CRLF: 'CRLF', LF: 'LF' } satisfies Chosen<'csvNewline'>,
  },
  channelNames: {
    intro:
      'Your own names for channels, such as a mnemonic of your rig. Uploads, completion, and plots use them. Case, units, and punctuation are ignored.',
    channel: 'Channel',
    noChannel: 'No matching channels',
    names: 'Names',
    namesOf: (channel: string) => `Names of ${channel}`,
    placeholder: 'Bit load, RIG_WOB',
    add: 'Add names',
    remove: (channel: string) => `Remove the names of ${channel}`,
    taken: (name: string, channel: string) => `“${name}” is already a name of ${channel}.`,
    empty: (name: string) => `“${name}” needs at least one letter or digit.`,
    importFile: 'Import names',
    exportFile: 'Export names',
    imported: (count: number) =>
      count === 0
        ? 'All names in the file are already in your list.'
        : count === 1
          ? '1 name imported.'
          : `${formatCount(count)} names imported.`,
  },
  keys: {
    intro: 'Select a shortcut to change it.',
    none: 'no shortcut',
    change: (command: string, keys: string) => `Change shortcut for “${command}”, currently ${keys}`,
    press: 'Press a shortcut…',
    catching: (command: string) => `New shortcut for “${command}”`,
    leave: 'Esc cancels, Backspace clears',
    taken: (keys: string, command: string) => `${keys} is used by “${command}”.`,
    reassign: 'Reassign',
    others: 'Choose another',
    set: (command: string, keys: string) => `Shortcut for “${command}” is now ${keys}.`,
    removed: (command: string) => `Shortcut for “${command}” cleared.`,
    refused: {
      typing: 'Press this key with either Ctrl or Alt.',
      editing: 'These keys are reserved for editing and navigation. Press other keys.',
      browser: 'These keys are reserved by the browser. Press other keys.',
      menu: 'These keys are reserved by the app’s menu. Press other keys.',
      system: 'These keys are reserved by the system. Press other keys.',
    },
  },
};
