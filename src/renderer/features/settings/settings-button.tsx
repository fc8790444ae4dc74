import { Settings2 } from 'lucide-react';
import { words } from '../../words/words.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { useApp, useAppState } from '../../contexts.ts';

export function SettingsButton() {
  const isOpen = useAppState('settings', (state) => state.isOpen);
  const { show } = useApp().settings.actions;
  return (
    <CommandButton
      command="settings"
      icon={Settings2}
      aria-label={words.settings.open}
      aria-expanded={isOpen}
      onPress={() => show(!isOpen)}
    />
  );
}
