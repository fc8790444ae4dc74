import type { Composition } from './compose.ts';
import type { Commands } from '../features/commands/commands.ts';

type Followers = Pick<Composition, 'settings' | 'help' | 'jobs' | 'endNotices' | 'fields' | 'sqlTables'>;

/** The effects between the stores of the window: no feature follows the store of another. */
export function followStores(parts: Followers): void {
  const { settings, help, jobs, endNotices, fields, sqlTables } = parts;
  settings.store.subscribe((now, before) => {
    // Both panels use the same side of the window.
    if (now.isOpen && !before.isOpen) help.actions.close();
    if (now.values.notifyWhenDone !== before.values.notifyWhenDone) endNotices.actions.update();
    if (now.stored.fieldUnits !== before.stored.fieldUnits) {
      fields.actions.updateUnits(now.stored, before.stored);
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
  { store }: Pick<Composition['settings'], 'store'>,
): void {
  actions.setShortcuts(store.getState().stored.shortcuts);
  store.subscribe(({ stored }, before) => {
    if (stored !== before.stored) actions.setShortcuts(stored.shortcuts);
  });
}
