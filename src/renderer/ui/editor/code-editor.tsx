import { editor, KeyCode, KeyMod, MarkerSeverity } from 'monaco-editor/editor';
import { useEffect, useEffectEvent, useImperativeHandle, useRef, type Ref } from 'react';
import type { Finding, QuickFix } from '../../../shared/language/lint/notes.ts';
import { onThemeChange } from '../tokens.ts';
import { setEditorHelp, type Help } from './help.ts';
import { storedModel, type EditorTextKey } from './editor-texts.ts';
import { queryLanguage, registerLanguages, sqlLanguage } from './language.ts';
import { textOfModel } from './model-text.ts';
import { fixEdits, spanRange, registerProviders } from './providers.ts';
import { defineEditorTheme, editorTheme } from './theme.ts';
import 'monaco-editor/features/register.all';
import './editor.css';

self.MonacoEnvironment = {
  getWorker: () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'editor' }),
};
registerLanguages();
registerProviders();

export type { Mark };

/** Controls an editor from outside. */
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
  /** The findings, and the text that they belong to. */
  readonly lint?: { readonly text: string; readonly findings: readonly Finding[] };
  readonly help?: Help;
  /** Whether it has the initial focus. */
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
    if (model) setEditorHelp(model, { help, text, findings });
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

  return <div ref={place} className="code-editor" />;
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
