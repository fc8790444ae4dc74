import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import type { CommandId } from '../commands/command-table.ts';
import { currentShortcuts } from '../commands/commands.ts';
import { isMac, shortcutText, shortcutsOf } from '../commands/keys.ts';
import { checkShortcut, type ShortcutRefusal } from '../commands/refusals.ts';
import { useApp, useAppState } from '../../state/contexts.ts';

const w = words.settings.keys;

type Found =
  | { readonly status: 'refused'; readonly why: ShortcutRefusal }
  /** The keys are another command's. */
  | {
      readonly status: 'taken';
      readonly chord: string;
      readonly names: readonly string[];
      readonly of: CommandId;
    };

/** Takes the keys that are pressed next as those of a command. */
export function KeyCatcher({ id }: { id: CommandId }) {
  const note = useId();
  const input = useRef<HTMLInputElement>(null);
  const [found, setFound] = useState<Found | null>(null);
  const customShortcuts = useAppState('commands', (state) => state.customShortcuts);
  const inBrowser = useAppState('workspace', (state) => state.files === 'stream');
  const { recordShortcut, commandOf } = useApp().commands.actions;
  const { setKeys } = useApp().settings.actions;
  const title = words.commands.titles[id];
  const listen = () => {
    setFound(null);
    input.current?.focus();
  };
  useEffect(() => {
    input.current?.focus();
  }, []);

  function give(chord: string, from: Readonly<Record<string, readonly string[]>> = {}): void {
    setKeys({ ...from, [id]: [chord] }, w.set(title, shortcutText(chord, isMac())));
    recordShortcut(null);
  }
  function onKey(event: KeyboardEvent): void {
    // They lead out of here, as from everywhere.
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
    if ('refused' in pressed) return setFound({ status: 'refused', why: pressed.refused });
    const of = commandOf(event.nativeEvent);
    if (of === null || of === id) return give(pressed.chord);
    setFound({ status: 'taken', chord: pressed.chord, names: shortcutsOf(event.nativeEvent), of });
  }
  function takeOver({ chord, names, of }: Extract<Found, { status: 'taken' }>): void {
    give(chord, { [of]: currentShortcuts({ customShortcuts }, of).filter((one) => !names.includes(one)) });
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
        value={found?.status === 'taken' ? shortcutText(found.chord, isMac()) : ''}
        onKeyDown={onKey}
      />
      <p id={note} className="field-note">
        {w.leave}
      </p>
      {found?.status === 'refused' && <Alert tone="warning">{w.refused[found.why]}</Alert>}
      {found?.status === 'taken' && (
        <Alert
          tone="warning"
          actions={
            <>
              <Button onPress={() => takeOver(found)}>{w.takeOver}</Button>
              <Button variant="quiet" onPress={listen}>
                {w.others}
              </Button>
            </>
          }
        >
          {w.taken(shortcutText(found.chord, isMac()), words.commands.titles[found.of])}
        </Alert>
      )}
    </div>
  );
}
