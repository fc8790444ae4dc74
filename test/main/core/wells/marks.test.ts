import { readdir, readFile, writeFile } from 'node:fs/promises';
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
    await marks.change('c-1', { pinned: [asset(1)] });
    expect(await openMarks(folder).read('c-1')).toEqual({ ...noMarks, pinned: [1] });
    expect(await marks.read('c-2')).toEqual(noMarks);
  });

  it('change only the given fields, even several at the same time', async () => {
    const folder = await folders();
    const marks = openMarks(folder);
    await Promise.all([
      marks.change('c', { pinned: [asset(1)] }),
      marks.change('c', { recent: [asset(2)] }),
      marks.change('c', { columns: ['status'], pinned: undefined }),
    ]);
    expect(await marks.read('c')).toEqual({ pinned: [1], recent: [2], facts: null, columns: ['status'] });
  });

  it('are empty when damaged, and the damaged file is set aside', async () => {
    const folder = await folders();
    const marks = openMarks(folder);
    await marks.change('c', { pinned: [asset(1)] });
    await writeFile(join(folder, 'c', 'marks.json'), '{"pinned":[');
    expect(await marks.read('c')).toEqual(noMarks);
    expect(await readFile(join(folder, 'c', 'marks.json.damaged'), 'utf8')).toBe('{"pinned":[');
  });

  it('are stored nowhere outside their folder', async () => {
    const folder = await folders();
    const marks = openMarks(join(folder, 'in'));
    await marks.change('../out', { pinned: [asset(1)] });
    expect(await readdir(folder)).toEqual([]);
    expect(await marks.read('../out')).toEqual(noMarks);
  });
});
