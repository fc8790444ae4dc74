import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import type { CommandId } from '../commands/command-table.ts';
import { currentShortcuts } from '../commands/commands.ts';
import { isMac, shortcutText, shortcutsOf } from '../commands/keys.ts';
import { checkShortcut, type ShortcutRefusal } from '../commands/refusals.ts';
import { useApp, useAppState } from '../../contexts.ts';

const w = words.settings.keys;

type KeyCheck =
  | { readonly status: 'refused'; readonly why: ShortcutRefusal }
  /** Another command has this shortcut. */
  | {
      readonly status: 'taken';
      readonly chord: string;
      readonly names: readonly string[];
      readonly of: CommandId;
    };

/** Records the next key press as a command's shortcut. */
export function ShortcutRecorder({ id }: { id: CommandId }) {
  const note = useId();
  const input = useRef<HTMLInputElement>(null);
  const [check, setCheck] = useState<KeyCheck | null>(null);
  const customShortcuts = useAppState('commands', (state) => state.customShortcuts);
  const inBrowser = useAppState('workspace', (state) => state.files === 'stream');
  const { recordShortcut, commandOf } = useApp().commands.actions;
  const { setKeys } = useApp().settings.actions;
  const title = words.commands.titles[id];
  const listen = () => {
    setCheck(null);
    input.current?.focus();
  };
  useEffect(() => {
    input.current?.focus();
  }, []);

  function assign(chord: string, from: Readonly<Record<string, readonly string[]>> = {}): void {
    setKeys({ ...from, [id]: [chord] }, w.set(title, shortcutText(chord, isMac())));
    recordShortcut(null);
  }
  function onKey(event: KeyboardEvent): void {
    // These keys leave the control, as everywhere.
    if (event.key === 'Tab' && !event.ctrlKey && !event.metaKey && !event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    if (isPlain && event.key === 'Escape') return recordShortcut(null);
    if (isPlain && event.key === 'Backspace') {
      setKeys({ [id]: [] }, w.removed(title));
      return recordShortcut(null);
    }
    const pressed = checkShortcut(event.nativeEvent, { isMac: isMac(), inBrowser });
    if (pressed === null) return;
    if ('refused' in pressed) return setCheck({ status: 'refused', why: pressed.refused });
    const of = commandOf(event.nativeEvent);
    if (of === null || of === id) return assign(pressed.chord);
    setCheck({ status: 'taken', chord: pressed.chord, names: shortcutsOf(event.nativeEvent), of });
  }
  function reassign({ chord, names, of }: Extract<KeyCheck, { status: 'taken' }>): void {
    assign(chord, {
      [of]: currentShortcuts({ customShortcuts }, of).filter((shortcut) => !names.includes(shortcut)),
    });
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it only hears that the focus has left it, and Escape
    <div
      className="key-catcher stack gap-1"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) recordShortcut(null);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        recordShortcut(null);
      }}
    >
      <input
        ref={input}
        className="input"
        readOnly
        aria-label={w.catching(title)}
        aria-describedby={note}
        placeholder={w.press}
        value={check?.status === 'taken' ? shortcutText(check.chord, isMac()) : ''}
        onKeyDown={onKey}
      />
      <p id={note} className="field-note">
        {w.leave}
      </p>
      {check?.status === 'refused' && <Alert tone="warning">{w.refused[check.why]}</Alert>}
      {check?.status === 'taken' && (
        <Alert
          tone="warning"
          actions={
            <>
              <Button onPress={() => reassign(check)}>{w.takeOver}</Button>
              <Button variant="quiet" onPress={listen}>
                {w.others}
              </Button>
            </>
          }
        >
          {w.taken(shortcutText(check.chord, isMac()), words.commands.titles[check.of])}
        </Alert>
      )}
    </div>
  );
}
