import { words } from '../../words/words.ts';
import { commandIds, commandTable, type Shortcuts } from '../commands/command-table.ts';
import { currentShortcuts } from '../commands/commands.ts';
import { shortcutText } from '../commands/keys.ts';

const code = (text: string): string => `\`${text}\``;

/**
 * The keyboard page with the user's shortcuts, in its table and in sentences. Commands without a shortcut
 * appear by name.
 */
export function withCurrentShortcuts(
  page: string,
  customShortcuts: Partial<Shortcuts>,
  isMac: boolean,
): string {
  const { titles } = words.commands;
  const commands = commandIds.map((id) => ({
    title: titles[id],
    first: code(shortcutText(commandTable[id].shortcuts[0] ?? '', false)),
    keys: currentShortcuts({ customShortcuts }, id).map((shortcut) => code(shortcutText(shortcut, isMac))),
  }));
  const rows = commands
    .filter(({ keys }) => keys.length > 0)
    .map(({ title, keys }) => `| ${keys.join(', ')} | ${title} |\n`);
  const table = /(^\|.*\n\|.*\n)((?:\|.*\n)+)/m.exec(page);
  if (!table) return page;
  const [whole, head = ''] = table;
  const inSentences = (text: string): string =>
    text.replaceAll(/`[^`\n]+`/g, (named) => {
      const command = commands.find(({ first }) => first === named);
      return command ? (command.keys[0] ?? `**${command.title}**`) : named;
    });
  const end = table.index + whole.length;
  return `${inSentences(page.slice(0, table.index))}${head}${rows.join('')}${page.slice(end)}`;
}
