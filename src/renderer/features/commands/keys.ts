import { describeChord, parseChord } from '../../../shared/settings/settings.ts';

export type KeyPress = Pick<KeyboardEvent, 'code' | 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

const unnamedKeys = new Set('Control Shift Alt AltGraph Meta Dead Process Unidentified'.split(' '));

/**
 * Latin letters by value, as on AZERTY and Dvorak, and the comma, which Dvorak has in place of W. Letters of other scripts and
 * digits by position; other keys by value.
 */
function keyName({ code, key }: KeyPress): string | null {
  if (/^[a-z,]$/i.test(key)) return key.toUpperCase();
  const place = /^(?:Key([A-Z])|Digit(\d))$/.exec(code);
  if (place) return place[1] ?? place[2] ?? null;
  if (unnamedKeys.has(key)) return null;
  return key === ' ' ? 'Space' : key === '+' ? 'Plus' : key.length === 1 ? key.toUpperCase() : key;
}

export const isModifierOnly = (pressed: KeyPress): boolean => keyName(pressed) === null;

/** Such as `Mod+Shift+P`; empty if it types a letter. Ctrl has two names: its own and `Mod`. */
export function shortcutsOf(pressed: KeyPress): readonly string[] {
  const { ctrlKey, metaKey, altKey, shiftKey } = pressed;
  const name = keyName(pressed);
  const control = ctrlKey || metaKey;
  // Ctrl with Alt is AltGr, which types letters.
  if (name === null || (control && altKey) || (ctrlKey && metaKey)) return [];
  if (!control && !altKey && !/^F\d+$/.test(name)) return [];
  const rest = `${altKey ? 'Alt+' : ''}${shiftKey ? 'Shift+' : ''}${name}`;
  return control ? [`Mod+${rest}`, ...(ctrlKey ? [`Ctrl+${rest}`] : [])] : [rest];
}

/** A key press as a stored shortcut. Null: not usable as one. */
export function chordOf(pressed: KeyPress): string | null {
  const [chord = ''] = shortcutsOf(pressed);
  return parseChord(chord) === null ? null : chord;
}

export function shortcutText(shortcut: string, isMac: boolean): string {
  const chord = parseChord(shortcut);
  return chord ? describeChord(chord, isMac) : shortcut;
}

export const shortcutForReader = (shortcut: string, isMac: boolean): string =>
  shortcut.replace('Mod+', isMac ? 'Meta+' : 'Control+').replace('Ctrl+', 'Control+');

export const isMac = (): boolean => /Mac/.test(globalThis.navigator?.userAgent ?? '');
