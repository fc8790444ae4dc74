import { lexer, type Token, type Tokens } from 'marked';
import { wordSearch } from '../../format/word-search.ts';
import { pages } from './pages.ts';

/** A part of the guide that contains the search text. */
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
  const words = wordsIn(text).filter(Boolean);
  const isWhole = (part: SearchResult) => new Set(words).isSubsetOf(new Set(wordsIn(searched(part))));
  return [...parts()]
    .filter((part) => matches(searched(part)))
    .toSorted((a, b) => Number(isWhole(b)) - Number(isWhole(a)));
}
