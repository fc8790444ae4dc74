import { expect, it } from 'vitest';
import { commandIds, commandTable } from '../../../../src/renderer/features/commands/command-table.ts';
import { shortcutText } from '../../../../src/renderer/features/commands/keys.ts';
import { pages } from '../../../../src/renderer/features/help/pages.ts';
import { words } from '../../../../src/renderer/words/words.ts';

/** The rows of the first table of a page, without its header. */
const rowsOf = (page: string): string[][] =>
  (/(?:^\|.*\n)+/m.exec(page)?.[0] ?? '')
    .trim()
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

it('the guide lists the existing shortcuts', () => {
  const shortcuts = commandIds.flatMap((id) => {
    const keys = commandTable[id].shortcuts.map((one) => `\`${shortcutText(one, false)}\``);
    return keys.length === 0 ? [] : [[keys.join(', '), words.commands.titles[id]]];
  });
  expect(rowsOf(pages['keyboard.md'] ?? '')).toEqual(shortcuts);
});
