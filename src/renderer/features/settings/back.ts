import { settingNames, type KeptSettings, type SettingsChange } from '../../../shared/settings/settings.ts';

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
