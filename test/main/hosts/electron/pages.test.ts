import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { servePages, listPages } from '../../../../src/main/hosts/electron/desktop.ts';
import { isOwnAddress, isPage } from '../../../../src/main/hosts/electron/guard.ts';
import { useFolders } from '../../../support/folders.ts';

describe('pages of the app scheme', () => {
  const folder = useFolders();

  async function built() {
    const home = await folder();
    await mkdir(join(home, 'renderer', 'assets'), { recursive: true });
    await writeFile(join(home, 'renderer', 'index.html'), '<title>Wellbench</title>');
    await writeFile(join(home, 'renderer', 'assets', 'index-1.js'), 'export {};');
    await writeFile(join(home, 'renderer', 'assets', 'a b.svg'), '<svg/>');
    await writeFile(join(home, 'secret.txt'), 'not to be served');
    await symlink(join(home, 'secret.txt'), join(home, 'renderer', 'link.txt')).catch(() => undefined);
    const answer = servePages(await listPages(join(home, 'renderer')));
    return { home, ask: (url: string, method = 'GET') => answer({ url, method }) };
  }

  it('are the files of the built renderer, each with its type and the policy', async () => {
    const { ask } = await built();
    const page = await ask('app://wellbench/');
    expect(page.status).toBe(200);
    expect(await page.text()).toBe('<title>Wellbench</title>');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(page.headers.get('content-security-policy')).toContain("connect-src 'self';");
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const script = await ask('app://wellbench/assets/index-1.js?v=1');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await ask('app://wellbench/assets/a%20b.svg')).headers.get('content-type')).toBe('image/svg+xml');
  });

  it.each([
    'app://wellbench/../secret.txt',
    'app://wellbench/%2e%2e/secret.txt',
    'app://wellbench/..%2fsecret.txt',
    'app://wellbench/..%5csecret.txt',
    'app://wellbench/....//secret.txt',
    'app://wellbench//etc/passwd',
    'app://wellbench/assets/',
    'app://wellbench/link.txt',
    'app://wellbench/index.html%00.js',
    'app://wellbench/__proto__',
    'app://elsewhere/',
    'https://wellbench/',
    'app://wellbench@evil.example/',
  ])('don’t exist at %s', async (address) => {
    const { ask } = await built();
    const answer = await ask(address);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('not to be served');
  });

  it('are read-only', async () => {
    const { ask } = await built();
    for (const method of ['POST', 'PUT', 'HEAD', 'OPTIONS'])
      expect((await ask('app://wellbench/', method)).status).toBe(404);
  });
});

describe('our own addresses', () => {
  it('are those of our scheme and host', () => {
    expect(isOwnAddress('app://wellbench/assets/a.js')).toBe(true);
    for (const other of [
      '',
      'about:blank',
      'app://other/',
      'app:wellbench',
      'apps://wellbench/',
      'file:///wellbench',
      'data:,x',
    ])
      expect(isOwnAddress(other)).toBe(false);
  });

  it('have one page', () => {
    expect(isPage('app://wellbench/')).toBe(true);
    expect(isPage('app://wellbench/?a#b')).toBe(true);
    expect(isPage('app://wellbench/assets/a.js')).toBe(false);
    expect(isPage('https://wellbench/')).toBe(false);
  });
});
