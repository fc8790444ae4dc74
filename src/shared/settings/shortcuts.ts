/**
 * Keys that are pressed together. `mod` is Ctrl, and Cmd on a Mac; `ctrl` is Ctrl everywhere. The key is a letter or a digit,
 * a sign as it is typed, or a name as `KeyboardEvent.key` gives it.
 */
export interface Chord {
  readonly mod: boolean;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly key: string;
}

const held = ['mod', 'ctrl', 'alt', 'shift'] as const;
type Held = (typeof held)[number];
const names: Record<Held, string> = { mod: 'Mod', ctrl: 'Ctrl', alt: 'Alt', shift: 'Shift' };

/** One sign that a key types, or the name of a key that types nothing; `+` is called Plus, the space bar Space. */
const keyForm = /^(?:[^\s+\p{Ll}\p{C}]|[A-Z][A-Za-z]*\d*)$/u;

/** A chord as it is kept, such as `Mod+Shift+P`: what is held always in the same order. */
export const formatChord = (chord: Chord): string =>
  [...held.filter((one) => chord[one]).map((one) => names[one]), chord.key].join('+');

/** Reads what {@link formatChord} wrote. Null: that is no chord, or not in the order in which they are kept. */
export function parseChord(text: string): Chord | null {
  const parts = text.split('+');
  const key = parts.pop() ?? '';
  const chord = {
    mod: parts.includes('Mod'),
    ctrl: parts.includes('Ctrl'),
    alt: parts.includes('Alt'),
    shift: parts.includes('Shift'),
    key,
  };
  return keyForm.test(key) && formatChord(chord) === text ? chord : null;
}

/** A chord as it stands on the keyboard, such as `Ctrl+Shift+P`. */
export function chordInWords(chord: Chord, isMac: boolean): string {
  const called: Record<Held, string> = { ...names, mod: isMac ? 'Cmd' : 'Ctrl' };
  return [...held.filter((one) => chord[one]).map((one) => called[one]), chord.key].join('+');
}

const accelerators: Readonly<Record<string, string>> = {
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
};

/** A chord as Electron's menus write it, such as `CommandOrControl+Shift+P`. */
export function acceleratorOf({ key, ...chord }: Chord): string {
  const called: Record<Held, string> = { ...names, mod: 'CommandOrControl', ctrl: 'Control' };
  return [...held.filter((one) => chord[one]).map((one) => called[one]), accelerators[key] ?? key].join('+');
}
