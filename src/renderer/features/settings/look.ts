import type { Settings as SettingValues } from '../../../shared/settings/settings.ts';
import { setFormatStyle } from '../../format/style.ts';
import type { Settings } from './settings.ts';

/** What of the settings is seen everywhere is put in its place, now and after each change. */
export function followLook({ store }: Pick<Settings, 'store'>, root: HTMLElement): void {
  const put = ({ theme, motion, numbers, dates }: SettingValues): void => {
    // What is left to the system is left to the style sheet.
    if (theme === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = theme;
    if (motion === 'system') delete root.dataset['motion'];
    else root.dataset['motion'] = motion;
    setFormatStyle({ numbers, dates });
  };
  put(store.getState().values);
  store.subscribe(({ values }, before) => {
    if (values !== before.values) put(values);
  });
}
