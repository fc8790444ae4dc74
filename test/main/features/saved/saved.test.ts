import { fork } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { questionText } from '../../../../src/shared/query/question.ts';
import { savedContent, type SavedQuery } from '../../../../src/shared/saved/saved.ts';
import { createSaved } from '../../../../src/main/features/saved/saved.ts';
import { useFolders } from '../../../support/folders.ts';
import { canMount, withSmallDisk } from '../../../support/small-disk.ts';

const folders = useFolders();
const query = (id: string, more: Partial<SavedQuery> = {}): SavedQuery => ({
  id,
  name: `Query ${id}`,
  folder: '',
  provider: 'demo',
  dataset: 'wits',
  question: questionText.parse({ find: { query: `{ n: ${id} }` } }),
  changedAt: 5,
  ...more,
});

async function store(given?: string) {
  const folder = given ?? (await folders());
  const warnings: string[] = [];
  const open = () => createSaved(folder, (sentence) => warnings.push(sentence));
  return { folder, path: join(folder, 'saved.json'), warnings, open, saved: open() };
}
const idsOf = (list: { queries: readonly { id?: unknown }[] }) => list.queries.map(({ id }) => id);

describe('saved queries', () => {
  it('are available to the next process, in their folders', async () => {
    const { saved, open } = await store();
    expect(await saved.list({}, {})).toEqual({ queries: [], folders: [], problem: null });
    await saved.put({ queries: [query('1', { folder: 'a/b' }), query('2')], folders: ['empty'] }, {});
    expect(await open().list({}, {})).toEqual({
      queries: [query('1', { folder: 'a/b' }), query('2')],
      folders: ['a', 'a/b', 'empty'],
      problem: null,
    });
  });

  it('are changed in place', async () => {
    const { saved } = await store();
    await saved.put({ queries: [query('1'), query('2')], folders: [] }, {});
    const list = await saved.put({ queries: [query('1', { name: 'Other' })], folders: [] }, {});
    expect(list.queries.map(({ name }) => name)).toEqual(['Other', 'Query 2']);
  });

  it('replace others in one write, so that an interruption can neither lose one nor keep both', async () => {
    const { saved, path } = await store();
    await saved.put({ queries: [query('1', { name: 'a' }), query('2', { name: 'b' })], folders: [] }, {});
    const renamed = query('1', { name: 'b' });
    expect(idsOf(await saved.put({ queries: [renamed], folders: [], replaced: ['2'] }, {}))).toEqual(['1']);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ queries: [renamed] });
  });

  it('move with their folder', async () => {
    const { saved } = await store();
    await saved.put(
      { queries: [query('1', { folder: 'a/b' }), query('2', { folder: 'ab' })], folders: [] },
      {},
    );
    const list = await saved.renameFolder({ from: 'a', to: 'x/y' }, {});
    expect(list.queries.map(({ folder }) => folder)).toEqual(['x/y/b', 'ab']);
    expect(list.folders).toEqual(['ab', 'x', 'x/y', 'x/y/b']);
  });

  it('stay where they are if one would meet another of its name and dataset', async () => {
    const { saved } = await store();
    const queries = [query('1', { folder: 'a', name: 'Rate' }), query('2', { folder: 'b', name: 'Rate' })];
    const before = await saved.put({ queries, folders: [] }, {});
    const rename = (to: string) => saved.renameFolder({ from: 'a', to }, {});
    await expect(rename('b')).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await saved.list({}, {})).toEqual(before);
    await saved.put({ queries: [query('1', { folder: 'a', name: 'Depth' })], folders: [] }, {});
    expect((await rename('b')).folders).toEqual(['b']);
  });

  it('stay where they are if a folder below would get a path that is too deep or too long', async () => {
    const { saved, open } = await store();
    const queries = [query('1', { folder: 'a/b/c' }), query('2', { folder: 'a' })];
    const before = await saved.put({ queries, folders: ['a/empty/1/2/3/4'] }, {});
    const long = Array.from({ length: 8 }, () => 'x'.repeat(99)).join('/');
    for (const to of ['1/2/3/4', '1/2/3/4/5/6/7', long])
      await expect(saved.renameFolder({ from: 'a', to }, {})).rejects.toMatchObject({
        code: 'invalid_input',
      });
    expect(await open().list({}, {})).toEqual(before);
    expect((await saved.renameFolder({ from: 'a', to: '1/2/3' }, {})).queries).toHaveLength(2);
  });

  it('are removed, alone or with their folder, and restored', async () => {
    const { saved } = await store();
    const all = [query('1', { folder: 'a/b' }), query('2', { folder: 'a' }), query('3')];
    await saved.put({ queries: all, folders: ['a/empty'] }, {});
    const undo = await saved.remove({ queries: ['3'], folders: ['a'] }, {});
    expect(undo.list).toMatchObject({ queries: [], folders: [] });
    expect(undo.removed).toEqual({ queries: all, folders: ['a', 'a/b', 'a/empty'] });
    const back = await saved.put(savedContent.parse(undo.removed), {});
    expect(idsOf(back)).toEqual(['1', '2', '3']);
    expect(back.folders).toEqual(['a', 'a/b', 'a/empty']);
  });

  it('leave their folder when the last of them is removed', async () => {
    const { saved } = await store();
    await saved.put({ queries: [query('1', { folder: 'a' })], folders: [] }, {});
    expect((await saved.remove({ queries: ['1'], folders: [] }, {})).list.folders).toEqual(['a']);
  });

  it('that are damaged are set aside with the file’s name reported, once', async () => {
    const { saved, path, folder, warnings } = await store();
    await writeFile(path, '{"format":1,"queries":[{"id"');
    const { problem, queries } = await saved.list({}, {});
    expect(queries).toEqual([]);
    const damagedCopy = (await readdir(folder)).find((name) => name.includes('.damaged-')) ?? '';
    expect(problem).toContain(damagedCopy);
    expect(warnings).toHaveLength(1);
    expect((await saved.list({}, {})).problem).toBeNull();
    await saved.put({ queries: [query('1')], folders: [] }, {});
    expect(await readFile(join(folder, damagedCopy), 'utf8')).toBe('{"format":1,"queries":[{"id"');
  });

  it('of which one is damaged keep the others, and a copy', async () => {
    const { saved, path, folder } = await store();
    const text = JSON.stringify({ format: 1, queries: [query('1'), { id: '2' }, query('3')], folders: [] });
    await writeFile(path, text);
    const list = await saved.list({}, {});
    expect(idsOf(list)).toEqual(['1', '3']);
    const damagedCopy = (await readdir(folder)).find((name) => name.includes('.damaged-')) ?? '';
    expect(list.problem).toContain(damagedCopy);
    expect(await readFile(join(folder, damagedCopy), 'utf8')).toBe(text);
    // Each reader, and each start, finds it again.
    for (const other of [saved, createSaved(folder, () => undefined)])
      expect(await other.list({}, {})).toMatchObject({ problem: null, queries: [{ id: '1' }, { id: '3' }] });
    expect((await readdir(folder)).filter((name) => name.includes('.damaged-'))).toEqual([damagedCopy]);
  });

  it('of a newer version are not changed', async () => {
    const { saved, path } = await store();
    const text = JSON.stringify({ format: 9, queries: [] });
    await writeFile(path, text);
    await expect(saved.list({}, {})).rejects.toMatchObject({ code: 'file_too_new' });
    await expect(saved.put({ queries: [query('1')], folders: [] }, {})).rejects.toMatchObject({
      code: 'file_too_new',
    });
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('are changed by several processes at once without losses', async () => {
    const { folder, saved } = await store();
    const module = join(import.meta.dirname, '../../../../src/main/features/saved/saved.ts');
    const entry = join(folder, 'saver.mjs');
    await writeFile(
      entry,
      `import { createSaved } from ${JSON.stringify(module)};
       const saved = createSaved(${JSON.stringify(folder)}, () => undefined);
       const template = ${JSON.stringify(query('x'))};
       for (let n = 0; n < 12; n += 1)
         await saved.put({ queries: [{ ...template, id: process.argv[2] + n }], folders: [] }, {});`,
    );
    const ended = ['a', 'b'].map(
      (name) => new Promise((resolve) => fork(entry, [name], { execArgv: [] }).once('exit', resolve)),
    );
    expect(await Promise.all(ended)).toEqual([0, 0]);
    expect((await saved.list({}, {})).queries).toHaveLength(24);
  });

  it.runIf(canMount)('report a full disk, and stay unchanged', async () => {
    const folder = await folders();
    await withSmallDisk(folder, 128, async () => {
      const { saved, open } = await store(folder);
      await saved.put({ queries: [query('1')], folders: [] }, {});
      const large = query('2', { question: questionText.parse({ find: { query: 'x'.repeat(500_000) } }) });
      await expect(saved.put({ queries: [large], folders: [] }, {})).rejects.toMatchObject({
        code: 'disk_full',
      });
      expect(idsOf(await open().list({}, {}))).toEqual(['1']);
    });
  });
});
