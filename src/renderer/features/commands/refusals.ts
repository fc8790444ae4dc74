import { chordOf, isModifierOnly, type KeyPress } from './keys.ts';

/** Why a key press can't be a shortcut. */
export type ShortcutRefusal = 'typing' | 'editing' | 'browser' | 'menu' | 'system';

export interface KeyPlace {
  readonly isMac: boolean;
  /** In a browser tab, not an installed page. */
  readonly inBrowser: boolean;
}

const editing =
  /^(?:Mod\+(?:[ACVXZYM.]|Shift\+[ZV]|Space)|(?:Mod|Alt)\+(?:Shift\+)?(?:Arrow\w+|Home|End|Backspace|Delete))$/;
const browser =
  /^(?:Mod\+(?:[NTWLRQ0-9=]|-|Plus|Shift\+[NTWRQIJC]|(?:Shift\+)?(?:Tab|PageUp|PageDown))|F5|F11|F12)$/;
const menu = /^(?:Mod\+(?:[OQ0=]|-|Plus|Shift\+N)|F11)$/;
const system = /^(?:Alt\+(?:Shift\+)?(?:F4|Tab|Escape|Space)|Shift\+F10|Mod\+(?:Shift\+)?Escape)$/;
const systemOfMac = /^Mod\+(?:[HW]|Space|(?:Shift\+)?Tab)$/;

/** A key press as a shortcut, or why it can't be one. Null: more keys are needed. */
export function checkShortcut(
  pressed: KeyPress,
  { isMac, inBrowser }: KeyPlace,
): { readonly chord: string } | { readonly refused: ShortcutRefusal } | null {
  if (isModifierOnly(pressed)) return null;
  const chord = chordOf(pressed);
  if (chord === null) return { refused: 'typing' };
  if (editing.test(chord)) return { refused: 'editing' };
  if (system.test(chord) || (isMac && systemOfMac.test(chord))) return { refused: 'system' };
  if (inBrowser ? browser.test(chord) : menu.test(chord)) return { refused: inBrowser ? 'browser' : 'menu' };
  return { chord };
}
