import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMarks } from '../../../../src/main/core/wells/wells.ts';
import { assetId, noMarks } from '../../../../src/shared/wells/wells.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();
const asset = (id: number) => assetId.parse(id);

describe('favorites and recent wells', () => {
  it('are stored separately for each connection', async () => {
    const folder = await folders();
    const marks = openMarks(folder);
    await marks.change('c-1', [{ pin: [asset(1)] }]);
    expect(await openMarks(folder).read('c-1')).toEqual({ ...noMarks, pinned: [1] });
    expect(await marks.read('c-2')).toEqual(noMarks);
  });

  it('change only the given fields, even several at the same time', async () => {
    const folder = await folders();
    const marks = openMarks(folder);
    await Promise.all([
      marks.change('c', [{ pin: [asset(1)] }]),
      marks.change('c', [{ used: [asset(2)] }]),
      marks.change('c', [{ columns: ['status'], pin: undefined }]),
    ]);
    expect(await marks.read('c')).toEqual({ pinned: [1], recent: [2], facts: null, columns: ['status'] });
  });

  it('are those of all processes that change them at the same time', async () => {
    const folder = await folders();
    const [one, other] = [openMarks(folder), openMarks(folder)];
    const ids = Array.from({ length: 20 }, (_, index) => asset(index + 1));
    await Promise.all(ids.map((id, index) => (index % 2 ? one : other).change('c', [{ pin: [id] }])));
    expect((await one.read('c')).pinned.toSorted((a, b) => a - b)).toEqual(ids);
    await Promise.all([
      one.change('c', [{ unpin: ids.slice(1) }]),
      other.change('c', [{ used: [asset(2)] }]),
    ]);
    expect(await one.read('c')).toEqual({ ...noMarks, pinned: [1], recent: [2] });
  });

  it('are pinned once, unpinned, and recent in the order of their last use', async () => {
    const marks = openMarks(await folders());
    const change = { pin: [asset(1), asset(2)], used: [asset(3), asset(4)] };
    await marks.change('c', [change, { unpin: [asset(1)], used: [asset(4)] }, { pin: [asset(2)] }]);
    expect(await marks.read('c')).toEqual({ ...noMarks, pinned: [2], recent: [4, 3] });
    await marks.change('c', [{ used: Array.from({ length: 40 }, (_, index) => asset(index + 10)) }]);
    expect((await marks.read('c')).recent).toHaveLength(30);
  });

  it('are empty when damaged, and the damaged file is set aside', async () => {
    const folder = await folders();
    const marks = openMarks(folder);
    await marks.change('c', [{ pin: [asset(1)] }]);
    await writeFile(join(folder, 'c', 'marks.json'), '{"pinned":[');
    expect(await marks.read('c')).toEqual(noMarks);
    expect(await readFile(join(folder, 'c', 'marks.json.damaged'), 'utf8')).toBe('{"pinned":[');
  });

  it('are left as they are when they can’t be read now', async () => {
    const folder = await folders();
    const marks = openMarks(folder);
    // A folder stands for a file that another program holds.
    await mkdir(join(folder, 'c', 'marks.json'), { recursive: true });
    expect(await marks.read('c')).toEqual(noMarks);
    await expect(marks.change('c', [{ pin: [asset(1)] }])).rejects.toMatchObject({ code: 'file_unreadable' });
    expect(await readdir(join(folder, 'c'))).toEqual(['marks.json']);
  });

  it('are stored nowhere outside their folder', async () => {
    const folder = await folders();
    const marks = openMarks(join(folder, 'in'));
    await marks.change('../out', [{ pin: [asset(1)] }]);
    expect(await readdir(folder)).toEqual([]);
    expect(await marks.read('../out')).toEqual(noMarks);
  });
});
