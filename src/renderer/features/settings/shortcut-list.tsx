import { commandIds, commandTable, type CommandId, type Shortcuts } from '../commands/command-table.ts';
import { currentShortcuts } from '../commands/commands.ts';
import { entryGroups } from '../commands/entries.ts';
import { isMac, shortcutText } from '../commands/keys.ts';
import { useAppState, useApp } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { commandMatchesSearch } from './setting-table.ts';
import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { ChangedMark } from './changed-mark.tsx';
import { ShortcutRecorder } from './shortcut-recorder.tsx';

const keysOf = (customShortcuts: Partial<Shortcuts>, id: CommandId): string[] =>
  currentShortcuts({ customShortcuts }, id).map((shortcut) => shortcutText(shortcut, isMac()));

/** The commands that match the search. */
export function useMatchingCommands(search: string): readonly CommandId[] {
  const changed = useAppState('commands', (state) => state.customShortcuts);
  return commandIds.filter((id) => commandMatchesSearch(id, keysOf(changed, id), search));
}

/** Commands by group, with their shortcuts. */
export function ShortcutList({ commands }: { commands: readonly CommandId[] }) {
  const changed = useAppState('commands', (state) => state.customShortcuts);
  return entryGroups.map((group) => {
    const groupCommands = commands.filter((id) => commandTable[id].group === group);
    if (groupCommands.length === 0) return null;
    const name = words.commands.groups[group];
    return (
      <div key={group}>
        <h4 id={`settings-keys-${group}`} className="quiet settings-group small">
          {name}
        </h4>
        <ul aria-labelledby={`settings-keys-${group}`}>
          {groupCommands.map((id) => (
            <ShortcutRow key={id} id={id} keys={keysOf(changed, id)} isChanged={id in changed} />
          ))}
        </ul>
      </div>
    );
  });
}

const w = words.settings;

interface ShortcutRowProps {
  readonly id: CommandId;
  /** For display. */
  readonly keys: readonly string[];
  readonly isChanged: boolean;
}

/** A command with its shortcuts, and a button to change them. */
function ShortcutRow({ id, keys, isChanged }: ShortcutRowProps) {
  const title = words.commands.titles[id];
  const isRecording = useAppState('commands', (state) => state.recordingFor === id);
  const { recordShortcut } = useApp().commands.actions;
  const { setKeys } = useApp().settings.actions;
  const button = useRef<HTMLButtonElement>(null);
  const wasRecording = useRef(isRecording);
  useEffect(() => {
    // The recorder had the focus; it moves to the shortcuts.
    if (wasRecording.current && !isRecording && document.activeElement === document.body)
      button.current?.focus();
    wasRecording.current = isRecording;
  }, [isRecording]);
  const all = keys.join(', ');
  return (
    <li className="settings-shortcut row wrap" aria-label={title}>
      <span className="shortcut-name">{title}</span>
      {isRecording ? (
        <ShortcutRecorder id={id} />
      ) : (
        <>
          {isChanged && (
            <ChangedMark
              name={title}
              onReset={() => {
                button.current?.focus();
                setKeys({ [id]: null }, w.wasReset(title));
              }}
            />
          )}
          <Button
            ref={button}
            variant="quiet"
            className="shortcut-keys"
            aria-label={w.keys.change(title, all === '' ? w.keys.none : all)}
            onPress={() => recordShortcut(id)}
          >
            {keys.length === 0 ? (
              <span className="quiet">{w.keys.none}</span>
            ) : (
              keys.map((keyName) => <kbd key={keyName}>{keyName}</kbd>)
            )}
          </Button>
        </>
      )}
    </li>
  );
}
