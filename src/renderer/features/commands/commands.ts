import { createStore } from 'zustand/vanilla';
import { words } from '../../words/words.ts';
import {
  commandIds,
  commandTable,
  type Action,
  type AppCommands,
  type CommandId,
  type Shortcuts,
  type TabCommands,
  type TabsCommands,
  searchEntries,
  type Entry,
  type EntrySource,
} from './command-table.ts';
import { shortcutsOf, type KeyPress } from './keys.ts';

export interface CommandsState {
  /** Whether the palette is open. */
  readonly open: boolean;
  readonly text: string;
  readonly entries: readonly Entry[];
  readonly customShortcuts: Partial<Shortcuts>;
  /** The command whose new shortcut is being recorded; null: none. Shortcuts don't run meanwhile. */
  readonly recordingFor: CommandId | null;
  /** The selected entry, which runs when the palette has closed. */
  readonly pendingEntry: (() => void) | null;
}

/** Where a key is pressed. `isInDialog`: a dialog or a menu is open. */
export interface KeyFocus {
  readonly isInEditor: () => boolean;
  readonly isInDialog: () => boolean;
}

export interface CommandsDependencies {
  readonly app: AppCommands;
  /** The commands for the tabs of the open connection; null: none is open. */
  readonly tabs: () => TabsCommands | null;
  /** The commands of the tab with the focus; null: no tab is open. */
  readonly tab: () => TabCommands | null;
  readonly sources: readonly EntrySource[];
}

const otherWords: Partial<Record<CommandId, string>> = words.commands.also;

export const currentShortcuts = (
  { customShortcuts }: Pick<CommandsState, 'customShortcuts'>,
  id: CommandId,
): readonly string[] => customShortcuts[id] ?? commandTable[id].shortcuts;

export function createCommands({ app, tabs, tab, sources }: CommandsDependencies) {
  const store = createStore<CommandsState>()(() => ({
    open: false,
    text: '',
    entries: [],
    customShortcuts: {},
    recordingFor: null,
    pendingEntry: null,
  }));
  const { getState, setState } = store;

  function currentCommands(): Partial<Record<CommandId, () => Action>> {
    return { ...app, ...tabs(), ...tab(), palette: () => () => actions.show(true) };
  }

  function commands(): Entry[] {
    const current = currentCommands();
    return commandIds.flatMap((id) => {
      const act = id === 'palette' ? null : current[id]?.();
      if (!act) return [];
      const { group } = commandTable[id];
      const shortcuts = currentShortcuts(getState(), id);
      return [{ id, group, text: words.commands.titles[id], also: otherWords[id], shortcuts, act }];
    });
  }

  let searches = 0;
  function seek(text: string): void {
    const search = (searches += 1);
    const results = sources.map((source) => source(text.trim()));
    const entriesNow = results.flatMap((result) => (result instanceof Promise ? [] : result));
    setState({ text, entries: searchEntries([...commands(), ...entriesNow], text) });
    // A failing source has no entries.
    const late = results.flatMap((result) => (result instanceof Promise ? result.catch(() => []) : []));
    void addLate(late, search);
  }
  /** Entries stay in the order of their sources, whichever responds first. */
  async function addLate(late: readonly Promise<readonly Entry[]>[], search: number): Promise<void> {
    for (const answer of late) {
      const more = await answer;
      // Appended, so that no entry moves under the pointer.
      if (getState().open && search === searches)
        setState(({ entries }) => ({ entries: [...entries, ...more] }));
    }
  }

  const actions = {
    show(open: boolean): void {
      if (open === getState().open) return;
      setState({ open });
      if (open) seek('');
    },
    seek,
    /** Closes the palette and runs an entry. */
    choose(id: string): void {
      const entry = getState().entries.find((listed) => listed.id === id);
      if (entry) setState({ open: false, pendingEntry: entry.act });
    },
    /** Runs the selected entry after the palette closed and the focus returned. */
    runPending(): void {
      const { pendingEntry } = getState();
      setState({ pendingEntry: null });
      pendingEntry?.();
    },
    commandOf(pressed: KeyPress): CommandId | null {
      const names = shortcutsOf(pressed);
      const state = getState();
      return (
        commandIds.find((id) => currentShortcuts(state, id).some((shortcut) => names.includes(shortcut))) ??
        null
      );
    },
    setShortcuts(shortcuts: Readonly<Record<string, readonly string[]>>): void {
      const customShortcuts: { [Id in CommandId]?: readonly string[] } = {};
      for (const id of commandIds) if (shortcuts[id]) customShortcuts[id] = shortcuts[id];
      // Other settings change more often: views of shortcuts don't render again for them.
      if (JSON.stringify(customShortcuts) !== JSON.stringify(getState().customShortcuts))
        setState({ customShortcuts });
    },
    /** Records the next key press as a shortcut; null: stops. */
    recordShortcut: (recordingFor: CommandId | null): void => setState({ recordingFor }),
    /**
     * Runs the command of a key press.
     * @returns whether the key has no other effect: it is a shortcut of a command, also of one that isn't available
     */
    press(pressed: KeyPress, { isInEditor, isInDialog }: KeyFocus): boolean {
      if (getState().recordingFor !== null) return false;
      const id = actions.commandOf(pressed);
      if (id === null) return false;
      if (getState().open) {
        // While the palette is open, only its own shortcuts run.
        if (id === 'palette') actions.show(false);
        return true;
      }
      // Nothing acts behind a dialog; an editor in it has its own shortcuts.
      if (isInDialog()) return !isInEditor();
      if (isInEditor() && commandTable[id].scope === 'editor') return false;
      const command = currentCommands()[id];
      command?.()?.();
      return command !== undefined;
    },
  };
  return { store, actions };
}

export type Commands = ReturnType<typeof createCommands>;
