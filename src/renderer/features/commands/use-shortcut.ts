import { useAppState } from '../../contexts.ts';
import type { CommandId } from './command-table.ts';
import { currentShortcuts } from './commands.ts';
import { isMac, shortcutText } from './keys.ts';

/** The first shortcut of a command for display; undefined: none. */
export function useShortcut(id: CommandId): string | undefined {
  const shortcut = useAppState('commands', (state) => currentShortcuts(state, id)[0]);
  return shortcut === undefined ? undefined : shortcutText(shortcut, isMac());
}
