import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadCatalogues } from '../support/catalogues.ts';

const folder = fileURLToPath(new URL('../../docs/guide', import.meta.url));
const pages = (await readdir(folder)).filter((name) => name.endsWith('.md'));

const wordsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(wordsOf)
      : [];
const shown = new Set(wordsOf(await loadCatalogues()));

describe.each(pages)('the page %s of the guide', (name) => {
  it('has only on-screen labels in bold', async () => {
    const page = (await readFile(join(folder, name), 'utf8')).replaceAll('\n', ' ');
    const bold = [...page.matchAll(/\*\*([^*]+)\*\*/g)].map(([, text = '']) =>
      text.replaceAll(/\s+/g, ' ').replace(/\.$/, ''),
    );
    expect(bold.filter((text) => !shown.has(text))).toEqual([]);
  });

  it('links to pages that exist', async () => {
    const page = await readFile(join(folder, name), 'utf8');
    const links = [...page.matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => path);
    expect(links.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  });
});

it('the page on troubleshooting has only on-screen labels in bold', async () => {
  const page = await readFile(join(folder, '..', 'troubleshooting.md'), 'utf8');
  const bold = [...page.matchAll(/\*\*([^*]+)\*\*/g)].map(([, text = '']) => text.replaceAll(/\s+/g, ' '));
  expect(bold.length).toBeGreaterThan(5);
  expect(bold.filter((text) => !shown.has(text))).toEqual([]);
});

it('the page of the architecture is short, and names folders and files that exist', async () => {
  const root = join(folder, '..', '..');
  const page = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8');
  const named = [
    ...page.matchAll(
      /`((?:shared|main|renderer|features|ui|state|app|upload|export|jobs|files|test|docs)\/[^`\s<*]*)`/g,
    ),
  ];
  const places = ['', 'src', 'src/main', 'src/renderer'];
  const missing = named
    .map(([, path = '']) => path)
    .filter((path) => !places.some((place) => existsSync(join(root, place, path))));
  expect(named.length).toBeGreaterThan(15);
  expect(missing).toEqual([]);
  expect(page.split(/\s+/).length).toBeLessThan(1500);
});

it('the page for contributors names folders and files that exist', async () => {
  const root = join(folder, '..', '..');
  const page = await readFile(join(root, 'docs', 'contributing.md'), 'utf8');
  const named = [...page.matchAll(/`((?:src|test|docs)\/[^`\s<]+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
