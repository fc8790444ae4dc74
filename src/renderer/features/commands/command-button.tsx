import { SquareTerminal } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import type { CommandId } from './command-table.ts';
import { currentShortcuts } from './commands.ts';
import { isMac, shortcutForReader, shortcutText } from './keys.ts';

interface CommandButtonProps extends Pick<
  ButtonProps,
  'icon' | 'onPress' | 'aria-label' | 'aria-expanded' | 'aria-haspopup'
> {
  readonly command: CommandId;
}

export function CommandButton({ command, ...props }: CommandButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const keys = useShortcut(command);
  const shortcut = useAppState('commands', (state) => currentShortcuts(state, command)[0]);
  useEffect(() => {
    // The library drops the attribute.
    if (shortcut === undefined) button.current?.removeAttribute('aria-keyshortcuts');
    else button.current?.setAttribute('aria-keyshortcuts', shortcutForReader(shortcut, isMac()));
  }, [shortcut]);
  return <Button {...props} ref={button} variant="quiet" isWorded keys={keys} />;
}

export function PaletteButton() {
  const isOpen = useAppState('commands', (state) => state.open);
  const { show } = useApp().commands.actions;
  return (
    <CommandButton
      command="palette"
      icon={SquareTerminal}
      aria-label={words.commands.open}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onPress={() => show(true)}
    />
  );
}

/** The first shortcut of a command for display; undefined: none. */
export function useShortcut(id: CommandId): string | undefined {
  const shortcut = useAppState('commands', (state) => currentShortcuts(state, id)[0]);
  return shortcut === undefined ? undefined : shortcutText(shortcut, isMac());
}
