import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenDialogOptions, SaveDialogOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { createFiles } from '../../../../src/main/core/files/files.ts';
import { chooseByDialog } from '../../../../src/main/hosts/electron/dialogs.ts';
import { useFolders } from '../../../support/folders.ts';

describe('selecting files in system dialogs', () => {
  const folder = useFolders();

  function start(answers: { save?: string | null; open?: string[] | null }) {
    const requests: { save: SaveDialogOptions[]; open: OpenDialogOptions[] } = { save: [], open: [] };
    const files = createFiles();
    const dialogs = {
      async save(options: SaveDialogOptions) {
        requests.save.push(options);
        return { canceled: answers.save === null, filePath: answers.save ?? '' };
      },
      async open(options: OpenDialogOptions) {
        requests.open.push(options);
        return { canceled: answers.open === null, filePaths: answers.open ?? [] };
      },
    };
    return { requests, files, choose: chooseByDialog(dialogs, '/home/me/Downloads')(files) };
  }

  it('returns a token for the selected path, and keeps the path', async () => {
    const { choose, files, requests } = start({ save: '/data/out/wits.csv' });
    const granted = await choose.chooseTarget({ suggestedName: 'wits 2026.csv' }, {});
    expect(granted).toMatchObject({ name: 'wits.csv', bytes: null });
    expect(JSON.stringify(granted)).not.toContain('/data');
    expect(files.target(granted?.token ?? '')).toMatchObject({ place: 'path', path: '/data/out/wits.csv' });
    expect(requests.save[0]).toMatchObject({
      defaultPath: join('/home/me/Downloads', 'wits 2026.csv'),
      filters: [{ name: 'CSV', extensions: ['csv'] }, { extensions: ['*'] }],
    });
  });

  it('opens the dialog in its own folder, whatever the window suggests', async () => {
    const { choose, requests } = start({ save: null });
    expect(await choose.chooseTarget({ suggestedName: '../../.bashrc' }, {})).toBeNull();
    expect(await choose.chooseTarget({ suggestedName: '..' }, {})).toBeNull();
    expect(requests.save.map(({ defaultPath }) => defaultPath)).toEqual([
      join('/home/me/Downloads', '.bashrc'),
      join('/home/me/Downloads', 'file'),
    ]);
  });

  it('returns a token for each selected file, and none when the user cancels', async () => {
    const home = await folder();
    await writeFile(join(home, 'a.csv'), 'x\n1\n');
    await writeFile(join(home, 'b.csv'), '');
    const { choose } = start({ open: [join(home, 'a.csv'), join(home, 'b.csv')] });
    const picked = await choose.chooseSources({}, {});
    expect(picked).toMatchObject([
      { name: 'a.csv', bytes: 4 },
      { name: 'b.csv', bytes: 0 },
    ]);
    expect(await start({ open: null }).choose.chooseSources({}, {})).toEqual([]);
  });

  it('returns the same token for a folder each time, and none when the user cancels', async () => {
    const home = await folder();
    const { choose, files, requests } = start({ open: [home] });
    const picked = await choose.chooseFolder({ name: '../elsewhere' }, {});
    expect(files.folder(picked?.token ?? '').path).toBe(home);
    expect(await choose.chooseFolder({ name: '' }, {})).toEqual(picked);
    expect(requests.open[0]).toEqual({ properties: ['openDirectory', 'createDirectory'] });
    expect(await start({ open: null }).choose.chooseFolder({ name: '' }, {})).toBeNull();
  });

  it('saves a copy of a job’s file where the user wants it', async () => {
    const home = await folder();
    const path = join(home, 'rejects.csv');
    await writeFile(path, 'a\r\nb\r\n');
    const target = join(home, 'mine.csv');
    const { choose, files, requests } = start({ save: target });
    const { token } = await files.grantSource({ place: 'path', path, name: 'rejects.csv' });
    expect(await choose.saveCopy({ token }, {})).toEqual({ saved: true });
    expect(await readFile(target, 'utf8')).toBe('a\r\nb\r\n');
    expect(requests.save[0]?.defaultPath).toBe(join('/home/me/Downloads', 'rejects.csv'));
    const never = start({ save: null });
    const again = await never.files.grantSource({ place: 'path', path, name: 'rejects.csv' });
    expect(await never.choose.saveCopy({ token: again.token }, {})).toEqual({ saved: false });
  });

  it('allows to replace the file that the dialog asked about, and no file that appears later', async () => {
    const home = await folder();
    const [mine, later] = [join(home, 'mine.csv'), join(home, 'later.csv')];
    await writeFile(mine, 'older');
    const permitted = start({ save: mine });
    const permittedTarget = await permitted.choose.chooseTarget({ suggestedName: 'x' }, {});
    expect(permitted.files.target(permittedTarget?.token ?? '')).toMatchObject({ replaces: true });
    const { choose, files } = start({ save: later });
    const granted = await choose.chooseTarget({ suggestedName: 'x' }, {});
    await writeFile(later, 'of another program');
    expect(files.target(granted?.token ?? '')).toMatchObject({ replaces: false });
  });

  it('saves no copy for a guessed token', async () => {
    const { choose, requests } = start({ save: '/data/x.csv' });
    await expect(choose.saveCopy({ token: 'A'.repeat(32) }, {})).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(requests.save).toEqual([]);
  });
});
