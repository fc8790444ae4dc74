import { RotateCcw } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import type { CommandId } from '../commands/command-table.ts';
import { useApp, useAppState } from '../../contexts.ts';
import { ShortcutRecorder } from './shortcut-recorder.tsx';

const w = words.settings;

export interface ShortcutRowProps {
  readonly id: CommandId;
  /** For display. */
  readonly keys: readonly string[];
  readonly isChanged: boolean;
}

/** A command with its shortcuts, and a button to change them. */
export function ShortcutRow({ id, keys, isChanged }: ShortcutRowProps) {
  const title = words.commands.titles[id];
  const isCatching = useAppState('commands', (state) => state.recordingFor === id);
  const { recordShortcut } = useApp().commands.actions;
  const { setKeys } = useApp().settings.actions;
  const button = useRef<HTMLButtonElement>(null);
  const had = useRef(isCatching);
  useEffect(() => {
    // The recorder had the focus; it moves to the shortcuts.
    if (had.current && !isCatching && document.activeElement === document.body) button.current?.focus();
    had.current = isCatching;
  }, [isCatching]);
  const all = keys.join(', ');
  return (
    <li className="settings-shortcut row wrap" aria-label={title}>
      <span className="shortcut-name">{title}</span>
      {isCatching ? (
        <ShortcutRecorder id={id} />
      ) : (
        <>
          {isChanged && (
            <span className="setting-changed row gap-0 small">
              <span>{w.changed}</span>
              <Button
                variant="quiet"
                icon={RotateCcw}
                aria-label={w.reset(title)}
                onPress={() => {
                  button.current?.focus();
                  setKeys({ [id]: null }, w.wasReset(title));
                }}
              />
            </span>
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
              keys.map((one) => <kbd key={one}>{one}</kbd>)
            )}
          </Button>
        </>
      )}
    </li>
  );
}
