import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { featureContext } from '../../state/context.tsx';
import type { CommandId } from './command-table.ts';
import { shortcutsNow, type CommandsActions, type CommandsState } from './commands.ts';
import { onMac, shortcutForReader, shortcutInWords } from './keys.ts';

export const {
  Provide: ProvideCommands,
  useState: useCommands,
  useActions: useCommandsActions,
} = featureContext<CommandsState, CommandsActions>('commands');

/** Has a command do something for as long as this part of the window is there; null: it can't be done now. */
export function useCommand(id: CommandId, act: (() => void) | null): void {
  const { offer } = useCommandsActions();
  const now = useEffectEvent(() => act);
  useEffect(() => offer(id, () => now()), [id, offer]);
}

/** The first shortcut of a command, as it stands on the keyboard; undefined: it has none. */
export function useShortcut(id: CommandId): string | undefined {
  const shortcut = useCommands((state) => shortcutsNow(state, id)[0]);
  return shortcut === undefined ? undefined : shortcutInWords(shortcut, onMac());
}

/**
 * Tells a screen reader the first shortcut of a command, on the button that does the same: it is given the ref. The
 * library hands no such attribute on.
 */
export function useKeyShortcuts(id: CommandId): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const shortcut = useCommands((state) => shortcutsNow(state, id)[0]);
  useEffect(() => {
    if (shortcut === undefined) button.current?.removeAttribute('aria-keyshortcuts');
    else button.current?.setAttribute('aria-keyshortcuts', shortcutForReader(shortcut, onMac()));
  }, [shortcut]);
  return button;
}
