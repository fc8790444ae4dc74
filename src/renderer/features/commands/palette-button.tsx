import { SquareTerminal } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import { useCommands, useCommandsActions, useKeyShortcuts } from './context.ts';

/** Opens the list of everything that can be done now. */
export function PaletteButton() {
  const isOpen = useCommands((state) => state.open);
  const { show } = useCommandsActions();
  const button = useKeyShortcuts('palette');
  return (
    <Button
      ref={button}
      variant="quiet"
      icon={SquareTerminal}
      aria-label={words.commands.open}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onPress={() => show(true)}
    />
  );
}
