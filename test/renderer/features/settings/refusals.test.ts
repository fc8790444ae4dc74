import { describe, expect, it } from 'vitest';
import { checkShortcut } from '../../../../src/renderer/features/settings/settings-panel.tsx';

const none = { key: '', code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const key = (name: string, held: Partial<typeof none> = {}) => ({
  ...none,
  key: name,
  code: /^[a-z]$/.test(name) ? `Key${name.toUpperCase()}` : '',
  ...held,
});
const control = { ctrlKey: true };
const browser = { isMac: false, inBrowser: true };
const desktop = { isMac: false, inBrowser: false };

describe('shortcuts for a command', () => {
  it.each([
    [key('j', control), 'Mod+J'],
    [key(',', control), 'Mod+,'],
    [key('F2'), 'F2'],
    [key('j', { altKey: true, shiftKey: true }), 'Alt+Shift+J'],
  ])('%o are %s', (pressed, chord) => {
    expect(checkShortcut(pressed, browser)).toEqual({ chord });
    expect(checkShortcut(pressed, desktop)).toEqual({ chord });
  });

  it('are incomplete while only modifier keys are down', () => {
    expect(checkShortcut(key('Control', control), browser)).toBeNull();
    expect(checkShortcut(key('Shift', { shiftKey: true }), browser)).toBeNull();
  });

  it.each([
    [key('j'), 'typing'],
    [key('j', { shiftKey: true }), 'typing'],
    [key('Enter'), 'typing'],
    [key('@', { ...control, altKey: true }), 'typing'],
    [key('c', control), 'editing'],
    [key('z', { ...control, shiftKey: true }), 'editing'],
    [key('ArrowLeft', control), 'editing'],
    [key(' ', control), 'editing'],
    [key('F4', { altKey: true }), 'system'],
    [key('F10', { shiftKey: true }), 'system'],
  ])('%o are rejected: %s', (pressed, refused) => {
    expect(checkShortcut(pressed, browser)).toEqual({ refused });
    expect(checkShortcut(pressed, desktop)).toEqual({ refused });
  });

  it('that the browser reserves are rejected only there, and those of the menu only with a menu', () => {
    expect(checkShortcut(key('t', control), browser)).toEqual({ refused: 'browser' });
    expect(checkShortcut(key('t', control), desktop)).toEqual({ chord: 'Mod+T' });
    expect(checkShortcut(key('o', control), browser)).toEqual({ chord: 'Mod+O' });
    expect(checkShortcut(key('o', control), desktop)).toEqual({ refused: 'menu' });
    expect(checkShortcut(key('h', { metaKey: true }), { isMac: true, inBrowser: false })).toEqual({
      refused: 'system',
    });
  });
});
