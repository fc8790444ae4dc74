import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ar, tar, tarGz, zip, type Entry } from '../../scripts/lib/package/archive.mjs';
import { billOfMaterials, lockedBill } from '../../scripts/lib/package/bill.mjs';
import { debianPackage, desktopEntry, mimeTypes } from '../../scripts/lib/package/linux.mjs';
import { nativePackages, nodePackage, verifyPackage } from '../../scripts/lib/package/locked-packages.mjs';
import { readPackage } from '../../scripts/lib/licenses.mjs';
import { rowExtensions } from '../../src/main/hosts/open-arguments.ts';
import { linkScheme, savedExtension } from '../../src/shared/saved/sharing.ts';
import { useFolders } from '../support/folders.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = useFolders();
const seconds = Date.UTC(2026, 10, 26) / 1000;
const entry = (path: string, text: string, mode = 0o644): Entry => ({ path, bytes: Buffer.from(text), mode });
const deepPath = `${'folder/'.repeat(16)}${'n'.repeat(80)}.js`;
const entries = [entry('b/wellbench', 'run', 0o755), entry('a.txt', ''), entry(deepPath, 'x'.repeat(513))];
const hasProgram = (name: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((place) => existsSync(join(place, name)));

describe('an archive', () => {
  it('of tar is read by the system’s own program, with modes, times, and long paths', async () => {
    const home = await folder();
    await writeFile(join(home, 'a.tar.gz'), tarGz(entries, seconds));
    execFileSync('tar', ['-xzf', 'a.tar.gz'], { cwd: home });
    for (const { path, bytes } of entries) expect(readFileSync(join(home, path))).toEqual(bytes);
    if (process.platform === 'win32') return;
    const list = execFileSync('tar', ['-tvzf', 'a.tar.gz'], {
      cwd: home,
      encoding: 'utf8',
      env: { TZ: 'UTC' },
    });
    expect(list).toMatch(/-rwxr-xr-x root\/root +3 2026-11-26 00:00 b\/wellbench/);
  });

  it('of zip is read again, with a time that doesn’t depend on the time zone', () => {
    const files = unzipSync(zip(entries, seconds));
    expect(Object.keys(files)).toEqual(['a.txt', 'b/wellbench', deepPath]);
    expect(Buffer.from(files['b/wellbench'] ?? [])).toEqual(Buffer.from('run'));
    const written = zip(entries, seconds);
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Asia/Tokyo';
    expect(zip(entries, seconds).equals(written)).toBe(true);
    process.env['TZ'] = zone;
    if (zone === undefined) delete process.env['TZ'];
  });

  it('has the same bytes in whatever order the files are listed', () => {
    for (const write of [tar, tarGz, zip])
      expect(write(entries.toReversed(), seconds).equals(write(entries, seconds))).toBe(true);
    expect(tarGz(entries, seconds + 1).equals(tarGz(entries, seconds))).toBe(false);
  });

  it('refuses a path that it has no room for', () => {
    expect(() => tar([entry('n'.repeat(101), '')], seconds)).toThrow(/too long/);
  });

  it('of ar pads files of odd length', () => {
    expect(ar([entry('a', 'x'), entry('b', 'yz')], seconds).toString('latin1')).toMatch(
      /^!<arch>\na {15}\d+ +0 +0 +100644 +1 +`\nx\nb {15}\d+ +0 +0 +100644 +2 +`\nyz$/,
    );
  });
});

describe('the Debian package', () => {
  const project = { name: 'wellbench', version: '0.1.0-beta.1' };
  const texts = { licenses: 'MIT', bill: '{}' };

  it.skipIf(!hasProgram('dpkg-deb'))('is one that dpkg reads, twice with the same bytes', async () => {
    const contents = [entry('bin/node', 'node', 0o755), entry('app/out/main/cli.js', '')];
    const [first, second] = [contents, contents.toReversed()].map((each) =>
      debianPackage(root, each, project, texts, seconds),
    );
    if (!first || !second) throw new Error('nothing was written');
    expect(second.equals(first)).toBe(true);
    const file = join(await folder(), 'wellbench.deb');
    await writeFile(file, first);
    const field = (name: string) => execFileSync('dpkg-deb', ['-f', file, name], { encoding: 'utf8' }).trim();
    expect(field('Version')).toBe('0.1.0~beta.1');
    const list = execFileSync('dpkg-deb', ['-c', file], { encoding: 'utf8' });
    for (const path of [
      './usr/bin/wellbench',
      './usr/lib/wellbench/0.1.0-beta.1/bin/node',
      './usr/share/applications/wellbench.desktop',
      './usr/share/icons/hicolor/48x48/apps/wellbench.png',
      './usr/share/mime/packages/wellbench.xml',
      './usr/share/doc/wellbench/copyright',
    ])
      expect(list).toContain(path);
  });

  it('opens the files and links that the app opens, and each type of its own is declared', () => {
    const text = desktopEntry('wellbench');
    const types = /^MimeType=(.*);$/m.exec(text)?.[1]?.split(';') ?? [];
    expect(types).toContain(`x-scheme-handler/${linkScheme}`);
    expect(types).toContain('text/csv');
    for (const type of types.filter((each) => each.startsWith('application/')))
      expect(mimeTypes).toContain(`<mime-type type="${type}">`);
    for (const extension of [savedExtension, ...rowExtensions.filter((each) => each !== 'csv')])
      expect(mimeTypes).toContain(`<glob pattern="*.${extension}"/>`);
    expect(text).toMatch(/^Exec=wellbench app %U$/m);
    // The class that the window is started with (src/main/hosts/browser/app-window.ts).
    expect(text).toMatch(/^StartupWMClass=wellbench$/m);
  });

  it.skipIf(!hasProgram('desktop-file-validate'))('has a valid desktop entry', async () => {
    const file = join(await folder(), 'wellbench.desktop');
    await writeFile(file, desktopEntry('wellbench'));
    execFileSync('desktop-file-validate', [file]);
  });
});

describe('what a portable package contains', () => {
  it.each(['linux', 'win32'] as const)(
    'for %s is that platform’s native parts, from the lockfile',
    (platform) => {
      const names = nativePackages(root, platform).map(({ name }) => name);
      const ends = platform === 'linux' ? ['linux-x64', 'linux-x64-gnu'] : ['win32-x64', 'win32-x64-msvc'];
      expect(names).toContain(`@duckdb/node-bindings-${ends[0]}`);
      expect(names).toContain(`@napi-rs/keyring-${ends[1]}`);
      expect(names.filter((name) => /darwin|arm64|musl/.test(name))).toEqual([]);
      for (const each of [...nativePackages(root, platform), nodePackage(root, platform)])
        expect(each.integrity).toMatch(/^sha512-/);
    },
  );

  it('is listed in a bill of materials, with digests, and twice the same', () => {
    const packages = ['undici', 'zod'].map((name) => readPackage(join(root, 'node_modules', name)));
    const project = { name: 'wellbench', version: '9.9.9' };
    const locked = lockedBill(root);
    const bill = billOfMaterials(locked, packages, project, seconds);
    expect(billOfMaterials(locked, packages, project, seconds)).toBe(bill);
    const component = z.object({
      name: z.string(),
      purl: z.string(),
      scope: z.literal('required'),
      hashes: z.array(z.object({ alg: z.literal('SHA-512'), content: z.string() })).length(1),
      licenses: z.array(z.unknown()).length(1),
    });
    const parsed = z
      .object({
        bomFormat: z.literal('CycloneDX'),
        specVersion: z.string(),
        serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        metadata: z.object({ component: z.object({ name: z.string(), version: z.string() }) }),
        components: z.array(component),
      })
      .parse(JSON.parse(bill));
    expect(parsed.metadata.component).toMatchObject(project);
    expect(parsed.components.map(({ name }) => name)).toEqual(['undici', 'zod']);
    const others = packages.map((each) => ({ ...each, version: '0.0.1' }));
    expect(() => billOfMaterials(locked, others, project, seconds)).toThrow(/isn’t in the lockfile/);
  });

  it('is refused when it isn’t what the lockfile names', () => {
    const bytes = Buffer.from('a package');
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const locked = { place: '', name: 'undici', version: '1.0.0', integrity };
    verifyPackage(locked, bytes);
    expect(() => verifyPackage(locked, Buffer.from('another package'))).toThrow(/isn’t the package/);
  });
});
