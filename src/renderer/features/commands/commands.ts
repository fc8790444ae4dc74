import { createStore } from 'zustand/vanilla';
import { words } from '../../words/words.ts';
import { commandIds, commandTable, queryCommands, type CommandId, type Shortcuts } from './command-table.ts';
import { searchEntries, type Entry, type EntrySource } from './entries.ts';
import { shortcutsOf, type KeyPress } from './keys.ts';

/** The action of a command; null: not available now. */
export type Ability = () => (() => void) | null;
export type Abilities = Partial<Record<CommandId, Ability>>;

export interface CommandsState {
  /** Whether the palette is open. */
  readonly open: boolean;
  /** The search text. */
  readonly text: string;
  readonly entries: readonly Entry[];
  /** Shortcuts that the user changed. */
  readonly customShortcuts: Partial<Shortcuts>;
  /** The command whose new shortcut is being recorded; null: none. Shortcuts don't run meanwhile. */
  readonly recordingFor: CommandId | null;
  /** The selected entry, which runs when the palette has closed. */
  readonly pendingEntry: (() => void) | null;
}

export interface CommandsDependencies {
  /** Commands of the window; its parts register more. */
  readonly abilities: Abilities;
  /** Other items that open by name. */
  readonly sources: readonly EntrySource[];
  /** The id of the tab with the focus; null: no tab is open. */
  readonly activeTab: () => string | null;
}

/** An action that a part of the window provides while it is mounted. `tab`: the tab it is in; null: none. */
interface Registration {
  readonly tab: string | null;
  readonly ability: Ability;
}

/** The current shortcuts of a command. */
export const currentShortcuts = (
  { customShortcuts }: Pick<CommandsState, 'customShortcuts'>,
  id: CommandId,
): readonly string[] => customShortcuts[id] ?? commandTable[id].shortcuts;

/** All commands and items, by name and by shortcut, for the palette. */
export function createCommands({ abilities, sources, activeTab }: CommandsDependencies) {
  const store = createStore<CommandsState>()(() => ({
    open: false,
    text: '',
    entries: [],
    customShortcuts: {},
    recordingFor: null,
    pendingEntry: null,
  }));
  const registered = new Map<CommandId, readonly Registration[]>();
  const { getState, setState } = store;

  /** The action for the active tab, or else for the window: hidden tabs stay mounted, and none of them acts. */
  function abilityOf(id: CommandId): Ability | undefined {
    if (id === 'palette') return () => () => actions.show(true);
    const registrations = registered.get(id) ?? [];
    const tab = activeTab();
    const ofTab =
      tab === null ? undefined : registrations.findLast((registration) => registration.tab === tab);
    const ofWindow = registrations.findLast((registration) => registration.tab === null);
    return (ofTab ?? ofWindow)?.ability ?? abilities[id];
  }

  function commands(): Entry[] {
    return commandIds.flatMap((id) => {
      const act = id === 'palette' ? null : abilityOf(id)?.();
      if (!act) return [];
      const { group } = commandTable[id];
      const shortcuts = currentShortcuts(getState(), id);
      return [{ id, group, text: words.commands.titles[id], shortcuts, act }];
    });
  }

  function seek(text: string): void {
    const searchText = sources.map((source) => source(text.trim()));
    const here = searchText.flatMap((some) => (some instanceof Promise ? [] : some));
    setState({ text, entries: searchEntries([...commands(), ...here], text) });
    const add = (late: readonly Entry[]) => {
      // Appended, so that no entry moves under the pointer.
      if (getState().open && getState().text === text)
        setState(({ entries }) => ({ entries: [...entries, ...late] }));
    };
    // Entries stay in the order of their sources, whichever responds first.
    let before: Promise<void> = Promise.resolve();
    for (const some of searchText)
      if (some instanceof Promise) {
        const earlier = before;
        // A failing source has no entries.
        before = some.then(
          (late) => earlier.then(() => add(late)),
          () => earlier,
        );
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
      const entry = getState().entries.find((each) => each.id === id);
      if (entry) setState({ open: false, pendingEntry: entry.act });
    },
    /** Runs the selected entry after the palette closed and the focus returned. */
    runPending(): void {
      const { pendingEntry } = getState();
      setState({ pendingEntry: null });
      pendingEntry?.();
    },
    /**
     * Registers an action while a part of the window is mounted.
     * @param tab the id of the tab that the part is in; null: none
     * @returns unregisters
     */
    register(id: CommandId, tab: string | null, ability: Ability): () => void {
      const registration = { tab, ability };
      registered.set(id, [...(registered.get(id) ?? []), registration]);
      return () => {
        registered.set(
          id,
          (registered.get(id) ?? []).filter((other) => other !== registration),
        );
      };
    },
    /** The command of a key press. */
    commandOf(pressed: KeyPress): CommandId | null {
      const names = shortcutsOf(pressed);
      const state = getState();
      return commandIds.find((id) => currentShortcuts(state, id).some((one) => names.includes(one))) ?? null;
    },
    /** Applies the user's shortcuts. */
    setShortcuts(shortcuts: Readonly<Record<string, readonly string[]>>): void {
      const known = commandIds.flatMap((id) => (shortcuts[id] ? [[id, shortcuts[id]] as const] : []));
      setState({ customShortcuts: Object.fromEntries(known) });
    },
    /** Records the next key press as a shortcut; null: stops. */
    recordShortcut: (recordingFor: CommandId | null): void => setState({ recordingFor }),
    /**
     * Runs the command of a key press. False: there is none.
     * @param isInQuestion whether the focus is in a query or a dialog, which have their own run and count
     */
    press(pressed: KeyPress, isInQuestion = false): boolean {
      if (getState().recordingFor !== null) return false;
      const id = actions.commandOf(pressed);
      if (id === null || (isInQuestion && queryCommands.has(id))) return false;
      if (getState().open) {
        // While the palette is open, only its own shortcuts run.
        if (id === 'palette') actions.show(false);
        return true;
      }
      const ability = abilityOf(id);
      ability?.()?.();
      return ability !== undefined;
    },
  };
  return { store, actions };
}

export type Commands = ReturnType<typeof createCommands>;

declare module '../../state/contexts.ts' {
  interface App {
    readonly commands: Commands;
  }
}
