import { formatCount } from '../format/numbers.ts';
import { localZone } from '../format/zoned.ts';
import type { SettingName, Settings } from '../../shared/settings/settings.ts';

type Chosen<N extends SettingName> = Settings[N] extends string ? Record<Settings[N], string> : never;

/** The words of the settings. */
export const settings = {
  open: 'Settings',
  region: 'Settings',
  close: 'Close the settings',
  search: 'Search settings and shortcuts',
  noMatch: 'No setting and no shortcut says this. Try another word.',
  found: (count: number) => (count === 1 ? '1 match' : `${formatCount(count)} matches`),
  changed: 'changed',
  reset: (name: string) => `Reset ${name}`,
  resetAll: 'Reset everything',
  undo: 'Undo',
  changedSaid: 'Changed.',
  wasReset: (name: string) => `${name} is as it was at first.`,
  allReset: 'All settings and shortcuts are as they were at first.',
  undone: 'As before the reset.',
  decimalToo: (sign: string) => `The decimal sign is now: ${sign}. It can’t be the separator too.`,
  delimiterToo: (sign: string) => `Values are now separated by: ${sign}. The decimal sign can’t do that too.`,
  notKept: 'What is changed here holds for this window, until it can be kept.',
  limitRange: 'Give a number from 1 to 10,000.',
  sections: {
    look: 'Look',
    values: 'Times and numbers',
    questions: 'New queries',
    csv: 'CSV files of exports',
    leaving: 'Leaving',
    shortcuts: 'Shortcuts',
  },
  names: {
    theme: { name: 'Theme', note: 'Light or dark; by itself it is as the system says.' },
    motion: { name: 'Motion', note: 'Whether bars and marks move while something is under way.' },
    times: {
      name: 'Times in answers',
      note: 'The zone in which tables show times. Each tab can still choose another.',
    },
    dates: {
      name: 'Dates',
      note: 'How moments are written in the history and of what datasets hold. Tables, plots and files keep ISO 8601.',
    },
    numbers: {
      name: 'Numbers',
      note: 'How counts, sizes and values beside plots are written. Cells of a table stay as they came.',
    },
    limit: { name: 'Limit', note: 'How many records a new query asks for, from 1 to 10,000.' },
    countFirst: {
      name: 'Count first',
      note: 'A new query counts what matches before it runs.',
    },
    csvDelimiter: { name: 'Separator', note: 'What stands between two values of a line.' },
    csvDecimal: { name: 'Decimal sign', note: 'What stands before the digits of a fraction.' },
    csvNewline: { name: 'Line ends', note: 'Excel and the standard want CRLF, scripts mostly LF.' },
    csvBom: {
      name: 'Byte order mark',
      note: 'By it Excel knows that a file is UTF-8. Scripts may stumble over it.',
    },
    csvFormulas: {
      name: 'Defuse formulas',
      note: 'An apostrophe before texts that a spreadsheet would run.',
    },
    askBeforeLeaving: {
      name: 'Ask before leaving',
      note: 'When closing the window would stop an export or upload, or lose a file that is not sent yet.',
    },
  } satisfies Record<SettingName, { name: string; note: string }>,
  options: {
    theme: { system: 'As the system', light: 'Light', dark: 'Dark' } satisfies Chosen<'theme'>,
    motion: { system: 'As the system', still: 'Always still' } satisfies Chosen<'motion'>,
    times: {
      utc: 'UTC',
      get local() {
        return `Local (${localZone()})`;
      },
      well: 'Of the wells',
      raw: 'As they came',
    } satisfies Chosen<'times'>,
    dates: { iso: '2026-11-21 06:58:01', locale: 'As in your region' } satisfies Chosen<'dates'>,
    numbers: { locale: 'As in your region', plain: '1234567.8' } satisfies Chosen<'numbers'>,
    csvDelimiter: {
      ',': 'Comma',
      ';': 'Semicolon',
      '\t': 'Tab',
      '|': 'Vertical bar',
    } satisfies Chosen<'csvDelimiter'>,
    csvDecimal: { '.': 'Point', ',': 'Comma' } satisfies Chosen<'csvDecimal'>,
    csvNewline: { CRLF: 'CRLF', LF: 'LF' } satisfies Chosen<'csvNewline'>,
  },
  keys: {
    intro: 'Choose a command to give it other keys.',
    none: 'no keys',
    change: (command: string, keys: string) => `Change the keys of “${command}”, now ${keys}`,
    press: 'Press the new keys…',
    catching: (command: string) => `New keys of “${command}”`,
    leave: 'Esc leaves them as they are; Backspace takes them away.',
    taken: (keys: string, command: string) => `${keys} belongs to “${command}”.`,
    takeOver: 'Take it over',
    others: 'Other keys',
    set: (command: string, keys: string) => `“${command}” is now on ${keys}.`,
    removed: (command: string) => `“${command}” has no keys now.`,
    refused: {
      typing: 'Keys that type need Ctrl or Alt with them.',
      editing: 'These keys belong to typing and to moving in texts and lists. Press others.',
      browser: 'The browser keeps these keys for itself. Press others.',
      menu: 'These keys belong to the menu of the application. Press others.',
      system: 'The system keeps these keys for itself. Press others.',
    },
  },
};
