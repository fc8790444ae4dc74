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
  fieldsKey,
  withChange,
} from '../../../shared/settings/settings.ts';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { Api } from '../../api/api.ts';
import { followStream } from '../../state/follow-stream.ts';
import { words } from '../../words/words.ts';

const w = words.settings;

export interface SettingsState {
  readonly isOpen: boolean;
  readonly search: string;
  /** Whether the application has sent the stored settings, or that it can't. */
  readonly isLoaded: boolean;
  /** The settings and shortcuts that the user changed. */
  readonly stored: KeptSettings;
  readonly values: SettingValues;
  /** Why a part of the file could not be read. */
  readonly problem: string | null;
  /** Why settings could not be read or stored; changes apply to this window in any case. */
  readonly error: AppError | null;
  /** What the last reset changed, as it was before, until the next change; null: nothing to undo. */
  readonly previous: SettingsChange | null;
  /** The last action, for screen readers. */
  readonly notice: string;
}

export interface SettingsDependencies {
  readonly api: { readonly settings: Api['settings']; readonly events: Pick<Api['events'], 'settings'> };
  readonly memory: ReturnType<typeof createSettingsMemory>;
}

/**
 * The user's settings. A change applies immediately and is then stored. Until the application has sent the
 * settings, those that the window stored apply.
 */
export function createSettings({ api, memory }: SettingsDependencies) {
  const store = createStore<SettingsState>()(() => {
    const kept = withChange(nothingKept, { set: memory.recall() });
    return {
      isOpen: false,
      search: '',
      isLoaded: false,
      stored: kept,
      values: settingsOf(kept),
      problem: null,
      error: null,
      previous: null,
      notice: '',
    };
  });
  const { getState, setState } = store;
  /** What the application sent last. */
  let stored: KeptSettings = getState().stored;
  /** Changes that the application has not answered, oldest first: they apply on top of what it sends. */
  let pending: SettingsChange[] = [];

  function apply(...changes: SettingsChange[]): void {
    const kept = changes.reduce(withChange, getState().stored);
    // Views don't render again for values that only places of the window store.
    const isSame = JSON.stringify(kept.values) === JSON.stringify(getState().stored.values);
    setState(isSame ? { stored: kept } : { stored: kept, values: settingsOf(kept) });
    memory.remember(getState().values);
  }
  /** A change that could not be stored stays in effect in this window, until the same is changed again, in any window. */
  function receive(kept: KeptSettings): void {
    const changed = changeBetween(stored, kept);
    stored = kept;
    apply(changed, ...pending);
    setState({ isLoaded: true });
  }
  async function change(wanted: SettingsChange, notice: string, canUndo = false): Promise<void> {
    const { stored: now } = getState();
    const previous = canUndo ? changeBetween(withChange(now, wanted), now) : null;
    setState({ notice, previous, error: null });
    await keep(wanted);
  }
  async function keep(wanted: SettingsChange): Promise<void> {
    pending = [...pending, wanted];
    apply(wanted);
    const kept = await api.settings.change(wanted).catch((thrown: unknown) => toAppError(thrown));
    pending = pending.filter((change) => change !== wanted);
    if ('code' in kept) {
      setState({ error: kept });
      return;
    }
    receive(kept);
  }

  /** All stored settings. Before the application has sent them, the window has only some, so nothing can be undone. */
  async function completeSettings(): Promise<KeptSettings> {
    if (!getState().isLoaded) await actions.load();
    return getState().stored;
  }

  const placeOf = (name: RememberedName): PlaceMemory => ({
    getItem: () => getState().stored.remembered?.[name] ?? null,
    setItem(_key, text) {
      if (text !== getState().stored.remembered?.[name]) void keep({ remember: { [name]: text } });
    },
  });

  const actions = {
    /** States of places in the window. They are not settings and are never reset. */
    places: {
      columns: placeOf('columns'),
      panel: placeOf('panel'),
      sections: placeOf('sections'),
      connections: placeOf('connections'),
      query: placeOf('query'),
      export: placeOf('export'),
    },
    show: (isOpen: boolean) =>
      setState(isOpen ? { isOpen } : { isOpen, search: '', previous: null, notice: '' }),
    find: (search: string) => setState({ isOpen: true, search }),
    seek: (search: string) => setState({ search }),
    /** Updates the settings after changes in any window, until the signal aborts. */
    follow: (signal: AbortSignal) =>
      followStream(
        () => api.events.settings({}, { signal }),
        receive,
        // The window works without them.
        { signal, onError: () => setState({ isLoaded: true }) },
      ),
    /** Reads the stored settings again, and shows problems. */
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
      const { values: old, stored: kept } = getState();
      const now = settingsOf(withChange(kept, { set: values }));
      const also =
        now.csvDecimal !== old.csvDecimal && values.csvDecimal === undefined
          ? w.decimalToo(w.options.csvDecimal[now.csvDecimal])
          : now.csvDelimiter !== old.csvDelimiter && values.csvDelimiter === undefined
            ? w.delimiterToo(w.options.csvDelimiter[now.csvDelimiter])
            : '';
      void change({ set: values }, [w.changedSaid, also].filter(Boolean).join(' '));
    },
    async reset(name: SettingName) {
      await completeSettings();
      await change({ reset: [name] }, w.wasReset(w.names[name].name), true);
    },
    /** Changes the shortcuts of commands; null: the defaults. */
    setKeys: (keys: Readonly<Record<string, readonly string[] | null>>, notice: string) => {
      const shortcuts = Object.fromEntries(Object.entries(keys).map(([id, some]) => [id, some && [...some]]));
      const isReset = Object.values(keys).every((some) => some === null);
      void change({ shortcuts }, notice, isReset);
    },
    /** Replaces the user's names of a channel; without names, its entry is removed. */
    setChannelNames(channel: string, names: readonly string[]) {
      void change({ channelNames: { [channel]: [...names] } }, w.changedSaid, names.length === 0);
    },
    /** Sets the unit in which a field is stored, and its name; null: those of its definition. Absent: as before. */
    async setField(
      of: DatasetAddress,
      path: string,
      { unit, name }: { readonly unit?: string | null; readonly name?: string | null },
    ): Promise<void> {
      const key = fieldsKey(of);
      const units = unit === undefined ? {} : { fieldUnits: { [key]: { [path]: unit } } };
      const uploaded = unit === null ? { uploadedUnits: { [key]: { [path]: null } } } : {};
      const names = name === undefined ? {} : { fieldNames: { [key]: { [path]: name } } };
      await change({ ...units, ...uploaded, ...names }, w.changedSaid);
    },
    /** The user's names of channels as a file. @throws AppError */
    channelNamesFile: (signal: AbortSignal) => api.settings.exportChannelNames({}, { signal }),
    /** Adds the names of a file. Returns their number. @throws AppError */
    async importChannelNames(file: File): Promise<number> {
      const { settings, added } = await api.settings.importChannelNames({
        name: file.name,
        text: await file.text(),
      });
      receive(settings);
      setState({ notice: '', previous: null });
      return added;
    },
    async resetAll() {
      const kept = await completeSettings();
      await change(changeBetween(kept, { ...kept, values: {}, shortcuts: {} }), w.allReset, true);
    },
    /** Undoes the last reset. */
    undo() {
      const { previous } = getState();
      if (previous) void change(previous, w.undone);
    },
  };
  return { store, actions };
}

export type Settings = ReturnType<typeof createSettings>;

/** The change from some settings to others. Places of the window are never removed. */
function changeBetween(before: KeptSettings, after: KeptSettings): SettingsChange {
  const set: ChangedSettings = { ...after.values };
  for (const name of settingNames) if (set[name] === before.values[name]) delete set[name];
  return {
    set,
    reset: settingNames.filter((name) => name in before.values && !(name in after.values)),
    shortcuts: difference(before.shortcuts, after.shortcuts, null),
    channelNames: difference(before.channelNames, after.channelNames, []),
    fieldUnits: differenceByDataset(before.fieldUnits, after.fieldUnits),
    uploadedUnits: differenceByDataset(before.uploadedUnits, after.uploadedUnits),
    fieldNames: differenceByDataset(before.fieldNames, after.fieldNames),
    remember: difference(before.remembered, { ...before.remembered, ...after.remembered }, ''),
  };
}

/** The entries of one record that another lacks or has otherwise, and `removed` for those that only the other has. */
function difference<T, R>(before: Record<string, T> = {}, after: Record<string, T> = {}, removed: R) {
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]),
  );
  const missing = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return Object.fromEntries<T | R>([...changed, ...missing.map((key) => [key, removed] as const)]);
}

function differenceByDataset(
  before: KeptSettings['fieldUnits'] = {},
  after: KeptSettings['fieldUnits'] = {},
) {
  const datasets = Object.keys({ ...before, ...after });
  return Object.fromEntries(datasets.map((name) => [name, difference(before[name], after[name], null)]));
}

/** Settings that must apply before the first drawing. */
export type Appearance = Pick<SettingValues, 'theme' | 'motion'>;

/** The storage of one part of the window: a text under any key, as in a storage of the page. */
export type PlaceMemory = Pick<Storage, 'getItem' | 'setItem'>;

const memoryKey = 'wellbench.look';

/**
 * A copy of the settings in the page's local storage, so that a dark window is dark from the start. If it can't be read, the
 * system's theme applies until the file is read.
 */
export function createSettingsMemory(storage: Pick<Storage, 'getItem' | 'setItem'>) {
  const kept = (): string => {
    try {
      return storage.getItem(memoryKey) ?? '';
    } catch {
      return '';
    }
  };
  return {
    recall(): Appearance {
      const names = kept().split(' ');
      return {
        theme: themes.find((theme) => theme === names[0]) ?? 'system',
        motion: motions.find((motion) => motion === names[1]) ?? 'system',
      };
    },
    remember({ theme, motion }: Appearance) {
      try {
        storage.setItem(memoryKey, `${theme} ${motion}`);
      } catch {
        // A page without storage asks the application each time.
      }
    },
  };
}
