import { commandIds, commandTable, type CommandId, type Shortcuts } from '../commands/command-table.ts';
import { currentShortcuts } from '../commands/commands.ts';
import { entryGroups } from '../commands/entries.ts';
import { isMac, shortcutText } from '../commands/keys.ts';
import { useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { commandMatchesSearch } from './setting-table.ts';
import { ShortcutRow } from './shortcut-row.tsx';

/** The shortcuts of a command for display. */
const keysOf = (customShortcuts: Partial<Shortcuts>, id: CommandId): string[] =>
  currentShortcuts({ customShortcuts }, id).map((one) => shortcutText(one, isMac()));

/** The commands that match the search. */
export function useMatchingCommands(sought: string): readonly CommandId[] {
  const changed = useAppState('commands', (state) => state.customShortcuts);
  return commandIds.filter((id) => sought === '' || commandMatchesSearch(id, keysOf(changed, id), sought));
}

/** Commands by group, with their shortcuts. */
export function ShortcutList({ commands }: { commands: readonly CommandId[] }) {
  const changed = useAppState('commands', (state) => state.customShortcuts);
  return entryGroups.map((group) => {
    const some = commands.filter((id) => commandTable[id].group === group);
    if (some.length === 0) return null;
    const name = words.commands.groups[group];
    return (
      <div key={group}>
        <h4 id={`settings-keys-${group}`} className="quiet settings-group small">
          {name}
        </h4>
        <ul aria-labelledby={`settings-keys-${group}`}>
          {some.map((id) => (
            <ShortcutRow key={id} id={id} keys={keysOf(changed, id)} isChanged={id in changed} />
          ))}
        </ul>
      </div>
    );
  });
}
