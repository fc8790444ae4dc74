import { Settings2 } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import { useKeyShortcuts } from '../commands/context.ts';
import { useSettings, useSettingsActions } from './context.ts';

/** Opens and closes the settings. */
export function SettingsButton() {
  const isOpen = useSettings((state) => state.open);
  const { show } = useSettingsActions();
  const button = useKeyShortcuts('settings');
  return (
    <Button
      ref={button}
      variant="quiet"
      icon={Settings2}
      aria-label={words.settings.open}
      aria-expanded={isOpen}
      onPress={() => show(!isOpen)}
    />
  );
}
