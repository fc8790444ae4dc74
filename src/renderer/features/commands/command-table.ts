import type { EntryGroup } from './entries.ts';

interface CommandFacts {
  readonly group: EntryGroup;
  readonly shortcuts: readonly string[];
}

/**
 * All commands in the order of the list, with their default shortcuts. `Mod` is Ctrl, or Cmd on a Mac. The
 * first shortcut is shown: browsers reserve some of the others.
 */
export const commandTable = {
  run: { group: 'query', shortcuts: ['Mod+Enter'] },
  count: { group: 'query', shortcuts: ['Mod+Shift+Enter'] },
  stop: { group: 'query', shortcuts: [] },
  maximize: { group: 'query', shortcuts: ['Alt+Enter'] },
  find: { group: 'query', shortcuts: ['Mod+F'] },
  export: { group: 'query', shortcuts: [] },
  save: { group: 'query', shortcuts: ['Mod+S'] },
  askFind: { group: 'query', shortcuts: [] },
  askAggregate: { group: 'query', shortcuts: [] },
  askPipeline: { group: 'query', shortcuts: [] },
  askSql: { group: 'query', shortcuts: [] },
  viewTable: { group: 'result', shortcuts: [] },
  viewPlot: { group: 'result', shortcuts: [] },
  viewBoth: { group: 'result', shortcuts: [] },
  viewQuality: { group: 'result', shortcuts: [] },
  showAll: { group: 'result', shortcuts: [] },
  follow: { group: 'result', shortcuts: [] },
  zoneUtc: { group: 'result', shortcuts: [] },
  zoneLocal: { group: 'result', shortcuts: [] },
  zoneWell: { group: 'result', shortcuts: [] },
  zoneOther: { group: 'result', shortcuts: [] },
  copyTsv: { group: 'result', shortcuts: [] },
  copyCsv: { group: 'result', shortcuts: [] },
  copyJson: { group: 'result', shortcuts: [] },
  copyMarkdown: { group: 'result', shortcuts: [] },
  copyCurl: { group: 'result', shortcuts: [] },
  copyPowershell: { group: 'result', shortcuts: [] },
  copyPython: { group: 'result', shortcuts: [] },
  copyTypescript: { group: 'result', shortcuts: [] },
  copyCommand: { group: 'result', shortcuts: [] },
  tabNew: { group: 'tab', shortcuts: ['Alt+T', 'Mod+T'] },
  tabClose: { group: 'tab', shortcuts: ['Alt+W', 'Mod+W'] },
  tabOthers: { group: 'tab', shortcuts: [] },
  tabReopen: { group: 'tab', shortcuts: ['Alt+Shift+T', 'Mod+Shift+T'] },
  tabRename: { group: 'tab', shortcuts: [] },
  tabDuplicate: { group: 'tab', shortcuts: [] },
  tabNext: { group: 'tab', shortcuts: ['Alt+PageDown', 'Mod+PageDown', 'Ctrl+Tab'] },
  tabPrevious: { group: 'tab', shortcuts: ['Alt+PageUp', 'Mod+PageUp', 'Ctrl+Shift+Tab'] },
  tabRight: { group: 'tab', shortcuts: ['Alt+Shift+PageDown', 'Mod+Shift+PageDown'] },
  tabLeft: { group: 'tab', shortcuts: ['Alt+Shift+PageUp', 'Mod+Shift+PageUp'] },
  tabBeside: { group: 'tab', shortcuts: [] },
  tabAlone: { group: 'tab', shortcuts: [] },
  side: { group: 'place', shortcuts: ['Mod+B'] },
  wells: { group: 'place', shortcuts: [] },
  datasets: { group: 'place', shortcuts: [] },
  saved: { group: 'place', shortcuts: [] },
  history: { group: 'place', shortcuts: [] },
  browse: { group: 'place', shortcuts: [] },
  upload: { group: 'place', shortcuts: [] },
  jobs: { group: 'place', shortcuts: [] },
  mirrors: { group: 'place', shortcuts: [] },
  noWells: { group: 'place', shortcuts: [] },
  sample: { group: 'connection', shortcuts: [] },
  connections: { group: 'connection', shortcuts: [] },
  connectionEdit: { group: 'connection', shortcuts: [] },
  connectionDoctor: { group: 'connection', shortcuts: [] },
  connectionClose: { group: 'connection', shortcuts: [] },
  palette: { group: 'window', shortcuts: ['Mod+K', 'Mod+Shift+P'] },
  help: { group: 'window', shortcuts: ['F1'] },
  tour: { group: 'window', shortcuts: [] },
  shortcuts: { group: 'window', shortcuts: [] },
  settings: { group: 'window', shortcuts: ['Mod+,'] },
  themeSystem: { group: 'window', shortcuts: [] },
  themeLight: { group: 'window', shortcuts: [] },
  themeDark: { group: 'window', shortcuts: [] },
} as const satisfies Record<string, CommandFacts>;

export type CommandId = keyof typeof commandTable;

export const commandIds = Object.keys(commandTable).filter((id): id is CommandId => id in commandTable);

/** Left to the focused query, which may differ from the active tab's when two are side by side; an editor has its own find. */
export const queryCommands: ReadonlySet<CommandId> = new Set<CommandId>(['run', 'count', 'find']);

/** The shortcuts of every command. */
export type Shortcuts = Readonly<Record<CommandId, readonly string[]>>;
