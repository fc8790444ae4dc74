import { describe, expect, it } from 'vitest';
import { shortcutText, shortcutsOf } from '../../../../src/renderer/features/commands/keys.ts';

const none = { key: '', code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

describe('keys as shortcuts', () => {
  it.each([
    [{ code: 'KeyT', key: 't', ctrlKey: true }, ['Mod+T', 'Ctrl+T']],
    [{ code: 'KeyT', key: 't', metaKey: true }, ['Mod+T']],
    // Another script: by the position of the key.
    [{ code: 'KeyT', key: 'е', altKey: true }, ['Alt+T']],
    // Latin letters at another position, as on AZERTY and Dvorak: by value, so that undo doesn't close a tab.
    [{ code: 'KeyW', key: 'z', ctrlKey: true }, ['Mod+Z', 'Ctrl+Z']],
    [{ code: 'KeyB', key: 'X', ctrlKey: true, shiftKey: true }, ['Mod+Shift+X', 'Ctrl+Shift+X']],
    [{ code: 'KeyW', key: ',', ctrlKey: true }, ['Mod+,', 'Ctrl+,']],
    [{ code: 'Semicolon', key: 'm', ctrlKey: true }, ['Mod+M', 'Ctrl+M']],
    [{ code: 'Digit1', key: '&', ctrlKey: true }, ['Mod+1', 'Ctrl+1']],
    [{ code: 'KeyQ', key: '/', ctrlKey: true }, ['Mod+Q', 'Ctrl+Q']],
    [{ code: 'KeyP', key: 'P', metaKey: true, shiftKey: true }, ['Mod+Shift+P']],
    [{ code: 'Tab', key: 'Tab', ctrlKey: true, shiftKey: true }, ['Mod+Shift+Tab', 'Ctrl+Shift+Tab']],
    [{ code: 'PageUp', key: 'PageUp', altKey: true, shiftKey: true }, ['Alt+Shift+PageUp']],
    [{ code: 'Digit1', key: '!', ctrlKey: true, shiftKey: true }, ['Mod+Shift+1', 'Ctrl+Shift+1']],
    [{ code: 'F1', key: 'F1' }, ['F1']],
    // They type characters, or are only part of a shortcut.
    [{ code: 'KeyT', key: 't' }, []],
    [{ code: 'KeyT', key: 'T', shiftKey: true }, []],
    [{ code: 'Enter', key: 'Enter' }, []],
    [{ code: 'KeyQ', key: '@', ctrlKey: true, altKey: true }, []],
    [{ code: 'ControlLeft', key: 'Control', ctrlKey: true }, []],
  ])('%o is %o', (pressed, shortcuts) => {
    expect(shortcutsOf({ ...none, ...pressed })).toEqual(shortcuts);
  });

  it('are named as on the keyboard', () => {
    expect(shortcutText('Mod+Shift+P', false)).toBe('Ctrl+Shift+P');
    expect(shortcutText('Mod+Shift+P', true)).toBe('Cmd+Shift+P');
    expect(shortcutText('Ctrl+Tab', true)).toBe('Ctrl+Tab');
  });
});
