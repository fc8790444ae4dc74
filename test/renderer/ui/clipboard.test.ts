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

it('a table is copied as text and as HTML, or as text where a page can’t copy HTML', async () => {
  const written: string[] = [];
  const items: Record<string, Blob>[] = [];
  const clipboard = {
    writeText: async (text: string) => void written.push(text),
    write: async ([item]: { readonly parts: Record<string, Blob> }[]) =>
      void (item && items.push(item.parts)),
  };
  vi.stubGlobal('navigator', { clipboard });
  await copyText('a', '<table></table>');
  expect(written).toEqual(['a']);
  vi.stubGlobal(
    'ClipboardItem',
    class {
      readonly parts: Record<string, Blob>;
      constructor(parts: Record<string, Blob>) {
        this.parts = parts;
      }
    },
  );
  expect(await copyText('b', '<table></table>')).toBe(true);
  const parts = Object.entries(items[0] ?? {}).map(async ([type, blob]) => [
    type,
    blob.type,
    await blob.text(),
  ]);
  expect(await Promise.all(parts)).toEqual([
    ['text/plain', 'text/plain', 'b'],
    ['text/html', 'text/html', '<table></table>'],
  ]);
  await copyText('c', null);
  expect(written).toEqual(['a', 'c']);
});

it('no other code writes to the clipboard', () => {
  const folder = join(import.meta.dirname, '../../../src/renderer');
  const writing = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) => /clipboard\.write|ClipboardItem/.test(readFileSync(join(folder, file), 'utf8')));
  expect(writing).toEqual([join('ui', 'clipboard.ts')]);
});
