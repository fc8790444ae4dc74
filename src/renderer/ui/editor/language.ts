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

/** Registers the language once. */
export function registerQueryLanguage(): void {
  if (isRegistered) return;
  isRegistered = true;
  languages.register({ id: queryLanguage });
  languages.setLanguageConfiguration(queryLanguage, configuration);
  languages.setMonarchTokensProvider(queryLanguage, tokens);
}
