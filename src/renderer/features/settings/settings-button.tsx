import { Settings2 } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import { useKeyShortcuts, useShortcut } from '../commands/use-shortcut.ts';
import { useApp, useAppState } from '../../contexts.ts';

export function SettingsButton() {
  const isOpen = useAppState('settings', (state) => state.isOpen);
  const { show } = useApp().settings.actions;
  const button = useKeyShortcuts('settings');
  const keys = useShortcut('settings');
  return (
    <Button
      ref={button}
      variant="quiet"
      icon={Settings2}
      isWorded
      aria-label={words.settings.open}
      keys={keys}
      aria-expanded={isOpen}
      onPress={() => show(!isOpen)}
    />
  );
}
