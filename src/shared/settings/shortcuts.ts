/**
 * Keys pressed together. `mod` is Ctrl, and Cmd on a Mac; `ctrl` is always Ctrl. The key is a letter, a
 * digit, a character, or a name of `KeyboardEvent.key`.
 */
export interface Chord {
  readonly mod: boolean;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly key: string;
}

const modifiers = ['mod', 'ctrl', 'alt', 'shift'] as const;
type Modifier = (typeof modifiers)[number];
const names: Record<Modifier, string> = { mod: 'Mod', ctrl: 'Ctrl', alt: 'Alt', shift: 'Shift' };

/** A character that a key types, or the name of another key; `+` is Plus, the space bar is Space. */
const keyForm = /^(?:[^\s+\p{Ll}\p{C}]|[A-Z][A-Za-z]*\d*)$/u;

/** A chord in its stored form, such as `Mod+Shift+P`, with modifiers in a fixed order. @param labels of modifiers */
export const formatChord = ({ key, ...chord }: Chord, labels: Partial<typeof names> = {}): string =>
  [
    ...modifiers.filter((modifier) => chord[modifier]).map((modifier) => labels[modifier] ?? names[modifier]),
    key,
  ].join('+');

/** Parses the text of {@link formatChord}. Null: invalid, or not in the stored order. */
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

/** A chord as keyboards label it, such as `Ctrl+Shift+P`. */
export const describeChord = (chord: Chord, isMac: boolean): string =>
  formatChord(chord, { mod: isMac ? 'Cmd' : 'Ctrl' });

const accelerators: Readonly<Record<string, string>> = {
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
};

/** A chord as Electron's menus write it, such as `CommandOrControl+Shift+P`. */
export const acceleratorOf = (chord: Chord): string =>
  formatChord(
    { ...chord, key: accelerators[chord.key] ?? chord.key },
    { mod: 'CommandOrControl', ctrl: 'Control' },
  );
