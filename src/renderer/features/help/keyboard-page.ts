import { words } from '../../words/words.ts';
import { commandIds, commandTable, type Shortcuts } from '../commands/command-table.ts';
import { shortcutsNow } from '../commands/commands.ts';
import { shortcutInWords } from '../commands/keys.ts';

const code = (text: string): string => `\`${text}\``;

/**
 * The page of the guide about the keyboard with the keys that commands have now: in its first table, which lists them, and
 * in the sentences that name them. A command without keys is called by its name there.
 */
export function withKeysNow(page: string, changed: Partial<Shortcuts>, isMac: boolean): string {
  const { titles } = words.commands;
  const commands = commandIds.map((id) => ({
    title: titles[id],
    first: code(shortcutInWords(commandTable[id].shortcuts[0] ?? '', false)),
    keys: shortcutsNow({ changed }, id).map((one) => code(shortcutInWords(one, isMac))),
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
