import { chordInWords, parseChord } from '../../../shared/settings/shortcuts.ts';

/** What of a key press says which keys it was. */
export type Pressed = Pick<KeyboardEvent, 'code' | 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

const nameless = new Set(['Control', 'Shift', 'Alt', 'AltGraph', 'Meta', 'Dead', 'Process', 'Unidentified']);

/** Letters and digits by their place, so that they are the same in every script; all else by what it is. */
function keyName({ code, key }: Pressed): string | null {
  const place = /^(?:Key([A-Z])|Digit(\d))$/.exec(code);
  if (place) return place[1] ?? place[2] ?? null;
  if (nameless.has(key)) return null;
  return key === ' ' ? 'Space' : key === '+' ? 'Plus' : key.length === 1 ? key.toUpperCase() : key;
}

/** Whether only keys are down that say nothing without another. */
export const isAlone = (pressed: Pressed): boolean => keyName(pressed) === null;

/**
 * What a key press is called as a shortcut, such as `Mod+Shift+P`; none where it writes a letter. Ctrl has two names: its
 * own, and `Mod`, which is Cmd too.
 */
export function shortcutsOf(pressed: Pressed): readonly string[] {
  const { ctrlKey, metaKey, altKey, shiftKey } = pressed;
  const name = keyName(pressed);
  const control = ctrlKey || metaKey;
  // Ctrl with Alt is AltGr, which writes letters.
  if (name === null || (control && altKey) || (ctrlKey && metaKey)) return [];
  if (!control && !altKey && !/^F\d+$/.test(name)) return [];
  const rest = `${altKey ? 'Alt+' : ''}${shiftKey ? 'Shift+' : ''}${name}`;
  return control ? [`Mod+${rest}`, ...(ctrlKey ? [`Ctrl+${rest}`] : [])] : [rest];
}

/** What a key press is kept as when a command is given it. Null: it can be no shortcut. */
export function chordOf(pressed: Pressed): string | null {
  const [chord = ''] = shortcutsOf(pressed);
  return parseChord(chord) === null ? null : chord;
}

/** A shortcut as it stands on the keyboard. */
export function shortcutInWords(shortcut: string, isMac: boolean): string {
  const chord = parseChord(shortcut);
  return chord ? chordInWords(chord, isMac) : shortcut;
}

/** A shortcut as a page tells it to a screen reader. */
export const shortcutForReader = (shortcut: string, isMac: boolean): string =>
  shortcut.replace('Mod+', isMac ? 'Meta+' : 'Control+').replace('Ctrl+', 'Control+');

/** Whether this window is on a Mac. */
export const onMac = (): boolean => /Mac/.test(globalThis.navigator?.userAgent ?? '');
