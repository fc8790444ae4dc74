import type { Settings as SettingValues } from '../../shared/settings/settings.ts';
import type { Commands } from '../features/commands/commands.ts';
import type { Settings } from '../features/settings/settings.ts';
import { updateUnits } from '../features/datasets/field-catalogue.ts';
import { setFormatStyle } from '../format/numbers.ts';
import type { Composition } from './compose.ts';

type Followers = Pick<Composition, 'settings' | 'help' | 'jobs' | 'endNotices' | 'fields' | 'sqlTables'>;

/** The effects between the stores of the window: no feature follows the store of another. */
export function followStores(parts: Followers): void {
  const { settings, help, jobs, endNotices, fields, sqlTables } = parts;
  settings.store.subscribe((now, before) => {
    // Both panels use the same side of the window.
    if (now.isOpen && !before.isOpen) help.actions.close();
    if (now.values.notifyWhenDone !== before.values.notifyWhenDone) endNotices.actions.update();
    if (
      now.stored.fieldUnits !== before.stored.fieldUnits ||
      now.stored.uploadedUnits !== before.stored.uploadedUnits
    ) {
      updateUnits(fields, now.stored, before.stored);
      sqlTables.actions.updateUnits();
    }
  });
  help.store.subscribe(({ at }, before) => {
    if (at && !before.at) settings.actions.show(false);
  });
  jobs.store.subscribe((now, before) => {
    if (now.jobs !== before.jobs) endNotices.actions.notify(before.jobs, now.jobs);
  });
}

/** The user's shortcuts apply, now and after each change. */
export function followShortcuts(
  { actions }: Pick<Commands, 'actions'>,
  { store }: Pick<Settings, 'store'>,
): void {
  actions.setShortcuts(store.getState().stored.shortcuts);
  store.subscribe(({ stored }, before) => {
    if (stored !== before.stored) actions.setShortcuts(stored.shortcuts);
  });
}

/**
 * Applies the settings of the appearance, now and after each change.
 * @param root the element of the page that the style sheet asks for theme and motion
 */
export function applyAppearance({ store }: Pick<Settings, 'store'>, root: HTMLElement): void {
  const apply = ({ theme, motion, numbers, dates }: SettingValues): void => {
    // The style sheet handles what is left to the system.
    if (theme === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = theme;
    if (motion === 'system') delete root.dataset['motion'];
    else root.dataset['motion'] = motion;
    setFormatStyle({ numbers, dates });
  };
  apply(store.getState().values);
  store.subscribe(({ values }, before) => {
    if (values !== before.values) apply(values);
  });
}
