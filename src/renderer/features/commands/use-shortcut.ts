import { useEffect, useRef, type RefObject } from 'react';
import { useAppState } from '../../contexts.ts';
import type { CommandId } from './command-table.ts';
import { currentShortcuts } from './commands.ts';
import { isMac, shortcutForReader, shortcutText } from './keys.ts';

/** The first shortcut of a command for display; undefined: none. */
export function useShortcut(id: CommandId): string | undefined {
  const shortcut = useAppState('commands', (state) => currentShortcuts(state, id)[0]);
  return shortcut === undefined ? undefined : shortcutText(shortcut, isMac());
}

/** Announces a command's first shortcut on its button, through the ref: the library drops the attribute. */
export function useKeyShortcuts(id: CommandId): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const shortcut = useAppState('commands', (state) => currentShortcuts(state, id)[0]);
  useEffect(() => {
    if (shortcut === undefined) button.current?.removeAttribute('aria-keyshortcuts');
    else button.current?.setAttribute('aria-keyshortcuts', shortcutForReader(shortcut, isMac()));
  }, [shortcut]);
  return button;
}
