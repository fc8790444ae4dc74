import { afterEach, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { formatCount, setFormatStyle } from '../../../src/renderer/format/numbers.ts';
import { applyAppearance } from '../../../src/renderer/app/follow.ts';
import type { SettingsState } from '../../../src/renderer/features/settings/settings.ts';
import { defaultSettings, nothingKept, type Settings } from '../../../src/shared/settings/settings.ts';

afterEach(() => setFormatStyle({ numbers: 'locale', dates: 'iso' }));

it('theme and motion are set on the page when they differ from the system’s, and numbers use the set format', () => {
  const store = createStore<SettingsState>()(() => ({
    isOpen: false,
    search: '',
    isLoaded: true,
    stored: nothingKept,
    values: defaultSettings,
    problem: null,
    error: null,
    previous: null,
    notice: '',
  }));
  const dataset: Record<string, string> = { theme: 'dark' };
  const set = (values: Partial<Settings>) => store.setState({ values: { ...defaultSettings, ...values } });
  applyAppearance({ store }, { dataset } as unknown as HTMLElement);
  expect(dataset).toEqual({});
  set({ theme: 'light', motion: 'still', numbers: 'plain' });
  expect(dataset).toEqual({ theme: 'light', motion: 'still' });
  expect(formatCount(1_234_567)).toBe('1234567');
  set({});
  expect(dataset).toEqual({});
  expect(formatCount(1_234_567)).toBe('1,234,567');
});
