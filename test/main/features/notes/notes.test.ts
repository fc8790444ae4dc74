import { fork } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createNotes } from '../../../../src/main/features/notes/notes.ts';
import { wellNote, type WellNote } from '../../../../src/shared/contract/notes.ts';
import { useFolders } from '../../../support/folders.ts';
import { canMount, withSmallDisk } from '../../../support/small-disk.ts';

const folders = useFolders();
const note = (id: string, more: Partial<Record<keyof WellNote, unknown>> = {}): WellNote =>
  wellNote.parse({
    id,
    well: 5001,
    along: 'time',
    from: 1_763_640_000_000,
    to: 1_763_645_000_000,
    unit: null,
    text: `Note ${id}`,
    changedAt: 5,
    ...more,
  });

async function store(at?: string) {
  const folder = at ?? (await folders());
  const warnings: string[] = [];
  const open = () => createNotes(folder, (sentence) => warnings.push(sentence));
  return { folder, path: join(folder, 'notes.json'), warnings, open, notes: open() };
}
const connection = 'first';
const idsOf = (list: { notes: readonly { id?: unknown }[] }) => list.notes.map(({ id }) => id);

describe('notes', () => {
  it('are available to the next process, for each well', async () => {
    const { notes, open } = await store();
    expect(await notes.list({ connection }, {})).toEqual({ notes: [], problem: null });
    const depth = note('2', { well: 5002, along: 'depth', from: 7210, to: null, unit: 'ft' });
    await notes.put({ connection, note: note('1') }, {});
    await notes.put({ connection, note: depth }, {});
    expect(await open().list({ connection }, {})).toEqual({ notes: [note('1'), depth], problem: null });
  });

  it('are those of one connection, also where another one has the same well and the same note', async () => {
    const { notes } = await store();
    await notes.put({ connection, note: note('1', { text: 'First' }) }, {});
    await notes.put({ connection: 'second', note: note('1', { text: 'Second' }) }, {});
    await notes.put({ connection: 'second', note: note('2') }, {});
    expect((await notes.list({ connection }, {})).notes).toEqual([note('1', { text: 'First' })]);
    expect(idsOf(await notes.remove({ connection: 'second', id: '1' }, {}))).toEqual(['2']);
    expect(idsOf(await notes.list({ connection }, {}))).toEqual(['1']);
  });

  it('are replaced, removed, and put back', async () => {
    const { notes } = await store();
    await notes.put({ connection, note: note('1') }, {});
    const list = await notes.put({ connection, note: note('1', { text: 'Other' }) }, {});
    expect(list.notes).toEqual([note('1', { text: 'Other' })]);
    expect(idsOf(await notes.remove({ connection, id: '1' }, {}))).toEqual([]);
    expect(idsOf(await notes.put({ connection, note: note('1') }, {}))).toEqual(['1']);
  });

  it('have a range that runs forwards, and a text', () => {
    for (const wrong of [{ to: 5 }, { text: ' ' }, { text: 'x'.repeat(2001) }, { from: Number.NaN }])
      expect(() => note('1', wrong)).toThrow();
    expect(note('1', { from: 5, to: 5, text: ' a ' }).text).toBe('a');
  });

  it('that are damaged are set aside and reported once, and a damaged one leaves the others', async () => {
    const { notes, path, folder, warnings } = await store();
    const text = JSON.stringify({
      format: 1,
      notes: [
        { connection, note: note('1') },
        { connection, note: { ...note('2'), to: 1 } },
      ],
    });
    await writeFile(path, text);
    const { problem, ...list } = await notes.list({ connection }, {});
    expect(idsOf(list)).toEqual(['1']);
    const copy = (await readdir(folder)).find((name) => name.includes('.damaged-')) ?? '';
    expect(problem).toContain(copy);
    expect(await readFile(join(folder, copy), 'utf8')).toBe(text);
    await notes.put({ connection, note: note('3') }, {});
    expect(await notes.list({ connection }, {})).toMatchObject({ problem: null });
    await writeFile(path, '{"format":1,"notes":[{');
    expect(await notes.list({ connection }, {})).toMatchObject({
      notes: [],
      problem: expect.stringContaining('notes.json.damaged-'),
    });
    expect(warnings).toHaveLength(2);
  });

  it('of a newer version are not changed', async () => {
    const { notes, path } = await store();
    const text = JSON.stringify({ format: 9, notes: [] });
    await writeFile(path, text);
    await expect(notes.put({ connection, note: note('1') }, {})).rejects.toMatchObject({
      code: 'file_too_new',
    });
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('are changed by several processes and windows at once without losses', async () => {
    const { folder, notes, open } = await store();
    const module = join(import.meta.dirname, '../../../../src/main/features/notes/notes.ts');
    const entry = join(folder, 'writer.mjs');
    await writeFile(
      entry,
      `import { createNotes } from ${JSON.stringify(module)};
       const notes = createNotes(${JSON.stringify(folder)}, () => undefined);
       const template = ${JSON.stringify(note('x'))};
       for (let n = 0; n < 12; n += 1)
         await notes.put({ connection: 'first', note: { ...template, id: process.argv[2] + n } }, {});`,
    );
    const ended = ['a', 'b'].map(
      (name) => new Promise((resolve) => fork(entry, [name], { execArgv: [] }).once('exit', resolve)),
    );
    await Promise.all(
      ['c', 'd'].flatMap((id) =>
        [notes, open()].map((window, at) => window.put({ connection, note: note(id + at) }, {})),
      ),
    );
    expect(await Promise.all(ended)).toEqual([0, 0]);
    expect((await notes.list({ connection }, {})).notes).toHaveLength(28);
  });

  it.runIf(canMount)('report a full disk, and stay unchanged', async () => {
    const folder = await folders();
    await withSmallDisk(folder, 128, async () => {
      const { notes, open } = await store(folder);
      const fill = async (): Promise<void> => {
        for (let n = 0; n < 200; n += 1)
          await notes.put({ connection, note: note(`n${n}`, { text: 'x'.repeat(2000) }) }, {});
      };
      await expect(fill()).rejects.toMatchObject({ code: 'disk_full' });
      const stored = await open().list({ connection }, {});
      expect(stored.notes.length).toBeGreaterThan(0);
      await expect(
        notes.put({ connection, note: note('more', { text: 'x'.repeat(2000) }) }, {}),
      ).rejects.toThrow();
      expect(await open().list({ connection }, {})).toEqual(stored);
    });
  });
});
