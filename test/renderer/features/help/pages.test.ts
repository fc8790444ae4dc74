import { expect, it } from 'vitest';
import { pages, withCurrentShortcuts } from '../../../../src/renderer/features/help/pages.ts';
import { words } from '../../../../src/renderer/words/words.ts';

const { titles } = words.commands;
const page = pages['keyboard.md'] ?? '';

it('the keyboard page is unchanged while the user has changed no shortcut', () => {
  const squeezed = (text: string) => text.replaceAll(/[ -]+/g, ' ');
  expect(squeezed(withCurrentShortcuts(page, {}, false))).toBe(squeezed(page));
});

it('the keyboard page has the current shortcuts, in the table and in the text', () => {
  const now = withCurrentShortcuts(page, { palette: ['Mod+J'], stop: ['F4'], save: [] }, true);
  expect(now).toContain(`| \`Cmd+J\` | ${titles.palette} |`);
  expect(now).toContain('`Cmd+J` lists everything');
  expect(now).toContain(`| \`F4\` | ${titles.stop} |`);
  expect(now).not.toContain(`| ${titles.save} |`);
  expect(withCurrentShortcuts(page, { palette: [] }, false)).toContain(
    `**${titles.palette}** lists everything`,
  );
});
