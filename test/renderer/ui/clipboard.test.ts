import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { clipboardFailure, copyText } from '../../../src/renderer/ui/clipboard.ts';

afterEach(() => vi.unstubAllGlobals());

it('a text that can’t be copied is reported, until one can', async () => {
  vi.stubGlobal('navigator', {
    clipboard: { writeText: () => Promise.reject(new DOMException('denied', 'NotAllowedError')) },
  });
  expect([await copyText('a'), clipboardFailure.getState().isShown]).toEqual([false, true]);
  // A page without a secure context has no clipboard at all.
  vi.stubGlobal('navigator', {});
  expect([await copyText('a'), clipboardFailure.getState().isShown]).toEqual([false, true]);
  const written: string[] = [];
  vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => written.push(text) } });
  expect([await copyText('b'), clipboardFailure.getState().isShown, written]).toEqual([true, false, ['b']]);
});

it('no other code writes to the clipboard', () => {
  const folder = join(import.meta.dirname, '../../../src/renderer');
  const writing = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) => readFileSync(join(folder, file), 'utf8').includes('clipboard.writeText'));
  expect(writing).toEqual([join('ui', 'clipboard.ts')]);
});
