import { CircleQuestionMark } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import { useHelp, useHelpActions } from './context.ts';

/** Opens and closes the guide. */
export function HelpButton() {
  const isOpen = useHelp((state) => state.at !== null);
  const { open, close } = useHelpActions();
  const toggle = () => (isOpen ? close() : open());
  return (
    <Button
      variant="quiet"
      icon={CircleQuestionMark}
      aria-label={words.help.open}
      aria-expanded={isOpen}
      onPress={toggle}
    />
  );
}
