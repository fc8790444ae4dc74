import { useEffect, useEffectEvent } from 'react';
import { featureContext } from '../../state/context.tsx';
import type { CommandId } from './command-table.ts';
import { shortcutsNow, type CommandsActions, type CommandsState } from './commands.ts';
import { onMac, shortcutInWords } from './keys.ts';

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
