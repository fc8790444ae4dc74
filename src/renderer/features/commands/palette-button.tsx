import { SquareTerminal } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { useKeyShortcuts, useShortcut } from './use-shortcut.ts';

/** Opens the command palette. */
export function PaletteButton() {
  const isOpen = useAppState('commands', (state) => state.open);
  const { show } = useApp().commands.actions;
  const button = useKeyShortcuts('palette');
  const keys = useShortcut('palette');
  return (
    <Button
      ref={button}
      variant="quiet"
      icon={SquareTerminal}
      isWorded
      aria-label={words.commands.open}
      keys={keys}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onPress={() => show(true)}
    />
  );
}
