import { featureContext } from '../../state/context.tsx';
import type { SettingsActions, SettingsState } from './settings.ts';

export const {
  Provide: ProvideSettings,
  useState: useSettings,
  useActions: useSettingsActions,
} = featureContext<SettingsState, SettingsActions>('settings');
