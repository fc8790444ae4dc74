import { readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import type * as promises from 'node:fs/promises';
import { chmod, mkdir, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  checkOutput,
  copyToOutput,
  openOutput,
  publishOutput,
  reservePartial,
  writeOutput,
} from '../../../../src/main/core/files/output-file.ts';
import { useFolders } from '../../../support/folders.ts';
import { canMount, withSmallDisk } from '../../../support/small-disk.ts';

const newFolder = useFolders();
const replacing = (path: string) => ({ path, replaces: true });
const creating = (path: string) => ({ path, replaces: false });

/** What the system answers instead of creating a link, and instead of opening a file to write. */
const refusals = vi.hoisted((): { link: string | null; open: string | null } => ({ link: null, open: null }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof promises>();
  const refused = (code: string) => Promise.reject(Object.assign(new Error('refused'), { code }));
  const link: typeof real.link = (from, to) =>
    refusals.link === null ? real.link(from, to) : refused(refusals.link);
  const open: typeof real.open = (path, flags, mode) =>
    refusals.open === null || flags !== 'r+' ? real.open(path, flags, mode) : refused(refusals.open);
  return { ...real, link, open };
});

afterEach(() => {
  refusals.open = null;
});
it('isn’t begun over a file that another program has open, as Excel does on Windows', async () => {
  const path = join(await newFolder(), 'out.csv');
  writeFileSync(path, 'mine');
  refusals.open = 'EBUSY';
  const check = checkOutput(replacing(path));
  await expect(check).rejects.toMatchObject({
    code: 'file_unwritable',
    details: { file: 'out.csv', reason: 'another program has it open' },
  });
  refusals.open = null;
  await checkOutput(replacing(path));
});

describe.each([
  ['with hard links', null],
  ['without hard links, as on FAT', 'EPERM'],
  ['without hard links, as on exFAT under Windows', 'EISDIR'],
])('a result on a disk %s', (_disk, refusal) => {
  async function start() {
    refusals.link = refusal;
    const folder = await newFolder();
    const [partial, path] = [join(folder, 'out.csv.partial'), join(folder, 'out.csv')];
    writeFileSync(partial, 'new');
    return { folder, partial, path };
  }

  it('gets its name when it is complete', async () => {
    const { folder, partial, path } = await start();
    await publishOutput(partial, creating(path));
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['out.csv']);
  });

  it('never replaces a file that appeared meanwhile, and stays beside it', async () => {
    const { folder, partial, path } = await start();
    writeFileSync(path, 'mine');
    await expect(publishOutput(partial, creating(path))).rejects.toMatchObject({
      code: 'file_exists',
      details: { file: 'out.csv', finished: 'out.csv.partial' },
      message: expect.stringContaining('out.csv.partial in the same folder'),
    });
    expect([readFileSync(partial, 'utf8'), readFileSync(path, 'utf8')]).toEqual(['new', 'mine']);
    expect(readdirSync(folder).toSorted()).toEqual(['out.csv', 'out.csv.partial']);
  });

  it('is that of exactly one of several writers', async () => {
    const { folder, path } = await start();
    const results = await Promise.allSettled([1, 2, 3, 4].map((n) => writeOutput(creating(path), `${n}`)));
    const done = results.flatMap(({ status }, at) => (status === 'fulfilled' ? [String(at + 1)] : []));
    expect(done).toEqual([readFileSync(path, 'utf8')]);
    // What the others wrote is complete, under another name.
    const left = readdirSync(folder).filter((name) => name !== 'out.csv' && name !== 'out.csv.partial');
    for (const name of left) expect(readFileSync(join(folder, name), 'utf8')).toMatch(/^[1-4]$/);
  });

  it('replaces a file if that is allowed', async () => {
    const { folder, partial, path } = await start();
    writeFileSync(path, 'older');
    await publishOutput(partial, replacing(path));
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['out.csv']);
  });
});

describe('a path for a result', () => {
  it('is refused if a file, a folder, or a link is there, before anything is written', async () => {
    refusals.link = null;
    const folder = await newFolder();
    const at = (name: string) => join(folder, name);
    writeFileSync(at('file'), 'mine');
    await mkdir(at('folder'));
    symlinkSync(at('nowhere'), at('link'));
    symlinkSync('/dev/null', at('device'));
    const names = readdirSync(folder);
    for (const name of names) {
      await expect(checkOutput(creating(at(name)))).rejects.toMatchObject({
        code: 'file_exists',
        details: { file: name },
      });
      await expect(writeOutput(creating(at(name)), 'new')).rejects.toMatchObject({ code: 'file_exists' });
    }
    for (const name of ['folder', 'link', 'device'])
      await expect(writeOutput(replacing(at(name)), 'new')).rejects.toMatchObject({
        code: 'file_unwritable',
        details: { file: name },
      });
    expect(readFileSync(at('file'), 'utf8')).toBe('mine');
    expect(readdirSync(folder)).toEqual(names);
  });

  it('has nothing until the content is complete', async () => {
    const folder = await newFolder();
    const output = await openOutput(creating(join(folder, 'plot.png')));
    await output.append('one, ');
    await output.append(Buffer.from('two'));
    expect(readdirSync(folder)).toEqual(['plot.png.partial']);
    await output.complete();
    expect(readdirSync(folder)).toEqual(['plot.png.partial']);
    await output.publish();
    await output.discard();
    expect(readFileSync(join(folder, 'plot.png'), 'utf8')).toBe('one, two');
    expect(readdirSync(folder)).toEqual(['plot.png']);
  });

  it('has nothing after the content is discarded', async () => {
    const folder = await newFolder();
    const output = await openOutput(creating(join(folder, 'plot.png')));
    await output.append('half');
    await output.discard();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('never takes the incomplete file of somebody else', async () => {
    const folder = await newFolder();
    const names = await Promise.all([1, 2, 3].map(() => reservePartial(join(folder, 'out.csv'))));
    expect(names.map((path) => basename(path)).toSorted()).toEqual([
      'out.csv.2.partial',
      'out.csv.3.partial',
      'out.csv.partial',
    ]);
    writeFileSync(join(folder, 'out.csv.partial'), 'of somebody else');
    await writeOutput(creating(join(folder, 'out.csv')), 'new');
    expect(readFileSync(join(folder, 'out.csv.partial'), 'utf8')).toBe('of somebody else');
  });

  it.skipIf(!canMount)('has nothing, or its earlier file, when the disk is full', async () => {
    const folder = await newFolder();
    await withSmallDisk(folder, 64, async () => {
      await expect(writeOutput(creating(join(folder, 'a.csv')), 'x'.repeat(256_000))).rejects.toMatchObject({
        code: 'disk_full',
        details: { file: 'a.csv' },
      });
      expect(readdirSync(folder)).toEqual([]);
      writeFileSync(join(folder, 'a.csv'), 'mine');
      await expect(writeOutput(replacing(join(folder, 'a.csv')), 'x'.repeat(256_000))).rejects.toMatchObject({
        code: 'disk_full',
      });
      expect(readFileSync(join(folder, 'a.csv'), 'utf8')).toBe('mine');
      expect(readdirSync(folder)).toEqual(['a.csv']);
    });
  });
});

it('a result never differs from what was written, whatever the pieces are', async () => {
  const folder = await newFolder();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 6 }), async (pieces) => {
      const path = join(folder, `${++count}.bin`);
      const output = await openOutput(creating(path));
      for (const piece of pieces) await output.append(piece);
      await output.complete();
      await output.publish();
      expect(readFileSync(path)).toEqual(Buffer.concat(pieces));
    }),
    { numRuns: 30 },
  );
});

describe('a copy', () => {
  const folder = newFolder;

  async function start() {
    const home = await folder();
    await mkdir(join(home, 'to'));
    const from = join(home, 'rejects.csv');
    await writeFile(from, Buffer.from([0xef, 0xbb, 0xbf, 97, 13, 10, 0, 255]));
    return { home, from, to: join(home, 'to', 'mine.csv') };
  }

  it('has every byte, and replaces the earlier file if that is allowed', async () => {
    const { home, from, to } = await start();
    await writeFile(to, 'something older and longer than the new one');
    await copyToOutput(from, replacing(to));
    expect(await readFile(to)).toEqual(await readFile(from));
    expect(await readdir(join(home, 'to'))).toEqual(['mine.csv']);
  });

  it('onto itself changes nothing, even through a link', async () => {
    const { home, from } = await start();
    const before = await readFile(from);
    await copyToOutput(from, replacing(from));
    await symlink(from, join(home, 'link.csv'));
    await copyToOutput(from, replacing(join(home, 'link.csv')));
    expect(await readFile(from)).toEqual(before);
  });

  it('follows no link placed next to the target', async () => {
    const { home, from, to } = await start();
    const other = join(home, 'other.txt');
    await writeFile(other, 'mine');
    await symlink(other, `${to}.partial`);
    await copyToOutput(from, replacing(to));
    expect(await readFile(other, 'utf8')).toBe('mine');
    expect(await readFile(to)).toEqual(await readFile(from));
  });

  it('of a file that no longer exists names the file, not the path, and leaves the target unchanged', async () => {
    const { home, to } = await start();
    await writeFile(to, 'older');
    const failure = await copyToOutput(join(home, 'gone.csv'), replacing(to)).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      code: 'file_unreadable',
      details: { file: 'gone.csv', reason: 'it doesn’t exist' },
    });
    expect(String(failure)).not.toContain(home);
    expect(await readFile(to, 'utf8')).toBe('older');
  });

  it('into a folder that doesn’t exist, or onto one, reports it and leaves nothing behind', async () => {
    const { home, from, to } = await start();
    await expect(copyToOutput(from, replacing(join(home, 'none', 'a.csv')))).rejects.toMatchObject({
      code: 'file_unwritable',
      details: { file: 'a.csv', reason: 'its folder doesn’t exist' },
    });
    await mkdir(join(to, 'loaded'), { recursive: true });
    await expect(copyToOutput(from, replacing(to))).rejects.toMatchObject({ code: 'file_unwritable' });
    expect(await readdir(join(home, 'to'))).toEqual(['mine.csv']);
  });

  it('can be replaced even if the source is read-only', async () => {
    const { from, to } = await start();
    await chmod(from, 0o400);
    await copyToOutput(from, replacing(to));
    await copyToOutput(from, replacing(to));
    expect(await readFile(to)).toEqual(await readFile(from));
  });

  it('of a large sparse file is complete', async () => {
    const { from, to } = await start();
    await truncate(from, 8 * 1024 * 1024);
    await copyToOutput(from, replacing(to));
    expect((await readFile(to)).equals(await readFile(from))).toBe(true);
  });

  it.skipIf(!canMount)(
    'onto a full disk reports it, removes the partial copy, and keeps the existing file',
    async () => {
      const { home, from, to } = await start();
      await truncate(from, 256 * 1024);
      await withSmallDisk(join(home, 'to'), 64, async () => {
        await writeFile(to, 'older');
        const failure = await copyToOutput(from, replacing(to)).catch((error: unknown) => error);
        expect(failure).toMatchObject({ code: 'disk_full', details: { file: 'mine.csv' } });
        expect(await readFile(to, 'utf8')).toBe('older');
        expect(await readdir(join(home, 'to'))).toEqual(['mine.csv']);
      });
    },
  );
});
