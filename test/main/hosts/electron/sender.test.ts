import { describe, expect, it } from 'vitest';
import { isOwnMessage, senderInWords } from '../../../../src/main/hosts/electron/sender.ts';

describe('a message', () => {
  const windows = new Set([7]);
  const frame = { url: 'app://wellbench/', parent: null };

  it('is ours when it comes from the main frame of our window, on our page', () => {
    expect(isOwnMessage({ sender: { id: 7 }, senderFrame: frame }, windows)).toBe(true);
  });

  it.each([
    ['another window', { sender: { id: 8 }, senderFrame: frame }],
    ['a frame within our page', { sender: { id: 7 }, senderFrame: { ...frame, parent: frame } }],
    [
      'a page of elsewhere in our window',
      { sender: { id: 7 }, senderFrame: { ...frame, url: 'https://evil.example/' } },
    ],
    ['an empty page in our window', { sender: { id: 7 }, senderFrame: { ...frame, url: 'about:blank' } }],
    ['a frame that has gone', { sender: { id: 7 }, senderFrame: null }],
  ])('is foreign when it comes from %s', (_name, message) => {
    expect(isOwnMessage(message, windows)).toBe(false);
    expect(senderInWords(message)).not.toBe('');
  });
});
