import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { useApp, useAppState } from '../../state/contexts.ts';
import type { CommandId } from './command-table.ts';
import { shortcutsNow } from './commands.ts';
import { onMac, shortcutForReader, shortcutInWords } from './keys.ts';

/** Has a command do something for as long as this part of the window is there; null: it can't be done now. */
export function useCommand(id: CommandId, act: (() => void) | null): void {
  const { offer } = useApp().commands.actions;
  const now = useEffectEvent(() => act);
  useEffect(() => offer(id, () => now()), [id, offer]);
}

/** The first shortcut of a command, as it stands on the keyboard; undefined: it has none. */
export function useShortcut(id: CommandId): string | undefined {
  const shortcut = useAppState('commands', (state) => shortcutsNow(state, id)[0]);
  return shortcut === undefined ? undefined : shortcutInWords(shortcut, onMac());
}

/**
 * Tells a screen reader the first shortcut of a command, on the button that does the same: it is given the ref. The
 * library hands no such attribute on.
 */
export function useKeyShortcuts(id: CommandId): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const shortcut = useAppState('commands', (state) => shortcutsNow(state, id)[0]);
  useEffect(() => {
    if (shortcut === undefined) button.current?.removeAttribute('aria-keyshortcuts');
    else button.current?.setAttribute('aria-keyshortcuts', shortcutForReader(shortcut, onMac()));
  }, [shortcut]);
  return button;
}
