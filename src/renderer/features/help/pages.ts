import { words } from '../../words/words.ts';
import { commandIds, commandTable, type Shortcuts } from '../commands/command-table.ts';
import { currentShortcuts } from '../commands/commands.ts';
import { shortcutText } from '../commands/keys.ts';
import type { HelpPlace } from './help.ts';
import { lexer, type Token, type Tokens } from 'marked';
import { wordSearch } from '../../../shared/word-search.ts';

const texts = import.meta.glob<string>(
  ['../../../../docs/guide/*.md', '../../../../docs/troubleshooting.md'],
  { query: '?raw', import: 'default', eager: true },
);
const allPages = Object.entries(texts).map(
  ([path, text]) => [path.slice(path.lastIndexOf('/') + 1), text] as const,
);
const [, contents = ''] = allPages.find(([name]) => name === 'README.md') ?? [];
const placeInContents = (name: string): number => contents.lastIndexOf(`${name})`);

/** The pages of the guide as Markdown, by file name, in the order of its contents. */
export const pages: Readonly<Record<string, string>> = Object.fromEntries(
  allPages.toSorted(([a], [b]) => placeInContents(a) - placeInContents(b)),
);

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/**
 * The target of a link.
 * @param from the page with the link
 * @returns null: an external link
 */
export function placeOf(href: string, from: string): HelpPlace | null {
  const [path = '', anchor] = href.split('#');
  const page = path === '' ? from : (path.split('/').at(-1) ?? '');
  const text = pages[page];
  if (text === undefined) return null;
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return { page, heading: headings.find((heading) => anchorOf(heading) === anchor) ?? null };
}

/** The title of a page: its first heading. */
export const titleOf = (page: string): string => /^# (.+)$/m.exec(pages[page] ?? '')?.[1] ?? page;

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

export interface SearchResult {
  readonly page: string;
  readonly heading: string | null;
  readonly text: string;
}

const textOf = (token: Token): string =>
  'tokens' in token && token.tokens
    ? token.tokens.map(textOf).join('')
    : 'text' in token
      ? String(token.text)
      : '';

/** The smallest meaningful parts: paragraphs, list items, table rows. */
function partsOf(token: Token): string[] {
  switch (token.type) {
    case 'list':
      return (token as Tokens.List).items.map(({ tokens }) => tokens.map(textOf).join(' '));
    case 'table':
      return (token as Tokens.Table).rows.map((row) =>
        row.map(({ tokens }) => tokens.map(textOf).join('')).join(': '),
      );
    case 'space':
      return [];
    default:
      return [textOf(token)];
  }
}

function* parts(): Generator<SearchResult> {
  for (const [page, markdown] of Object.entries(pages)) {
    let heading: string | null = null;
    for (const token of lexer(markdown)) {
      if (token.type === 'heading') {
        heading = textOf(token);
        yield { page, heading, text: '' };
      } else for (const text of partsOf(token)) yield { page, heading, text };
    }
  }
}

const wordsIn = (text: string): string[] => text.toLocaleLowerCase().split(/[^\p{L}\p{N}]+/u);

/** The parts of all pages that contain every word, or whose heading does: first those with whole words, as “LAS” isn't “last”. */
export function search(text: string): SearchResult[] {
  if (text.trim() === '') return [];
  const matches = wordSearch(text);
  const searched = (part: SearchResult) => part.text || (part.heading ?? '');
  const words = new Set(wordsIn(text).filter(Boolean));
  const isWhole = (part: SearchResult) => words.isSubsetOf(new Set(wordsIn(searched(part))));
  const matching = [...parts()].filter((part) => matches(searched(part)));
  const byWords = Map.groupBy(matching, isWhole);
  return [...(byWords.get(true) ?? []), ...(byWords.get(false) ?? [])];
}
