import type { Settings as SettingValues } from '../../../shared/settings/settings.ts';
import { setFormatStyle } from '../../format/style.ts';
import type { Settings } from './settings.ts';

/** Applies the settings of the appearance, now and after each change. */
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
