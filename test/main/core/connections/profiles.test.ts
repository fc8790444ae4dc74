import { fork } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProfiles, type StoredProfile } from '../../../../src/main/core/connections/profiles.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();
const profile = (id: string, more: Partial<StoredProfile> = {}): StoredProfile => ({
  id,
  name: `Name of ${id}`,
  color: 'blue',
  dataUrl: 'https://data.example',
  platformUrl: 'https://platform.example',
  method: 'api_key',
  readOnly: false,
  authorities: [],
  secret: 'keychain',
  ...more,
});

async function store() {
  const folder = await folders();
  const warnings: string[] = [];
  const path = join(folder, 'connections.json');
  return { folder, path, warnings, profiles: openProfiles(folder, (sentence) => warnings.push(sentence)) };
}

describe('saved profiles', () => {
  it('are available to the next process unchanged', async () => {
    const { folder, path, profiles } = await store();
    expect(await profiles.read()).toEqual([]);
    const all = [
      profile('a'),
      profile('b', { method: 'login', email: 'me@c.example', authorities: ['PEM'] }),
    ];
    await profiles.change(() => all);
    expect(await openProfiles(folder, () => undefined).read()).toEqual(all);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ format: 1 });
  });

  it('that are damaged are set aside, not overwritten', async () => {
    const { folder, path, profiles, warnings } = await store();
    await writeFile(path, '{"format":1,"connections":[{"id"');
    expect(await profiles.read()).toEqual([]);
    await profiles.change((all) => [...all, profile('a')]);
    const damagedCopy = (await readdir(folder)).find((name) => name.includes('.damaged-'));
    expect(await readFile(join(folder, damagedCopy ?? ''), 'utf8')).toBe('{"format":1,"connections":[{"id"');
    expect(warnings).toEqual([expect.stringContaining('The saved connections')]);
    expect(await profiles.read()).toHaveLength(1);
  });

  it('keep the undamaged ones, and a copy of the file', async () => {
    const { folder, path, profiles, warnings } = await store();
    const text = JSON.stringify({ format: 1, connections: [profile('a'), { id: 'b' }, profile('c')] });
    await writeFile(path, text);
    expect((await profiles.read()).map(({ id }) => id)).toEqual(['a', 'c']);
    await profiles.change((all) => all.filter(({ id }) => id !== 'a'));
    expect((await profiles.read()).map(({ id }) => id)).toEqual(['c']);
    const damagedCopy = (await readdir(folder)).find((name) => name.includes('.damaged-'));
    expect(await readFile(join(folder, damagedCopy ?? ''), 'utf8')).toBe(text);
    expect(warnings).toEqual([expect.stringContaining('Some of the saved connections')]);
  });

  it('of a newer version are not changed', async () => {
    const { path, profiles } = await store();
    const text = JSON.stringify({ format: 2, connections: [], more: true });
    await writeFile(path, text);
    await expect(profiles.read()).rejects.toMatchObject({ code: 'file_too_new', details: { format: 2 } });
    await expect(profiles.change(() => [])).rejects.toMatchObject({ code: 'file_too_new' });
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('that can’t be read raise an error instead of an empty list', async () => {
    const { path, profiles } = await store();
    await mkdir(path);
    await expect(profiles.change(() => [profile('a')])).rejects.toMatchObject({ code: 'file_unreadable' });
  });

  it.runIf(process.getuid?.() !== 0 && process.platform !== 'win32')(
    'that can’t be written raise an error',
    async () => {
      const { folder, profiles } = await store();
      await chmod(folder, 0o500);
      await expect(profiles.change(() => [profile('a')])).rejects.toMatchObject({ code: 'file_unwritable' });
      await chmod(folder, 0o700);
    },
  );

  it('are changed by several processes at once without losses', async () => {
    const { folder, profiles } = await store();
    const module = join(import.meta.dirname, '../../../../src/main/core/connections/profiles.ts');
    const entry = join(folder, 'changer.mjs');
    await writeFile(
      entry,
      `import { openProfiles } from ${JSON.stringify(module)};
       const store = openProfiles(${JSON.stringify(folder)}, () => undefined);
       const template = ${JSON.stringify(profile('x'))};
       for (let n = 0; n < 20; n += 1)
         await store.change((all) => [...all, { ...template, id: process.argv[2] + n }]);`,
    );
    const ended = ['a', 'b', 'c'].map(
      (name) => new Promise((resolve) => fork(entry, [name], { execArgv: [] }).once('exit', resolve)),
    );
    expect(await Promise.all(ended)).toEqual([0, 0, 0]);
    expect(await profiles.read()).toHaveLength(60);
  });
});
