import { editor, KeyCode, KeyMod, MarkerSeverity, languages, Range } from 'monaco-editor/editor';
import { useEffect, useEffectEvent, useImperativeHandle, useRef, type Ref } from 'react';
import type { Finding, QuickFix } from '../../../shared/language/lint/notes.ts';
import { onThemeChange, themeState, tokenColors } from '../tokens.ts';
import { helpByModel, type Help, storedModel, type EditorTextKey } from './help.ts';
import 'monaco-editor/features/register.all';
import './editor.css';
import type { Suggestion } from '../../../shared/language/editing/complete.ts';
import type { Span } from '../../../shared/language/reader.ts';

/** The theme of this name is redefined when the window's theme changes. */
const editorTheme = 'wellbench';

let definedFor: string | null = null;

/**
 * The colors of the editor and of what it opens, by ours. Bracket pairs are recognizable by position; colors have other
 * meanings here.
 */
const themeColors: Readonly<Record<string, string>> = {
  '--surface': 'editor.background input.background',
  '--text': `
    editor.foreground editorLineNumber.activeForeground editorWidget.foreground
    editorSuggestWidget.foreground editorHoverWidget.foreground editorActionList.foreground
    menu.foreground quickInput.foreground input.foreground inputOption.activeForeground
    editorBracketHighlight.foreground1 editorBracketHighlight.foreground2
    editorBracketHighlight.foreground3 editorBracketHighlight.foreground4
    editorBracketHighlight.foreground5 editorBracketHighlight.foreground6`,
  '--text-quiet': `
    editorLineNumber.foreground editorSuggestWidgetStatus.foreground pickerGroup.foreground
    input.placeholderForeground icon.foreground`,
  '--line-faint': 'editor.lineHighlightBorder',
  '--accent': `
    editorCursor.foreground editorWidget.resizeBorder editorSuggestWidget.highlightForeground
    editorLightBulbAutoFix.foreground textLink.foreground list.highlightForeground
    inputOption.activeBorder focusBorder`,
  '--mark': `
    editor.selectionBackground editorSuggestWidget.selectedBackground editorActionList.focusBackground
    list.focusBackground list.activeSelectionBackground list.inactiveSelectionBackground
    menu.selectionBackground quickInputList.focusBackground`,
  '--surface-raised': `
    editorWidget.background editorSuggestWidget.background editorHoverWidget.background
    editorMarkerNavigation.background editorActionList.background menu.background quickInput.background`,
  '--line': `
    editorWidget.border editorSuggestWidget.border editorHoverWidget.border widget.border widget.shadow
    menu.border menu.separatorBackground`,
  '--error': 'editorError.foreground editorMarkerNavigationError.background',
  '--warning': `
    editorWarning.foreground editorMarkerNavigationWarning.background editorLightBulb.foreground`,
  '--on-mark': `
    editorSuggestWidget.selectedForeground editorSuggestWidget.selectedIconForeground
    editorActionList.focusForeground list.focusForeground list.activeSelectionForeground
    list.inactiveSelectionForeground menu.selectionForeground quickInputList.focusForeground`,
  '--surface-quiet': 'editorHoverWidget.statusBarBackground textCodeBlock.background',
  '--accent-strong': 'textLink.activeForeground',
  '--hover': 'list.hoverBackground',
  '--line-strong': 'input.border',
  '--selected': 'inputOption.activeBackground',
  '--code-key': 'symbolIcon.fieldForeground',
  '--code-operator': `
    symbolIcon.operatorForeground symbolIcon.functionForeground symbolIcon.variableForeground`,
  '--code-string': 'symbolIcon.valueForeground symbolIcon.enumeratorMemberForeground',
  '--code-number': 'symbolIcon.constantForeground',
};

/** All editors are drawn again, so only when the window's tokens change. */
function defineEditorTheme(): void {
  const state = themeState();
  if (state === definedFor) return;
  definedFor = state;
  const { dark, forced, color } = tokenColors();
  const rule = (token: string, name: string, fontStyle?: string): editor.ITokenThemeRule => ({
    token,
    foreground: color(name).slice(1),
    ...(fontStyle ? { fontStyle } : {}),
  });
  editor.defineTheme(editorTheme, {
    // Only high contrast themes have a color for selected text.
    base: forced ? (dark ? 'hc-black' : 'hc-light') : dark ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      rule('', '--text'),
      rule('key', '--code-key'),
      rule('operator', '--code-operator'),
      rule('call', '--code-operator'),
      rule('parameter', '--code-operator', 'bold'),
      rule('string', '--code-string'),
      rule('string.invalid', '--error'),
      rule('regexp', '--code-string'),
      rule('number', '--code-number'),
      rule('constant', '--code-number'),
      rule('comment', '--text-quiet', 'italic'),
      rule('delimiter', '--text-quiet'),
      rule('delimiter.curly', '--text'),
      rule('delimiter.square', '--text'),
      rule('delimiter.parenthesis', '--text'),
    ],
    colors: {
      ...Object.fromEntries(
        Object.entries(themeColors).flatMap(([token, names]) =>
          names
            .trim()
            .split(/\s+/)
            .map((name) => [name, color(token)]),
        ),
      ),
      ...(forced ? { 'editor.selectionForeground': color('--on-mark') } : {}),
      'editorSuggestWidget.focusHighlightForeground': color(forced ? '--on-mark' : '--accent'),
    },
  });
  editor.setTheme(editorTheme);
}

const cachedTexts = new WeakMap<editor.ITextModel, { readonly version: number; readonly text: string }>();

/**
 * A model's text, cached by version: each key press needs it several times, and copies of long texts burden
 * the garbage collector.
 */
function textOfModel(model: editor.ITextModel): string {
  const version = model.getVersionId();
  const cached = cachedTexts.get(model);
  if (cached?.version === version) return cached.text;
  const text = model.getValue();
  cachedTexts.set(model, { version, text });
  return text;
}

/** The query language: relaxed JSON with comments, bare keys, single quotes, `ISODate(…)`, and `{{wells}}`. */
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

/** SQL of the local engine, with parameters such as `{{wells}}`. */
const sqlLanguage = 'wellbench-sql';

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

function spanRange(model: editor.ITextModel, { start, end }: Span): Range {
  return Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
}

const { CompletionItemKind } = languages;
const kinds: Record<Suggestion['kind'], languages.CompletionItemKind> = {
  field: CompletionItemKind.Field,
  operator: CompletionItemKind.Operator,
  stage: CompletionItemKind.Function,
  parameter: CompletionItemKind.Variable,
  value: CompletionItemKind.Value,
  well: CompletionItemKind.Constant,
};

/** A text as a snippet with its tab stops; a single one ends the snippet. */
function snippetText({ insert, stops = [] }: Pick<Suggestion, 'insert' | 'stops'>): string {
  const plain = (text: string) => text.replaceAll(/[$}\\]/g, String.raw`\$&`);
  const first = plain(insert.slice(0, stops[0]));
  return stops.reduce((text, stop, at) => {
    const number = stops.length === 1 ? 0 : at + 1;
    return `${text}$${String(number)}${plain(insert.slice(stop, stops[at + 1]))}`;
  }, first);
}

function completionItem(offer: Suggestion, at: number, model: editor.ITextModel): languages.CompletionItem {
  const { label, kind, detail, says, replace, matches, continues } = offer;
  return {
    label: detail === undefined ? label : { label, description: detail },
    kind: kinds[kind],
    insertText: snippetText(offer),
    insertTextRules: languages.CompletionItemInsertTextRule.InsertAsSnippet,
    range: spanRange(model, replace),
    sortText: String(at).padStart(5, '0'),
    filterText: matches ?? label,
    ...(says ? { documentation: says } : {}),
    ...(continues ? { command: { id: 'editor.action.triggerSuggest', title: '' } } : {}),
  };
}

/** Whether a typed character starts a token: a list after every space would distract. */
function startsToken(text: string, offset: number, sign: string): boolean {
  const before = text.slice(0, offset - 1).trimEnd();
  if (sign === ' ') return before.endsWith(':');
  return sign === '{' ? before.endsWith('{') : true;
}

// The model identifies the editor.
const completionProvider: languages.CompletionItemProvider = {
  triggerCharacters: ['$', '"', "'", '{', '.', ':', ' '],
  async provideCompletionItems(model, position, { triggerCharacter }) {
    const { help } = helpByModel.get(model) ?? {};
    const [text, offset] = [textOfModel(model), model.getOffsetAt(position)];
    if (!help || (triggerCharacter !== undefined && !startsToken(text, offset, triggerCharacter)))
      return { suggestions: [] };
    const offers = await help.complete(text, offset);
    const suggestions = offers.map((offer, at) => completionItem(offer, at, model));
    // Wells depend on the typed text: each letter changes the list.
    return { suggestions, incomplete: offers.some(({ kind }) => kind === 'well') };
  },
};

// Texts of a service must not become markup.
const plainMarkdown = (text: string): string =>
  text.replaceAll(/[\\`*_{}[\]()#+\-.!<>|~&$]/g, String.raw`\$&`);

const hoverProvider: languages.HoverProvider = {
  async provideHover(model, position) {
    const { help } = helpByModel.get(model) ?? {};
    const hover = await help?.hover(textOfModel(model), model.getOffsetAt(position));
    if (!hover || model.isDisposed()) return null;
    const lines = [`**${plainMarkdown(hover.title)}**`, ...hover.says.map(plainMarkdown)];
    return { range: spanRange(model, hover), contents: lines.map((value) => ({ value })) };
  },
};

function fixEdits(model: editor.ITextModel, { edits }: QuickFix): { range: Range; text: string }[] {
  return edits.map((edit) => ({ range: spanRange(model, edit), text: edit.text }));
}

const codeActionProvider: languages.CodeActionProvider = {
  provideCodeActions(model, range, { markers }) {
    const { text, findings } = helpByModel.get(model) ?? { text: '', findings: [] };
    // A fix for an earlier text would change the wrong span.
    if (text !== textOfModel(model)) return null;
    const actions = findings.flatMap((finding): languages.CodeAction[] => {
      const { fix, message } = finding;
      const at = spanRange(model, finding);
      if (!fix || !Range.areIntersectingOrTouching(at, range)) return [];
      return [
        {
          title: fix.title,
          kind: 'quickfix',
          isPreferred: true,
          diagnostics: markers.filter((marker) => marker.message === message),
          edit: {
            edits: fixEdits(model, fix).map((textEdit) => ({
              resource: model.uri,
              textEdit,
              versionId: model.getVersionId(),
            })),
          },
        },
      ];
    });
    return { actions, dispose: () => undefined };
  },
};

const formattingProvider: languages.DocumentFormattingEditProvider = {
  displayName: 'Wellbench',
  async provideDocumentFormattingEdits(model) {
    const before = textOfModel(model);
    const text = await helpByModel.get(model)?.help?.format(before);
    if (text === null || text === undefined || text === before || model.isDisposed()) return [];
    return [{ range: model.getFullModelRange(), text }];
  },
};

self.MonacoEnvironment = {
  getWorker: () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'editor' }),
};
languages.register({ id: queryLanguage });
languages.setLanguageConfiguration(queryLanguage, configuration);
languages.setMonarchTokensProvider(queryLanguage, tokens);
languages.register({ id: sqlLanguage });
languages.setLanguageConfiguration(sqlLanguage, sqlConfiguration);
languages.setMonarchTokensProvider(sqlLanguage, sqlTokens);
languages.registerCompletionItemProvider([queryLanguage, sqlLanguage], completionProvider);
languages.registerHoverProvider([queryLanguage, sqlLanguage], hoverProvider);
languages.registerCodeActionProvider(queryLanguage, codeActionProvider, {
  providedCodeActionKinds: ['quickfix'],
});
languages.registerDocumentFormattingEditProvider(queryLanguage, formattingProvider);

export type { Mark };

export interface EditorHandle {
  /** Shows and selects a span, and focuses the editor. */
  show(start: number, end: number): void;
  /** Applies a fix, unless the text changed since. */
  apply(text: string, fix: QuickFix): void;
}

export interface CodeEditorProps {
  readonly label: string;
  /** Default: the query language. */
  readonly language?: 'query' | 'sql';
  readonly value: string;
  /** Stores the text with its undo history; absent: both are lost when the editor unmounts. */
  readonly keep?: EditorTextKey | undefined;
  readonly onChange: (value: string) => void;
  /** Ctrl+Enter or Cmd+Enter. */
  readonly onRun: () => void;
  readonly marks: readonly Mark[];
  /** The id of the element with the findings as text. */
  readonly describedBy?: string;
  readonly lint?: { readonly text: string; readonly findings: readonly Finding[] };
  readonly help?: Help;
  readonly takesFocus?: boolean;
  readonly onFocusTaken?: () => void;
  readonly handle?: Ref<EditorHandle>;
}

/** Above the first line and below the last one, in pixels. */
const padding = 8;

const options: editor.IStandaloneEditorConstructionOptions = {
  theme: editorTheme,
  automaticLayout: true,
  fontFamily: 'var(--font-mono)',
  fontSize: 13,
  lineHeight: 20,
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  lineNumbersMinChars: 3,
  lineDecorationsWidth: 8,
  glyphMargin: false,
  folding: true,
  overviewRulerLanes: 0,
  renderLineHighlight: 'line',
  // Tab moves to the next control; Ctrl+M makes it indent.
  tabFocusMode: true,
  wordBasedSuggestions: 'off',
  fixedOverflowWidgets: true,
  padding: { top: padding, bottom: padding },
  scrollbar: { alwaysConsumeMouseWheel: false },
  contextmenu: true,
  // The theme has its own high contrast colors.
  autoDetectHighContrast: false,
  // Screen readers are rarely detected, so the text is always accessible.
  accessibilitySupport: 'on',
  quickSuggestions: { other: true, strings: true, comments: false },
  suggest: { showWords: false, showStatusBar: false, preview: false, snippetsPreventQuickSuggestions: false },
  lightbulb: { enabled: editor.ShowLightbulbIconMode.OnCode },
  hover: { delay: 400 },
  // Pasted text is plain and inserted at once.
  pasteAs: { enabled: false },
  bracketPairColorization: { enabled: false },
  unicodeHighlight: { nonBasicASCII: false, ambiguousCharacters: false },
};

const noFindings = { text: '', findings: [] };

/** The query editor. It owns its text; a different `value` replaces it. */
export default function CodeEditor({
  label,
  language = 'query',
  value,
  keep,
  onChange,
  onRun,
  marks,
  describedBy,
  lint = noFindings,
  help,
  takesFocus = false,
  onFocusTaken,
  handle,
}: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editorRef = useRef<editor.IStandaloneCodeEditor>(null);
  const reportText = useEffectEvent(onChange);
  const run = useEffectEvent(onRun);
  const start = useEffectEvent(() => ({ value, label, keep, language }));

  useEffect(() => {
    if (!place.current) return undefined;
    defineEditorTheme();
    const initial = start();
    const languageId = initial.language === 'sql' ? sqlLanguage : queryLanguage;
    const model = storedModel(initial.keep, () => editor.createModel(initial.value, languageId));
    model.updateOptions({ tabSize: 2, indentSize: 2, insertSpaces: true });
    const instance = editor.create(place.current, { ...options, ariaLabel: initial.label, model });
    editorRef.current = instance;
    instance.onDidChangeModelContent(() => reportText(textOfModel(model)));
    instance.addAction({
      id: 'wellbench.run',
      label: 'Run',
      keybindings: [KeyMod.CtrlCmd | KeyCode.Enter],
      run: () => run(),
    });
    // The library's own shortcuts differ by system.
    instance.addAction({
      id: 'wellbench.format',
      label: 'Format',
      keybindings: [KeyMod.Shift | KeyMod.Alt | KeyCode.KeyF],
      run: (codeEditor) => codeEditor.getAction('editor.action.formatDocument')?.run(),
    });
    const stop = onThemeChange(defineEditorTheme);
    return () => {
      stop();
      instance.dispose();
      if (!initial.keep) model.dispose();
    };
  }, []);

  const focusTaken = useEffectEvent(() => onFocusTaken?.());
  useEffect(() => {
    if (!takesFocus) return;
    editorRef.current?.focus();
    focusTaken();
  }, [takesFocus]);

  useEffect(() => {
    const instance = editorRef.current;
    const model = instance?.getModel();
    if (!instance || !model || textOfModel(model) === value) return;
    // A separate edit, so that it can be undone.
    instance.pushUndoStop();
    instance.executeEdits('wellbench', [{ range: model.getFullModelRange(), text: value }]);
    instance.pushUndoStop();
  }, [value]);

  useEffect(() => {
    const field = place.current?.querySelector('[role=textbox]');
    if (describedBy !== undefined) field?.setAttribute('aria-describedby', describedBy);
  }, [describedBy]);

  const { text, findings } = lint;
  useEffect(() => {
    const model = editorRef.current?.getModel();
    if (model) helpByModel.set(model, { help, text, findings });
  }, [help, text, findings]);

  useEffect(() => {
    const model = editorRef.current?.getModel();
    if (!model) return;
    // Findings of an earlier text stay where the editor moved them.
    if (textOfModel(model) !== text && findings.length > 0) return;
    const markers = findings.map((finding) => findingMarker(model, finding));
    editor.setModelMarkers(model, 'wellbench', [...marks.map((mark) => wordMarker(model, mark)), ...markers]);
  }, [marks, text, findings]);

  useImperativeHandle(
    handle,
    () => ({
      show(start, end) {
        const instance = editorRef.current;
        const model = instance?.getModel();
        if (!instance || !model) return;
        const range = spanRange(model, { start, end });
        instance.setSelection(range);
        instance.revealRangeInCenterIfOutsideViewport(range);
        instance.focus();
      },
      apply(lintedText, fix) {
        const instance = editorRef.current;
        const model = instance?.getModel();
        if (!instance || !model || textOfModel(model) !== lintedText) return;
        instance.pushUndoStop();
        instance.executeEdits('wellbench', fixEdits(model, fix));
        instance.pushUndoStop();
        instance.focus();
      },
    }),
    [],
  );

  return <div ref={place} className="code-editor full" />;
}

/** A problem in the text; line and column count from 1. */
interface Mark {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

function wordMarker(model: editor.ITextModel, { message, line, column }: Mark): editor.IMarkerData {
  const at = model.validatePosition({ lineNumber: line, column });
  const word = model.getWordAtPosition(at);
  return {
    severity: MarkerSeverity.Error,
    message,
    startLineNumber: at.lineNumber,
    startColumn: at.column,
    endLineNumber: at.lineNumber,
    endColumn: Math.max(word?.endColumn ?? 0, at.column + 1),
  };
}

function findingMarker(model: editor.ITextModel, finding: Finding): editor.IMarkerData {
  const { startLineNumber, startColumn, endLineNumber, endColumn } = spanRange(model, finding);
  return {
    severity: finding.severity === 'error' ? MarkerSeverity.Error : MarkerSeverity.Warning,
    message: finding.message,
    code: finding.code,
    startLineNumber,
    startColumn,
    endLineNumber,
    endColumn,
  };
}
