import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../../../src/shared/errors/errors.ts';
import { contents, createHelp } from '../../../../src/renderer/features/help/help.ts';
import { pages, placeOf, titleOf, search } from '../../../../src/renderer/features/help/pages.ts';

describe('the guide in the window', () => {
  it('opens at its contents, at a page, and at the next step for an error', () => {
    const { store, actions } = createHelp();
    expect(store.getState().at).toBeNull();
    actions.open();
    expect(store.getState().at).toEqual(contents);
    for (const code of errorCodes) {
      actions.explain(code);
      const { page = '', heading } = store.getState().at ?? {};
      expect(pages[page]).toContain(`### ${heading}\n`);
    }
    actions.close();
    expect(store.getState().at).toBeNull();
  });

  it('follows links to its own pages and to nothing else', () => {
    expect(placeOf('upload.md', 'ask.md')).toEqual({ page: 'upload.md', heading: null });
    expect(placeOf('../troubleshooting.md#proxies', 'ask.md')).toEqual({
      page: 'troubleshooting.md',
      heading: 'Proxies',
    });
    expect(placeOf('https://example.com/', 'ask.md')).toBeNull();
    expect(titleOf('upload.md')).toBe('Upload a file');
  });

  it('is searched by words, and shows the sections that contain them', () => {
    const found = search('Windows AUTHENTICATION');
    expect(found.map(({ page }) => page)).toContain('proxy.md');
    expect(found.every(({ text }) => /windows/i.test(text) && /authentication/i.test(text))).toBe(true);
    expect(
      search('LAS')
        .slice(0, 5)
        .map(({ text, heading }) => `${heading} ${text}`),
    ).not.toContainEqual(expect.not.stringMatching(/\bLAS\b/));
    expect(search('nobody-says-this')).toEqual([]);
    expect(search('  ')).toEqual([]);
  });

  it('finds the heading of each link to a section', () => {
    const links = Object.entries(pages).flatMap(([page, text]) =>
      [...text.matchAll(/\]\(([^)]*#[^)]+)\)/g)].map(([, href = '']) => [page, href] as const),
    );
    expect(links.length).toBeGreaterThan(3);
    for (const [page, href] of links) expect(placeOf(href, page)?.heading, href).toBeTypeOf('string');
  });

  it('has every page of the guide', () => {
    for (const [, href = ''] of (pages['README.md'] ?? '').matchAll(/\]\(([^)]+)\)/g))
      expect(placeOf(href, 'README.md'), href).not.toBeNull();
  });
});
