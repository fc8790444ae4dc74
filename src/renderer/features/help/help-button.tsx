import { CircleQuestionMark } from 'lucide-react';
import { useApp, useAppState } from '../../contexts.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { words } from '../../words/words.ts';
import { helpHere } from './help-here.ts';

/** Opens and closes the guide. */
export function HelpButton() {
  const isOpen = useAppState('help', (state) => state.at !== null);
  const { open, close } = useApp().help.actions;
  return (
    <CommandButton
      command="help"
      icon={CircleQuestionMark}
      aria-label={words.help.open}
      aria-expanded={isOpen}
      onPress={() => (isOpen ? close() : open(helpHere()))}
    />
  );
}
