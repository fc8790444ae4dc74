import { RotateCcw } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import type { CommandId } from '../commands/command-table.ts';
import { useApp, useAppState } from '../../state/contexts.ts';
import { KeyCatcher } from './key-catcher.tsx';

const w = words.settings;

export interface ShortcutRowProps {
  readonly id: CommandId;
  /** As they stand on the keyboard. */
  readonly keys: readonly string[];
  readonly isChanged: boolean;
}

/** A command with its keys, and the means to give it others. */
export function ShortcutRow({ id, keys, isChanged }: ShortcutRowProps) {
  const title = words.commands.titles[id];
  const isCatching = useAppState('commands', (state) => state.recordingFor === id);
  const { recordShortcut } = useApp().commands.actions;
  const { setKeys } = useApp().settings.actions;
  const button = useRef<HTMLButtonElement>(null);
  const had = useRef(isCatching);
  useEffect(() => {
    // The catcher is gone with the focus: the keyboard goes on from the keys that it was about.
    if (had.current && !isCatching && document.activeElement === document.body) button.current?.focus();
    had.current = isCatching;
  }, [isCatching]);
  const all = keys.join(', ');
  return (
    <li className="settings-shortcut row wrap" aria-label={title}>
      <span className="shortcut-name">{title}</span>
      {isCatching ? (
        <KeyCatcher id={id} />
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
