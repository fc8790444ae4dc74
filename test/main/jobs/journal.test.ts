import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { openJournal } from '../../../src/main/jobs/journal.ts';
import { useFolders } from '../../support/folders.ts';

const entry = z.object({ batch: z.int(), note: z.string() });

describe('a journal', () => {
  const folder = useFolders();

  it('returns its entries, in order, when it is opened again', async () => {
    const path = join(await folder(), 'journal.ndjson');
    const journal = await openJournal(path, entry);
    const entries = Array.from({ length: 50 }, (_, batch) => ({ batch, note: `line\n${batch} ✓` }));
    await Promise.all(entries.map((value, index) => journal.append(value, { flush: index % 7 === 0 })));
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
    await journal.append({ batch: 3, note: 'c' });
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
});
