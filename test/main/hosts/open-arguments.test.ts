import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readArgument, parseArguments } from '../../../src/main/hosts/open-arguments.ts';
import { openRecentFiles } from '../../../src/main/hosts/electron/menu.ts';
import { questionText } from '../../../src/shared/query/question.ts';
import { createFiles } from '../../../src/main/core/files/files.ts';
import { linkTo, savedToText } from '../../../src/shared/saved/sharing.ts';
import { useFolders } from '../../support/folders.ts';

const query = {
  name: 'Rate',
  folder: '',
  provider: 'demo',
  dataset: 'wits',
  question: questionText.parse({ find: { query: '{ a: 1 }' } }),
};
const folder = useFolders();
const home = resolve('/home/me');

describe('items to open at startup', () => {
  it.each([
    [
      ['a.wellbench', '/far/B.WELLBENCH'],
      [join(home, 'a.wellbench'), resolve('/far/B.WELLBENCH')],
    ],
    [[pathToFileURL(join(home, 'c d.wellbench')).href], [join(home, 'c d.wellbench')]],
    [
      ['a.csv', 'Far.LAS'],
      [join(home, 'a.csv'), join(home, 'Far.LAS')],
    ],
    [['.', 'out/main/index.js', '--flag', '-x.wellbench', '-x.csv', 'a.json', 'csv', ''], []],
    [['file://%%%/a.wellbench'], []],
    [['wellbench://query?q=1'], ['wellbench://query?q=1']],
    [['--gpu-launcher=x', 'wellbench://query?q=1', '/etc/a.wellbench'], ['wellbench://query?q=1']],
  ])('of %j are %j', (argv, things) => {
    expect(parseArguments(argv, home)).toEqual(things);
  });

  it('are read: a file with its name, a link without one; neither shows a path', async () => {
    const path = join(await folder(), 'mine.wellbench');
    await writeFile(path, savedToText([query], []));
    const content = { queries: [query], folders: [] };
    expect(await readArgument(path, createFiles())).toEqual({
      kind: 'queries',
      file: 'mine.wellbench',
      content,
    });
    expect(await readArgument(linkTo(query) ?? '', createFiles())).toEqual({
      kind: 'queries',
      file: null,
      content,
    });
  });

  it('are granted when they have rows: the window gets a token and a name', async () => {
    const [path, files] = [join(await folder(), 'depth.LAS'), createFiles()];
    await writeFile(path, '~V\n');
    const opened = await readArgument(path, files);
    expect(opened).toMatchObject({ kind: 'rows', file: { name: 'depth.LAS', bytes: 3 } });
    expect(JSON.stringify(opened)).not.toContain(path);
    if (opened.kind === 'rows') expect(files.source(opened.file.token).path).toBe(path);
  });

  it('are reported when they are invalid, without a path', async () => {
    const home = await folder();
    await mkdir(join(home, 'a.wellbench'));
    await writeFile(join(home, 'b.wellbench'), 'not ours');
    for (const [name, code] of [
      ['a.wellbench', 'file_unreadable'],
      ['b.wellbench', 'file_unsuitable'],
      ['none.wellbench', 'file_unreadable'],
      ['none.csv', 'file_unreadable'],
    ] as const) {
      const found = await readArgument(join(home, name), createFiles());
      expect(found).toMatchObject({ kind: 'problem', error: { code, details: { file: name } } });
      expect(JSON.stringify(found)).not.toContain(home);
    }
    expect(await readArgument('wellbench://run/everything', createFiles())).toMatchObject({
      kind: 'problem',
      error: { code: 'file_unsuitable', details: { file: 'The link' } },
    });
  });
});

describe('recent files', () => {
  it('are stored, the newest first, each once, up to eight', async () => {
    const path = join(await folder(), 'recent.json');
    let changes = 0;
    const recent = await openRecentFiles(
      path,
      () => (changes += 1),
      () => undefined,
    );
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'd']) await recent.add(`/${name}`);
    const kept = ['/d', '/i', '/h', '/g', '/f', '/e', '/c', '/b'];
    expect(recent.list()).toEqual(kept);
    expect(changes).toBe(10);
    const again = await openRecentFiles(
      path,
      () => undefined,
      () => undefined,
    );
    expect(again.list()).toEqual(kept);
    await again.clear();
    expect(again.list()).toEqual([]);
  });

  it('are empty when their list is damaged', async () => {
    const path = join(await folder(), 'recent.json');
    await writeFile(path, '{"files":[7]}');
    const recent = await openRecentFiles(
      path,
      () => undefined,
      () => undefined,
    );
    expect(recent.list()).toEqual([]);
  });
});
