import { createStore } from 'zustand/vanilla';
import { words } from '../../words/words.ts';
import {
  commandIds,
  commandTable,
  heardByQuestion,
  type CommandId,
  type Shortcuts,
} from './command-table.ts';
import { found, type Entry, type EntrySource } from './entries.ts';
import { shortcutsOf, type Pressed } from './keys.ts';

/** What a command would do now; null: it can't be done now. */
export type Ability = () => (() => void) | null;
export type Abilities = Partial<Record<CommandId, Ability>>;

export interface CommandsState {
  /** Whether the palette is open. */
  readonly open: boolean;
  /** What is sought in it. */
  readonly text: string;
  readonly entries: readonly Entry[];
  /** Those that the person changed. */
  readonly changed: Partial<Shortcuts>;
  /** Which command is given other keys now; null: none. No shortcut is heard meanwhile. */
  readonly catching: CommandId | null;
  /** What was chosen, to be done as soon as the palette is gone. */
  readonly due: (() => void) | null;
}

export interface CommandsNeeds {
  /** What can be done wherever the window shows; parts of it offer more. */
  readonly abilities: Abilities;
  /** What else can be opened by its name. */
  readonly sources: readonly EntrySource[];
}

/** The shortcuts of a command that hold now. */
export const shortcutsNow = ({ changed }: Pick<CommandsState, 'changed'>, id: CommandId): readonly string[] =>
  changed[id] ?? commandTable[id].shortcuts;

/** Everything that a person can do now, by name and by keys. The palette is its list. */
export function createCommands({ abilities, sources }: CommandsNeeds) {
  const store = createStore<CommandsState>()(() => ({
    open: false,
    text: '',
    entries: [],
    changed: {},
    catching: null,
    due: null,
  }));
  const offered = new Map<CommandId, Ability>();
  const { getState, setState } = store;

  const abilityOf = (id: CommandId): Ability | undefined =>
    id === 'palette' ? () => () => actions.show(true) : (offered.get(id) ?? abilities[id]);

  function commands(): Entry[] {
    return commandIds.flatMap((id) => {
      const act = id === 'palette' ? null : abilityOf(id)?.();
      if (!act) return [];
      const { group } = commandTable[id];
      const shortcuts = shortcutsNow(getState(), id);
      return [{ id, group, text: words.commands.titles[id], shortcuts, act }];
    });
  }

  function seek(text: string): void {
    const sought = sources.map((source) => source(text.trim()));
    const here = sought.flatMap((some) => (some instanceof Promise ? [] : some));
    setState({ text, entries: found([...commands(), ...here], text) });
    const add = (late: readonly Entry[]) => {
      // At the end, so that nothing moves from under the hand.
      if (getState().open && getState().text === text)
        setState(({ entries }) => ({ entries: [...entries, ...late] }));
    };
    // In the order of the sources: which one answers first does not rank its entries.
    let before: Promise<void> = Promise.resolve();
    for (const some of sought)
      if (some instanceof Promise) {
        const earlier = before;
        // A source that fails has no entries; the others are listed.
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
    /** Closes the palette and has an entry of it done. */
    choose(id: string): void {
      const entry = getState().entries.find((each) => each.id === id);
      if (entry) setState({ open: false, due: entry.act });
    },
    /** Does what was chosen: the palette is gone, and the focus back where it was. */
    carryOut(): void {
      const { due } = getState();
      setState({ due: null });
      due?.();
    },
    /** A part of the window can do something for as long as it is there; the answer takes that back. */
    offer(id: CommandId, ability: Ability): () => void {
      offered.set(id, ability);
      return () => {
        // What came in its place stays.
        if (offered.get(id) === ability) offered.delete(id);
      };
    },
    /** Which command keys stand for. */
    commandOf(pressed: Pressed): CommandId | null {
      const names = shortcutsOf(pressed);
      const state = getState();
      return commandIds.find((id) => shortcutsNow(state, id).some((one) => names.includes(one))) ?? null;
    },
    /** Has the shortcuts hold that the person gave commands, by the commands' names. */
    adopt(shortcuts: Readonly<Record<string, readonly string[]>>): void {
      const known = commandIds.flatMap((id) => (shortcuts[id] ? [[id, shortcuts[id]] as const] : []));
      setState({ changed: Object.fromEntries(known) });
    },
    /** The next keys are not shortcuts but those that a command is given; null: it was given some, or none. */
    catchKeys: (catching: CommandId | null): void => setState({ catching }),
    /**
     * Does what keys stand for. False: nothing here listens to them.
     * @param isInQuestion whether the focus is in a question or a dialog, which has its own keys to run and count
     */
    press(pressed: Pressed, isInQuestion = false): boolean {
      if (getState().catching !== null) return false;
      const id = actions.commandOf(pressed);
      if (id === null || (isInQuestion && heardByQuestion.has(id))) return false;
      if (getState().open) {
        // Nothing behind the palette changes unseen; its own keys close it.
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
