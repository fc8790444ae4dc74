import { describe, expect, it, vi } from 'vitest';
import {
  createSettings,
  createSettingsMemory,
  type SettingsDependencies,
} from '../../../../src/renderer/features/settings/settings.ts';
import { words } from '../../../../src/renderer/words/words.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import {
  type KeptSettings,
  nothingKept,
  type SettingsChange,
  settingsChange,
  withChange,
} from '../../../../src/shared/settings/settings.ts';

const dark: KeptSettings = { values: { theme: 'dark' }, shortcuts: {} };

/** A window with an application that stores settings once the test lets it. */
function create({
  remembered = '',
  kept: first = nothingKept,
}: { remembered?: string; kept?: KeptSettings } = {}) {
  let kept = first;
  let may = Promise.resolve();
  let failing: AppError | null = null;
  const received = Promise.withResolvers<void>();
  const news = Promise.withResolvers<KeptSettings>();
  const ending = new AbortController();
  const written = vi.fn<(text: string) => void>();
  const needs = {
    api: {
      settings: {
        get: async () => {
          if (failing) throw failing;
          return { ...kept, problem: null };
        },
        importChannelNames: async ({ name }: { name: string }) => {
          kept = withChange(kept, { channelNames: { [name]: ['Imported'] } });
          return { settings: kept, added: 1 };
        },
        change: async (change: SettingsChange) => {
          await may;
          if (failing) throw failing;
          kept = withChange(kept, settingsChange.parse(change));
          return kept;
        },
      },
      events: {
        settings: async () =>
          (async function* all() {
            if (failing) throw failing;
            yield kept;
            yield await news.promise;
            ending.abort();
            received.resolve();
          })(),
      },
    },
    memory: createSettingsMemory({ getItem: () => remembered, setItem: (_key, text) => written(text) }),
  } as unknown as SettingsDependencies;
  const feature = createSettings(needs);
  return {
    ...feature,
    state: feature.store.getState,
    kept: () => kept,
    /** Another window changes what is stored; this one has not heard of it. */
    changeInOtherWindow: (change: SettingsChange) => void (kept = withChange(kept, change)),
    written,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      may = promise;
      return resolve;
    },
    fail: (error: AppError | null) => (failing = error),
    tell: news.resolve,
    received: received.promise,
    follow: () => feature.actions.follow(ending.signal),
  };
}

describe('settings of the window', () => {
  it('are the last known ones until the application reports the stored ones', async () => {
    const { state, tell, follow, received, written } = create({ remembered: 'dark still' });
    expect(state()).toMatchObject({ isLoaded: false, values: { theme: 'dark', motion: 'still' } });
    void follow();
    await vi.waitFor(() => expect(state().values.theme).toBe('system'));
    tell({ values: { theme: 'light' }, shortcuts: {} });
    await received;
    expect(state().values.theme).toBe('light');
    expect(state().isLoaded).toBe(true);
    expect(written).toHaveBeenLastCalledWith('light system');
  });

  it('do not block the window when the application can’t read them', async () => {
    const { state, fail, follow } = create({ remembered: 'dark system' });
    fail(new AppError('file_too_new', { file: 'settings.json', format: 2 }));
    void follow();
    await vi.waitFor(() => expect(state().isLoaded).toBe(true));
    expect(state().values.theme).toBe('dark');
  });

  it('are the defaults when the local copy can’t be read', () => {
    for (const remembered of ['', 'pink', ' dark', '__proto__ constructor'])
      expect(create({ remembered }).state().values).toMatchObject({ theme: 'system', motion: 'system' });
  });

  it('apply immediately, whatever arrives while they are being stored', async () => {
    const { state, actions, hold, kept, tell, follow, received } = create();
    const let_ = hold();
    actions.set({ theme: 'dark' });
    void follow();
    tell({ values: { theme: 'light' }, shortcuts: {} });
    await received;
    expect(state().values.theme).toBe('dark');
    let_();
    await vi.waitFor(() => expect(kept()).toEqual(dark));
    expect(state().values.theme).toBe('dark');
  });

  it('apply to this window when they can’t be stored, which is reported until they can', async () => {
    const { state, actions, fail } = create();
    fail(new AppError('file_too_new', { file: 'settings.json', format: 2 }));
    actions.set({ theme: 'dark' });
    await vi.waitFor(() => expect(state().error?.code).toBe('file_too_new'));
    expect(state().values.theme).toBe('dark');
    fail(null);
    await actions.load();
    expect(state().error).toBeNull();
  });

  it('that could not be stored give way to later values of any window', async () => {
    const { state, actions, fail, kept, changeInOtherWindow } = create({ kept: dark });
    const { columns, panel } = actions.places;
    await actions.load();
    fail(new AppError('disk_full', { file: 'settings.json', writtenBytes: 0 }));
    actions.set({ theme: 'light', limit: 5, dates: 'locale' });
    columns.setItem('', '[30,70]');
    panel.setItem('', '[10,90]');
    await vi.waitFor(() => expect(state().error?.code).toBe('disk_full'));
    fail(null);
    actions.set({ theme: 'dark' });
    columns.setItem('', '[40,60]');
    await vi.waitFor(() => expect(kept().remembered).toEqual({ columns: '[40,60]' }));
    expect(state().values).toMatchObject({ theme: 'dark', limit: 5, dates: 'locale' });
    changeInOtherWindow({ set: { theme: 'light', limit: 7 }, remember: { columns: '[50,50]' } });
    await actions.load();
    expect(state().values).toMatchObject({ theme: 'light', limit: 7, dates: 'locale' });
    expect([columns.getItem(''), panel.getItem('')]).toEqual(['[50,50]', '[10,90]']);
  });

  it('that were changed in another window since a reset are not undone with it', async () => {
    const { state, actions, kept, changeInOtherWindow } = create({
      kept: {
        values: { csvDecimal: ',', csvDelimiter: ';', limit: 5 },
        shortcuts: { save: ['Mod+J'], help: ['F2'] },
        channelNames: { rop: ['Speed'] },
      },
    });
    await actions.load();
    await actions.reset('csvDelimiter');
    expect(kept().values).toEqual({ limit: 5 });
    const since = { set: { limit: 9 }, shortcuts: { help: ['F4'] }, channelNames: { wob: ['Load'] } };
    changeInOtherWindow(since);
    actions.undo();
    const channelNames = { rop: ['Speed'], wob: ['Load'] };
    const all = { csvDecimal: ',', csvDelimiter: ';', limit: 9 };
    await vi.waitFor(() =>
      expect(kept()).toEqual({ values: all, shortcuts: { save: ['Mod+J'], help: ['F4'] }, channelNames }),
    );
    changeInOtherWindow({ channelNames: { rop: ['Rate'] } });
    await actions.resetAll();
    expect(state().stored).toEqual({ ...nothingKept, channelNames: { ...channelNames, rop: ['Rate'] } });
  });

  it('of channels that were imported end what can be undone', async () => {
    const { state, actions, kept } = create({ kept: dark });
    await actions.resetAll();
    await actions.importChannelNames(new File([''], 'rop'));
    expect([state().previous, state().notice]).toEqual([null, '']);
    actions.undo();
    await actions.load();
    expect(kept()).toEqual({ ...nothingKept, channelNames: { rop: ['Imported'] } });
  });

  it('are reset one by one or all together, with an undo', async () => {
    const { state, actions, kept } = create({
      kept: { values: { theme: 'dark', limit: 5 }, shortcuts: { save: ['Mod+J'] } },
    });
    await actions.load();
    await actions.reset('theme');
    expect(state().stored).toEqual({ values: { limit: 5 }, shortcuts: { save: ['Mod+J'] } });
    expect(state().notice).toBe(words.settings.wasReset(words.settings.names.theme.name));
    actions.undo();
    expect(state().values.theme).toBe('dark');
    await actions.resetAll();
    expect(state().stored).toEqual(nothingKept);
    actions.undo();
    await vi.waitFor(() =>
      expect(kept()).toEqual({ values: { theme: 'dark', limit: 5 }, shortcuts: { save: ['Mod+J'] } }),
    );
    expect(state().previous).toBeNull();
  });

  it('are not reset when another one was changed since', async () => {
    const { state, actions } = create({ kept: dark });
    await actions.resetAll();
    actions.set({ limit: 7 });
    expect(state().previous).toBeNull();
    actions.undo();
    expect(state().stored.values).toEqual({ limit: 7 });
  });

  it('are all read before a reset, so that an undo restores all of them', async () => {
    const { state, actions } = create({ kept: dark });
    expect(state().isLoaded).toBe(false);
    await actions.resetAll();
    actions.undo();
    expect(state().stored).toEqual(dark);
  });

  it('report which setting the selected one disables', () => {
    const { state, actions } = create();
    actions.set({ csvDecimal: ',' });
    expect(state().values).toMatchObject({ csvDecimal: ',', csvDelimiter: ';' });
    expect(state().notice).toContain(words.settings.options.csvDelimiter[';']);
    actions.set({ csvDelimiter: ',' });
    expect(state().values).toMatchObject({ csvDecimal: '.', csvDelimiter: ',' });
    expect(state().notice).toContain(words.settings.options.csvDecimal['.']);
  });

  it('include view state that no reset affects and no change redraws', async () => {
    const { state, actions, kept } = create({ kept: dark });
    const { columns, panel } = actions.places;
    await actions.load();
    const { values } = state();
    columns.setItem('any key', '[30,70]');
    await vi.waitFor(() => expect(kept().remembered).toEqual({ columns: '[30,70]' }));
    expect([columns.getItem('another'), panel.getItem('')]).toEqual(['[30,70]', null]);
    expect(state().values).toBe(values);
    expect(state().notice).toBe('');
    await actions.resetAll();
    await vi.waitFor(() => expect(kept().values).toEqual({}));
    expect(columns.getItem('')).toBe('[30,70]');
  });
});
