import { appendFile, open, readFile, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { openJournal } from '../../../../src/main/core/jobs/journal.ts';
import { useFolders } from '../../../support/folders.ts';

/** Makes a call of all open files fail. @returns restores it */
async function failing(call: 'truncate' | 'datasync', code: string): Promise<() => void> {
  const file = await open(import.meta.filename, 'r');
  const prototype: FileHandle = Object.getPrototypeOf(file);
  await file.close();
  const error = Object.assign(new Error(code), { code });
  const spy = vi.spyOn(prototype, call).mockRejectedValue(error);
  return () => spy.mockRestore();
}

const entry = z.object({ batch: z.int(), note: z.string() });

describe('a journal', () => {
  const folder = useFolders();

  it('returns its entries, in order, when it is opened again', async () => {
    const path = join(await folder(), 'journal.ndjson');
    const journal = await openJournal(path, entry);
    const entries = Array.from({ length: 50 }, (_, batch) => ({ batch, note: `line\n${batch} ✓` }));
    for (let at = 0; at < entries.length; at += 7)
      await journal.append(entries.slice(at, at + 7), { flush: at % 2 === 0 });
    await journal.close();
    const again = await openJournal(path, entry);
    expect(again.entries).toEqual(entries);
    await again.close();
  });

  it('ignores a last line truncated by a crash, and appends after the complete ones', async () => {
    const path = join(await folder(), 'journal.ndjson');
    await writeFile(path, '{"batch":1,"note":"a"}\n{"batch":2,"no');
    const journal = await openJournal(path, entry);
    expect(journal.entries).toEqual([{ batch: 1, note: 'a' }]);
    await journal.append([{ batch: 3, note: 'c' }]);
    await journal.close();
    expect(await readFile(path, 'utf8')).toBe('{"batch":1,"note":"a"}\n{"batch":3,"note":"c"}\n');
  });

  it('survives truncation at any byte: complete lines stay, the truncated one is dropped', async () => {
    const path = join(await folder(), 'journal.ndjson');
    const lines = [
      { batch: 1, note: 'é' },
      { batch: 2, note: '"' },
      { batch: 3, note: '' },
    ].map((value) => `${JSON.stringify(value)}\n`);
    const bytes = Buffer.from(lines.join(''));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length }), async (cut) => {
        await writeFile(path, bytes.subarray(0, cut));
        const journal = await openJournal(path, entry);
        await journal.close();
        const whole = bytes.subarray(0, cut).toString('latin1').split('\n').length - 1;
        expect(journal.entries.map(({ batch }) => batch)).toEqual([1, 2, 3].slice(0, whole));
      }),
    );
  });

  it('rejects a journal that is damaged in the middle, naming the line', async () => {
    const path = join(await folder(), 'journal.ndjson');
    await writeFile(path, '{"batch":1,"note":"a"}\n{"batch":"x"}\n');
    await appendFile(path, '{"batch":2,"note":"b"}\n');
    await expect(openJournal(path, entry)).rejects.toMatchObject({
      code: 'file_unreadable',
      details: { reason: "line 2 of the job's journal is damaged" },
    });
  });

  it('survives zeros from any byte, as a power loss leaves them, and appends after the complete lines', async () => {
    const path = join(await folder(), 'journal.ndjson');
    const lines = [1, 2, 3].map((batch) => `${JSON.stringify({ batch, note: 'é' })}\n`);
    const bytes = Buffer.from(lines.join(''));
    const tails = fc.record({
      from: fc.integer({ min: 0, max: bytes.length }),
      added: fc.integer({ min: 0, max: 5000 }),
      newline: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(tails, async ({ from, added, newline }) => {
        const kept = bytes.subarray(0, from);
        const zeros = Buffer.alloc(bytes.length - from + added + 1);
        await writeFile(path, Buffer.concat([kept, zeros, Buffer.from(newline ? '\n' : '')]));
        const whole = kept.toString('latin1').split('\n').length - 1;
        const journal = await openJournal(path, entry);
        expect(journal.entries.map(({ batch }) => batch)).toEqual([1, 2, 3].slice(0, whole));
        await journal.append([{ batch: 4, note: '' }], { flush: true });
        await journal.close();
        expect(await readFile(path, 'utf8')).toBe(`${lines.slice(0, whole).join('')}{"batch":4,"note":""}\n`);
      }),
    );
  });

  it('rejects zeros that complete lines follow', async () => {
    const path = join(await folder(), 'journal.ndjson');
    const zeros = '\0'.repeat(20);
    await writeFile(path, `{"batch":1,"note":"a"}\n${zeros}\n{"batch":2,"note":"b"}\n`);
    await expect(openJournal(path, entry)).rejects.toMatchObject({
      code: 'file_unreadable',
      details: { reason: "line 2 of the job's journal is damaged" },
    });
  });

  it('stops the job when what it has can’t be written again', async () => {
    const path = join(await folder(), 'journal.ndjson');
    await writeFile(path, '{"batch":1,"note":"a"}\n{"batch":2,"no');
    const restore = await failing('datasync', 'EIO');
    try {
      await expect(openJournal(path, entry)).rejects.toMatchObject({
        code: 'file_unwritable',
        details: { file: 'journal.ndjson', reason: 'the drive doesn’t respond' },
      });
    } finally {
      restore();
    }
    expect(await readFile(path, 'utf8')).toBe('{"batch":1,"note":"a"}\n{"batch":2,"no');
  });

  it('appends nothing more after a failed flush, whose data the system may have dropped', async () => {
    const path = join(await folder(), 'journal.ndjson');
    const journal = await openJournal(path, entry);
    await journal.append([{ batch: 1, note: 'a' }], { flush: true });
    const restore = await failing('datasync', 'EIO');
    await expect(journal.append([{ batch: 2, note: 'b' }], { flush: true })).rejects.toMatchObject({
      code: 'file_unwritable',
    });
    restore();
    await expect(journal.append([{ batch: 3, note: 'c' }], { flush: true })).rejects.toMatchObject({
      code: 'file_unwritable',
    });
    await journal.close();
    expect(await readFile(path, 'utf8')).toBe('{"batch":1,"note":"a"}\n');
  });

  it('never glues an entry to a line that could not be removed', async () => {
    const path = join(await folder(), 'journal.ndjson');
    const journal = await openJournal(path, entry);
    await journal.append([{ batch: 1, note: 'a' }]);
    const restore = [await failing('datasync', 'ENOSPC'), await failing('truncate', 'EIO')];
    await expect(journal.append([{ batch: 2, note: 'b' }], { flush: true })).rejects.toMatchObject({
      code: 'disk_full',
      details: { file: 'journal.ndjson' },
    });
    for (const each of restore) each();
    await expect(journal.append([{ batch: 3, note: 'c' }])).rejects.toMatchObject({ code: 'disk_full' });
    await journal.close();
    const again = await openJournal(path, entry);
    expect(again.entries.map(({ batch }) => batch)).toEqual([1, 2]);
    await again.close();
  });
});
