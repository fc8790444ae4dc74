import { CircleQuestionMark } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { useShortcut } from '../commands/use-shortcut.ts';
import { words } from '../../words/words.ts';
import { helpHere } from './help-here.ts';

/** Opens and closes the guide. */
export function HelpButton() {
  const isOpen = useAppState('help', (state) => state.at !== null);
  const { open, close } = useApp().help.actions;
  const keys = useShortcut('help');
  const toggle = () => (isOpen ? close() : open(helpHere()));
  return (
    <Button
      variant="quiet"
      icon={CircleQuestionMark}
      isWorded
      aria-label={words.help.open}
      keys={keys}
      aria-expanded={isOpen}
      onPress={toggle}
    />
  );
}
