import { createStore } from 'zustand/vanilla';
import { type AppError, toAppError } from '../../../shared/errors/errors.ts';
import {
  type ChangedSettings,
  type KeptSettings,
  motions,
  nothingKept,
  type RememberedName,
  type SettingName,
  settingNames,
  type Settings as SettingValues,
  type SettingsChange,
  settingsOf,
  themes,
  withChange,
} from '../../../shared/settings/settings.ts';
import type { Api } from '../../api/api.ts';
import { followStream } from '../../state/follow-stream.ts';
import { words } from '../../words/words.ts';

const w = words.settings;

export interface SettingsState {
  /** Whether they are shown. */
  readonly open: boolean;
  /** Whether the application has said what is kept, or that it can't. */
  readonly heard: boolean;
  /** What the person has changed, the keys of commands too. */
  readonly kept: KeptSettings;
  /** All of them, as they hold now. */
  readonly values: SettingValues;
  /** What is to be said of the file: that something of it could not be read. */
  readonly problem: string | null;
  /** Why what is kept could not be read or changed; what was changed holds for this window all the same. */
  readonly error: AppError | null;
  /** What stood before the last reset, until something else is changed; null: nothing to take back. */
  readonly before: KeptSettings | null;
  /** What was done last, for whoever does not see it. */
  readonly said: string;
}

export interface SettingsNeeds {
  readonly api: { readonly settings: Api['settings']; readonly events: Pick<Api['events'], 'settings'> };
  readonly memory: SettingsMemory;
}

/**
 * What a person has set. A change holds at once, and is kept then; how it looked the last time holds until the application
 * has said what is kept.
 */
export function createSettings({ api, memory }: SettingsNeeds) {
  const store = createStore<SettingsState>()(() => {
    const kept = withChange(nothingKept, { set: memory.recall() });
    return {
      open: false,
      heard: false,
      kept,
      values: settingsOf(kept),
      problem: null,
      error: null,
      before: null,
      said: '',
    };
  });
  const { getState, setState } = store;
  /** What the application sent last. */
  let stored: KeptSettings = getState().kept;
  /** Changes that the application has not confirmed, oldest first: they apply on top of what it sends. */
  let unconfirmed: SettingsChange[] = [];

  function update(): void {
    const kept = unconfirmed.reduce(withChange, stored);
    // Views that show settings are not drawn again for what is only remembered.
    const isSame = JSON.stringify(kept.values) === JSON.stringify(getState().kept.values);
    setState(isSame ? { kept } : { kept, values: settingsOf(kept) });
    memory.remember(getState().values);
  }
  function receive(kept: KeptSettings): void {
    stored = kept;
    update();
    setState({ heard: true });
  }
  async function change(wanted: SettingsChange, said: string, before: KeptSettings | null): Promise<void> {
    setState({ said, before, error: null });
    await keep(wanted);
  }
  /** A change that could not be stored stays in effect in this window. */
  async function keep(wanted: SettingsChange): Promise<void> {
    unconfirmed = [...unconfirmed, wanted];
    update();
    const kept = await api.settings.change(wanted).catch((thrown: unknown) => toAppError(thrown));
    if ('code' in kept) {
      setState({ error: kept });
      return;
    }
    unconfirmed = unconfirmed.filter((change) => change !== wanted);
    receive(kept);
  }

  /** All stored settings. Until the application has sent them, the window knows only a part: not enough for an undo. */
  async function completeSettings(): Promise<KeptSettings> {
    if (!getState().heard) await actions.load();
    return getState().kept;
  }

  const placeOf = (name: RememberedName): PlaceMemory => ({
    getItem: () => getState().kept.remembered?.[name] ?? null,
    setItem(_key, text) {
      if (text !== getState().kept.remembered?.[name]) void keep({ remember: { [name]: text } });
    },
  });

  const actions = {
    /** What places of the window remember by themselves: no setting, and never reset. */
    places: { tour: placeOf('tour'), columns: placeOf('columns'), sections: placeOf('sections') },
    show: (open: boolean) => setState(open ? { open } : { open, before: null, said: '' }),
    /** Listens to what is changed, here and in other windows, until the signal aborts. */
    follow: (signal: AbortSignal) =>
      followStream(
        () => api.events.settings({}, { signal }),
        receive,
        // The window goes on without them.
        { signal, onError: () => setState({ heard: true }) },
      ),
    /** Reads what is kept once more, and says what is wrong with it. */
    async load() {
      try {
        const { problem, ...kept } = await api.settings.get({});
        receive(kept);
        setState({ error: null, ...(problem === null ? {} : { problem }) });
      } catch (thrown) {
        setState({ error: toAppError(thrown) });
      }
    },
    set(values: ChangedSettings) {
      const { values: old, kept } = getState();
      const now = settingsOf(withChange(kept, { set: values }));
      const also =
        now.csvDecimal !== old.csvDecimal && values.csvDecimal === undefined
          ? w.decimalToo(w.options.csvDecimal[now.csvDecimal])
          : now.csvDelimiter !== old.csvDelimiter && values.csvDelimiter === undefined
            ? w.delimiterToo(w.options.csvDelimiter[now.csvDelimiter])
            : '';
      void change({ set: values }, [w.changedSaid, also].filter(Boolean).join(' '), null);
    },
    async reset(name: SettingName) {
      const kept = await completeSettings();
      await change({ reset: [name] }, w.wasReset(w.names[name].name), kept);
    },
    /** Gives commands other keys; null: those that they had at first. */
    setKeys: (keys: Readonly<Record<string, readonly string[] | null>>, said: string) => {
      const shortcuts = Object.fromEntries(Object.entries(keys).map(([id, some]) => [id, some && [...some]]));
      const isReset = Object.values(keys).every((some) => some === null);
      void change({ shortcuts }, said, isReset ? getState().kept : null);
    },
    /** All settings and all keys as they were at first. */
    async resetAll() {
      const kept = await completeSettings();
      await change(backTo({ values: {}, shortcuts: {} }, kept), w.allReset, kept);
    },
    /** Takes the last reset back. */
    undo() {
      const { before, kept } = getState();
      if (before) void change(backTo(before, kept), w.undone, null);
    },
  };
  return { store, actions };
}

export type Settings = ReturnType<typeof createSettings>;

declare module '../../state/contexts.ts' {
  interface App {
    readonly settings: Settings;
  }
}

/** The change that leads back to what was kept before, from what is kept now. */
export function backTo(before: KeptSettings, now: KeptSettings): SettingsChange {
  const reset = settingNames.filter((name) => name in now.values && !(name in before.values));
  const gone = Object.keys(now.shortcuts).filter((id) => !(id in before.shortcuts));
  return {
    set: before.values,
    reset,
    shortcuts: { ...Object.fromEntries(gone.map((id) => [id, null])), ...before.shortcuts },
  };
}

/** What is seen of the settings before anything is drawn. */
export type Look = Pick<SettingValues, 'theme' | 'motion'>;

export type SettingsMemory = ReturnType<typeof settingsMemoryIn>;

/** What one place of the window remembers, whatever key it asks by: a text, as a storage of the page would keep it. */
export type PlaceMemory = Pick<Storage, 'getItem' | 'setItem'>;

const memoryKey = 'wellbench.look';

/**
 * What the window remembers of the settings, so that it is dark from the first on, and does not turn dark: in the local
 * storage of the page. What can't be read there is as the system says: the file is what counts.
 */
export function settingsMemoryIn(storage: Pick<Storage, 'getItem' | 'setItem'>) {
  const kept = (): string => {
    try {
      return storage.getItem(memoryKey) ?? '';
    } catch {
      return '';
    }
  };
  return {
    recall(): Look {
      const names = kept().split(' ');
      return {
        theme: themes.find((theme) => theme === names[0]) ?? 'system',
        motion: motions.find((motion) => motion === names[1]) ?? 'system',
      };
    },
    remember({ theme, motion }: Look) {
      try {
        storage.setItem(memoryKey, `${theme} ${motion}`);
      } catch {
        // A page without storage asks the application each time.
      }
    },
  };
}
