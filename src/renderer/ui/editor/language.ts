import { languages } from 'monaco-editor/editor';

/**
 * The query language: relaxed JSON with comments, bare keys, single quotes, `ISODate(…)`, and `{{wells}}`.
 */
export const queryLanguage = 'wellbench-query';

const configuration: languages.LanguageConfiguration = {
  comments: { lineComment: '//', blockComment: ['/*', '*/'] },
  brackets: [
    ['{', '}'],
    ['[', ']'],
    ['(', ')'],
  ],
  autoClosingPairs: [
    { open: '{', close: '}' },
    { open: '[', close: ']' },
    { open: '(', close: ')' },
    { open: '"', close: '"', notIn: ['string', 'comment'] },
    { open: "'", close: "'", notIn: ['string', 'comment'] },
  ],
  // A parameter is one word: otherwise completion would not reopen after the `-2` of `{{now-24h}}`.
  wordPattern: /\{\{[^{}\s]*|[\w$.]+/,
};

const tokens: languages.IMonarchLanguage = {
  brackets: [
    { open: '{', close: '}', token: 'delimiter.curly' },
    { open: '[', close: ']', token: 'delimiter.square' },
    { open: '(', close: ')', token: 'delimiter.parenthesis' },
  ],
  tokenizer: {
    root: [
      [/\{\{[^}]*\}\}/, 'parameter'],
      [/\/\/.*$/, 'comment'],
      [/\/\*/, 'comment', '@comment'],
      [/["']?\$[\w]+["']?(?=\s*:)/, 'operator'],
      [/"(?:[^"\\]|\\.)*"(?=\s*:)|'(?:[^'\\]|\\.)*'(?=\s*:)|[A-Za-z_][\w$]*(?=\s*:)/, 'key'],
      [/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/, 'string'],
      [/["'].*$/, 'string.invalid'],
      [/\/(?:[^/\\\n]|\\.)+\/[a-z]*/, 'regexp'],
      [/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/, 'number'],
      [/\b(?:true|false|null)\b/, 'constant'],
      [/[A-Za-z_]\w*(?=\s*\()/, 'call'],
      [/[{}[\]()]/, '@brackets'],
      [/[,:]/, 'delimiter'],
    ],
    comment: [
      [/\*\//, 'comment', '@pop'],
      [/./, 'comment'],
    ],
  },
};

let isRegistered = false;

/** SQL of the local engine, with parameters such as `{{wells}}`. */
export const sqlLanguage = 'wellbench-sql';

const sqlConfiguration: languages.LanguageConfiguration = {
  comments: { lineComment: '--', blockComment: ['/*', '*/'] },
  brackets: [
    ['(', ')'],
    ['[', ']'],
  ],
  autoClosingPairs: [
    { open: '(', close: ')' },
    { open: '[', close: ']' },
    { open: "'", close: "'", notIn: ['string', 'comment'] },
    { open: '"', close: '"', notIn: ['string', 'comment'] },
  ],
  wordPattern: /\{\{[^{}\s]*|\w+/,
};

const sqlKeywords =
  'all and any as asc asof between by case cast desc describe distinct else end except exists false filter first following from full group having in inner intersect interval is join last lateral left like ilike limit not null nulls offset on or order outer over partition preceding qualify recursive right row rows select semi summarize then true unbounded union unnest using values when where window with within';

const sqlTokens: languages.IMonarchLanguage = {
  ignoreCase: true,
  keywords: sqlKeywords.split(' '),
  tokenizer: {
    root: [
      [/\{\{[^}]*\}\}/, 'parameter'],
      [/--.*$/, 'comment'],
      [/\/\*/, 'comment', '@comment'],
      [/'(?:[^']|'')*'/, 'string'],
      [/'.*$/, 'string.invalid'],
      [/"(?:[^"]|"")*"/, 'key'],
      [/[a-z_]\w*(?=\s*\()/, { cases: { '@keywords': 'operator', '@default': 'call' } }],
      [/[a-z_]\w*/, { cases: { '@keywords': 'operator', '@default': '' } }],
      [/\d+(?:\.\d+)?(?:e[+-]?\d+)?/, 'number'],
      [/[,;]/, 'delimiter'],
    ],
    comment: [
      [/\*\//, 'comment', '@pop'],
      [/./, 'comment'],
    ],
  },
};

/** Registers the languages once. */
export function registerLanguages(): void {
  if (isRegistered) return;
  isRegistered = true;
  languages.register({ id: queryLanguage });
  languages.setLanguageConfiguration(queryLanguage, configuration);
  languages.setMonarchTokensProvider(queryLanguage, tokens);
  languages.register({ id: sqlLanguage });
  languages.setLanguageConfiguration(sqlLanguage, sqlConfiguration);
  languages.setMonarchTokensProvider(sqlLanguage, sqlTokens);
}
