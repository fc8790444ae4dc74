import type { words } from '../../words/words.ts';

/**
 * What a command acts on. `app`: the window; `tabs`: the tabs of the open connection; `tab`: the tab with the focus, whose
 * kind declares its commands; `editor`: the same, but an editor with the focus has a command of its own. While a dialog is
 * open, it is the only scope, and has none of these commands.
 */
type CommandScope = 'app' | 'tabs' | 'tab' | 'editor';

/**
 * All commands in the order of the list, with their default shortcuts. `Mod` is Ctrl, or Cmd on a Mac. The
 * first shortcut is shown: browsers reserve some of the others.
 */
export const commandTable = {
  run: { scope: 'tab', group: 'query', shortcuts: ['Mod+Enter'] },
  count: { scope: 'tab', group: 'query', shortcuts: ['Mod+Shift+Enter'] },
  stop: { scope: 'tab', group: 'query', shortcuts: [] },
  maximize: { scope: 'tab', group: 'query', shortcuts: ['Alt+Enter'] },
  find: { scope: 'editor', group: 'query', shortcuts: ['Mod+F'] },
  export: { scope: 'tab', group: 'query', shortcuts: [] },
  save: { scope: 'tab', group: 'query', shortcuts: ['Mod+S'] },
  askFind: { scope: 'tab', group: 'query', shortcuts: [] },
  askSummary: { scope: 'tab', group: 'query', shortcuts: [] },
  askPipeline: { scope: 'tab', group: 'query', shortcuts: [] },
  askSql: { scope: 'tab', group: 'query', shortcuts: [] },
  viewTable: { scope: 'tab', group: 'result', shortcuts: [] },
  viewPlot: { scope: 'tab', group: 'result', shortcuts: [] },
  viewBoth: { scope: 'tab', group: 'result', shortcuts: [] },
  viewQuality: { scope: 'tab', group: 'result', shortcuts: [] },
  addNote: { scope: 'tab', group: 'result', shortcuts: [] },
  calculate: { scope: 'tab', group: 'result', shortcuts: [] },
  distributions: { scope: 'tab', group: 'result', shortcuts: [] },
  showAll: { scope: 'tab', group: 'result', shortcuts: [] },
  follow: { scope: 'tab', group: 'result', shortcuts: [] },
  zoneUtc: { scope: 'tab', group: 'result', shortcuts: [] },
  zoneLocal: { scope: 'tab', group: 'result', shortcuts: [] },
  zoneWell: { scope: 'tab', group: 'result', shortcuts: [] },
  zoneOther: { scope: 'tab', group: 'result', shortcuts: [] },
  copyTsv: { scope: 'tab', group: 'result', shortcuts: [] },
  copyCsv: { scope: 'tab', group: 'result', shortcuts: [] },
  copyJson: { scope: 'tab', group: 'result', shortcuts: [] },
  copyMarkdown: { scope: 'tab', group: 'result', shortcuts: [] },
  copyCurl: { scope: 'tab', group: 'result', shortcuts: [] },
  copyPowershell: { scope: 'tab', group: 'result', shortcuts: [] },
  copyPython: { scope: 'tab', group: 'result', shortcuts: [] },
  copyTypescript: { scope: 'tab', group: 'result', shortcuts: [] },
  copyCommand: { scope: 'tab', group: 'result', shortcuts: [] },
  tabNew: { scope: 'app', group: 'tab', shortcuts: ['Alt+T', 'Mod+T'] },
  tabClose: { scope: 'tabs', group: 'tab', shortcuts: ['Alt+W', 'Mod+W'] },
  tabOthers: { scope: 'tabs', group: 'tab', shortcuts: [] },
  tabAll: { scope: 'tabs', group: 'tab', shortcuts: [] },
  tabKeep: { scope: 'tabs', group: 'tab', shortcuts: [] },
  tabReopen: { scope: 'tabs', group: 'tab', shortcuts: ['Alt+Shift+T', 'Mod+Shift+T'] },
  tabRename: { scope: 'tabs', group: 'tab', shortcuts: [] },
  tabDuplicate: { scope: 'tabs', group: 'tab', shortcuts: [] },
  tabNext: { scope: 'tabs', group: 'tab', shortcuts: ['Alt+PageDown', 'Mod+PageDown', 'Ctrl+Tab'] },
  tabPrevious: { scope: 'tabs', group: 'tab', shortcuts: ['Alt+PageUp', 'Mod+PageUp', 'Ctrl+Shift+Tab'] },
  tabRight: { scope: 'tabs', group: 'tab', shortcuts: ['Alt+Shift+PageDown', 'Mod+Shift+PageDown'] },
  tabLeft: { scope: 'tabs', group: 'tab', shortcuts: ['Alt+Shift+PageUp', 'Mod+Shift+PageUp'] },
  tabBeside: { scope: 'tabs', group: 'tab', shortcuts: [] },
  tabAlone: { scope: 'tabs', group: 'tab', shortcuts: [] },
  side: { scope: 'app', group: 'place', shortcuts: ['Mod+B'] },
  wells: { scope: 'app', group: 'place', shortcuts: [] },
  datasets: { scope: 'app', group: 'place', shortcuts: [] },
  saved: { scope: 'app', group: 'place', shortcuts: [] },
  history: { scope: 'app', group: 'place', shortcuts: [] },
  browse: { scope: 'app', group: 'place', shortcuts: [] },
  upload: { scope: 'app', group: 'place', shortcuts: [] },
  jobs: { scope: 'app', group: 'place', shortcuts: [] },
  mirrors: { scope: 'app', group: 'place', shortcuts: [] },
  noWells: { scope: 'app', group: 'place', shortcuts: [] },
  sample: { scope: 'app', group: 'connection', shortcuts: [] },
  connections: { scope: 'app', group: 'connection', shortcuts: [] },
  connectionEdit: { scope: 'app', group: 'connection', shortcuts: [] },
  connectionDoctor: { scope: 'app', group: 'connection', shortcuts: [] },
  connectionClose: { scope: 'app', group: 'connection', shortcuts: [] },
  palette: { scope: 'app', group: 'window', shortcuts: ['Mod+K', 'Mod+Shift+P'] },
  help: { scope: 'app', group: 'window', shortcuts: ['F1'] },
  shortcuts: { scope: 'app', group: 'window', shortcuts: [] },
  settings: { scope: 'app', group: 'window', shortcuts: ['Mod+,'] },
  themeSystem: { scope: 'app', group: 'window', shortcuts: [] },
  themeLight: { scope: 'app', group: 'window', shortcuts: [] },
  themeDark: { scope: 'app', group: 'window', shortcuts: [] },
} as const satisfies Record<string, { scope: CommandScope; group: EntryGroup; shortcuts: readonly string[] }>;

export type CommandId = keyof typeof commandTable;

export const commandIds = Object.keys(commandTable).filter((id): id is CommandId => id in commandTable);

type Table = typeof commandTable;
type CommandIn<Scope extends CommandScope> = {
  [Id in CommandId]: Table[Id]['scope'] extends Scope ? Id : never;
}[CommandId];

/** The action of a command; null: not available now. */
export type Action = (() => void) | null;
export type AppCommands = Readonly<Record<Exclude<CommandIn<'app'>, 'palette'>, () => Action>>;
export type TabsCommands = Readonly<Record<CommandIn<'tabs'>, () => Action>>;
export type TabCommands = Readonly<Partial<Record<CommandIn<'tab' | 'editor'>, () => Action>>>;

export type Shortcuts = Readonly<Record<CommandId, readonly string[]>>;

export interface Entry {
  readonly id: string;
  readonly group: EntryGroup;
  readonly text: string;
  /** Distinguishes it from others of the same name. */
  readonly note?: string;
  /** Other words that find it, which aren’t shown. */
  readonly also?: string | undefined;
  readonly shortcuts?: readonly string[];
  readonly act: () => void;
}

type EntryGroup = keyof typeof words.commands.groups;

/** The entries for a trimmed text, which may be empty. An asynchronous source filters itself. */
export type EntrySource = (text: string) => readonly Entry[] | Promise<readonly Entry[]>;

const maxEntries = 80;

/** The rank of a match, 0 is best; null: no match. Within a word, a few letters are rarely meant: “las” in “formulas”. */
function matchRank(word: string, { text, note = '', also = '' }: Entry): number | null {
  const low = text.toLocaleLowerCase();
  if (low.startsWith(word)) return 0;
  const at = low.indexOf(word);
  if (at > 0 && !/[\p{L}\p{N}]/u.test(low.charAt(at - 1))) return 1;
  if (` ${also}`.includes(` ${word}`)) return 2;
  if (at > 0) return 3;
  if (note.toLocaleLowerCase().includes(word)) return 4;
  return also.includes(word) ? 5 : null;
}

/** The entries that contain every word, those whose names start with them first. */
export function searchEntries(entries: readonly Entry[], text: string): Entry[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return entries
    .flatMap((entry) => {
      const ranks = words.flatMap((word) => matchRank(word, entry) ?? []);
      return ranks.length < words.length ? [] : [{ entry, rank: ranks.reduce((sum, rank) => sum + rank, 0) }];
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, maxEntries)
    .map(({ entry }) => entry);
}
