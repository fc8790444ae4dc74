import { chordOf, isAlone, type Pressed } from './keys.ts';

/** Why keys can't be those of a command. */
export type Refusal = 'typing' | 'editing' | 'browser' | 'menu' | 'system';

/** Where keys are pressed. */
export interface KeyPlace {
  readonly isMac: boolean;
  /** In a browser, and not as an application of its own. */
  readonly inBrowser: boolean;
}

const editing =
  /^(?:Mod\+(?:[ACVXZYM.]|Shift\+[ZV]|Space)|(?:Mod|Alt)\+(?:Shift\+)?(?:Arrow\w+|Home|End|Backspace|Delete))$/;
const browser =
  /^(?:Mod\+(?:[NTWLRQ0-9=]|-|Plus|Shift\+[NTWRQIJC]|(?:Shift\+)?(?:Tab|PageUp|PageDown))|F5|F11|F12)$/;
const menu = /^(?:Mod\+(?:[OQ0=]|-|Plus|Shift\+N)|F11)$/;
const system = /^(?:Alt\+(?:Shift\+)?(?:F4|Tab|Escape|Space)|Shift\+F10|Mod\+(?:Shift\+)?Escape)$/;
const systemOfMac = /^Mod\+(?:[HW]|Space|(?:Shift\+)?Tab)$/;

/** What keys come to as those of a command. Null: more are to be pressed. */
export function judged(
  pressed: Pressed,
  { isMac, inBrowser }: KeyPlace,
): { readonly chord: string } | { readonly refused: Refusal } | null {
  if (isAlone(pressed)) return null;
  const chord = chordOf(pressed);
  if (chord === null) return { refused: 'typing' };
  if (editing.test(chord)) return { refused: 'editing' };
  if (system.test(chord) || (isMac && systemOfMac.test(chord))) return { refused: 'system' };
  if (inBrowser ? browser.test(chord) : menu.test(chord)) return { refused: inBrowser ? 'browser' : 'menu' };
  return { chord };
}
