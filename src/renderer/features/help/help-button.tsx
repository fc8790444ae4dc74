import { CircleQuestionMark } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import { useHelp, useHelpActions } from './context.ts';

/** Opens and closes the guide; F1 does so from anywhere. */
export function HelpButton() {
  const isOpen = useHelp((state) => state.at !== null);
  const { open, close } = useHelpActions();
  const toggle = () => (isOpen ? close() : open());
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'F1') return;
    event.preventDefault();
    event.stopPropagation();
    toggle();
  });
  useEffect(() => {
    // Before the editor, which has a list of its own commands behind this key.
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, []);
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
