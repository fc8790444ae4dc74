import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = 'docs/decisions';

it('the list of decisions has each of them, with its title', () => {
  const index = readFileSync(`${folder}/README.md`, 'utf8');
  const pages = readdirSync(folder).filter((name) => name !== 'README.md');
  expect(pages.length).toBeGreaterThan(1);
  for (const page of pages) {
    const [heading = ''] = readFileSync(`${folder}/${page}`, 'utf8').split('\n');
    expect(index).toContain(`- [${heading.replace('# ', '')}](${page})`);
  }
});
