import { editor, KeyCode, KeyMod } from 'monaco-editor/editor';
import 'monaco-editor/features/register.all';
import { useEffect, useEffectEvent, useImperativeHandle, useRef, type Ref } from 'react';
import type { Finding, QuickFix } from '../../../shared/language/lint/notes.ts';
import { onThemeChange } from '../tokens.ts';
import { setEditorHelp, type Help } from './help.ts';
import { keptModel, type Keep } from './kept.ts';
import { queryLanguage, registerQueryLanguage } from './language.ts';
import { markerOf, markerOfFinding, type Mark } from './markers.ts';
import { textOfModel } from './model-text.ts';
import { editsOf, rangeOf, registerProviders } from './providers.ts';
import { defineEditorTheme, editorTheme } from './theme.ts';

self.MonacoEnvironment = {
  getWorker: () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'editor' }),
};
registerQueryLanguage();
registerProviders();

export type { Mark };

/** What can be done with an editor from beside it. */
export interface EditorHandle {
  /** Brings a piece into view, selects it and goes there. */
  show(start: number, end: number): void;
  /** Changes the text as a fix says, unless it is no longer the one that the fix was made for. */
  apply(text: string, fix: QuickFix): void;
}

export interface CodeEditorProps {
  readonly label: string;
  readonly value: string;
  /** Where the text and its undo stay when the editor goes; absent: they go with it. */
  readonly keep?: Keep | undefined;
  readonly onChange: (value: string) => void;
  /** Ctrl+Enter, or Cmd+Enter. */
  readonly onRun: () => void;
  readonly marks: readonly Mark[];
  /** The id of the element that tells what is wrong in words. */
  readonly describedBy?: string;
  /** What was found, and in which state of the text. */
  readonly looked?: { readonly text: string; readonly findings: readonly Finding[] };
  readonly help?: Help;
  /** Whether it takes the focus when it is drawn. */
  readonly takesFocus?: boolean;
  readonly onFocusTaken?: () => void;
  readonly handle?: Ref<EditorHandle>;
}

/** Above the first line and below the last, in pixels. */
const room = 8;

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
  // Tab goes on to the next control, as everywhere else; Ctrl+M lets it indent.
  tabFocusMode: true,
  wordBasedSuggestions: 'off',
  fixedOverflowWidgets: true,
  padding: { top: room, bottom: room },
  scrollbar: { alwaysConsumeMouseWheel: false },
  contextmenu: true,
  // Its colours are the window's, in high contrast too.
  autoDetectHighContrast: false,
  // Screen readers are rarely recognised by a browser, so the text is there for them always.
  accessibilitySupport: 'on',
  quickSuggestions: { other: true, strings: true, comments: false },
  suggest: { showWords: false, showStatusBar: false, preview: false, snippetsPreventQuickSuggestions: false },
  lightbulb: { enabled: editor.ShowLightbulbIconMode.OnCode },
  hover: { delay: 400 },
  // What is pasted is text, in one way, at once.
  pasteAs: { enabled: false },
  bracketPairColorization: { enabled: false },
  unicodeHighlight: { nonBasicASCII: false, ambiguousCharacters: false },
};

const noFindings = { text: '', findings: [] };

/** The editor of queries. It holds its own text; `value` replaces it only where it differs. */
export default function CodeEditor({
  label,
  value,
  keep,
  onChange,
  onRun,
  marks,
  describedBy,
  looked = noFindings,
  help,
  takesFocus = false,
  onFocusTaken,
  handle,
}: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const made = useRef<editor.IStandaloneCodeEditor>(null);
  const changed = useEffectEvent(onChange);
  const run = useEffectEvent(onRun);
  const start = useEffectEvent(() => ({ value, ariaLabel: label, keep }));

  useEffect(() => {
    if (!place.current) return undefined;
    defineEditorTheme();
    const { value: text, ariaLabel, keep: kept } = start();
    const model = keptModel(kept, () => editor.createModel(text, queryLanguage));
    model.updateOptions({ tabSize: 2, indentSize: 2, insertSpaces: true });
    const instance = editor.create(place.current, { ...options, ariaLabel, model });
    made.current = instance;
    instance.onDidChangeModelContent(() => changed(textOfModel(model)));
    instance.addAction({
      id: 'wellbench.run',
      label: 'Run',
      keybindings: [KeyMod.CtrlCmd | KeyCode.Enter],
      run: () => run(),
    });
    // The library's own keys for this differ from system to system.
    instance.addAction({
      id: 'wellbench.format',
      label: 'Format',
      keybindings: [KeyMod.Shift | KeyMod.Alt | KeyCode.KeyF],
      run: (here) => here.getAction('editor.action.formatDocument')?.run(),
    });
    const stop = onThemeChange(defineEditorTheme);
    return () => {
      stop();
      instance.dispose();
      if (!kept) model.dispose();
    };
  }, []);

  const focusTaken = useEffectEvent(() => onFocusTaken?.());
  useEffect(() => {
    if (!takesFocus) return;
    made.current?.focus();
    focusTaken();
  }, [takesFocus]);

  useEffect(() => {
    const instance = made.current;
    const model = instance?.getModel();
    if (!instance || !model || textOfModel(model) === value) return;
    // As an edit of its own, so that it can be undone.
    instance.pushUndoStop();
    instance.executeEdits('wellbench', [{ range: model.getFullModelRange(), text: value }]);
    instance.pushUndoStop();
  }, [value]);

  useEffect(() => {
    const field = place.current?.querySelector('[role=textbox]');
    if (describedBy !== undefined) field?.setAttribute('aria-describedby', describedBy);
  }, [describedBy]);

  const { text, findings } = looked;
  useEffect(() => {
    const model = made.current?.getModel();
    if (model) setEditorHelp(model, { help, text, findings });
  }, [help, text, findings]);

  useEffect(() => {
    const model = made.current?.getModel();
    if (!model) return;
    // What was found in another state of the text stays where the editor has moved it to meanwhile.
    if (textOfModel(model) !== text && findings.length > 0) return;
    const found = findings.map((finding) => markerOfFinding(model, finding));
    editor.setModelMarkers(model, 'wellbench', [...marks.map((mark) => markerOf(model, mark)), ...found]);
  }, [marks, text, findings]);

  useImperativeHandle(
    handle,
    () => ({
      show(start, end) {
        const instance = made.current;
        const model = instance?.getModel();
        if (!instance || !model) return;
        const range = rangeOf(model, { start, end });
        instance.setSelection(range);
        instance.revealRangeInCenterIfOutsideViewport(range);
        instance.focus();
      },
      apply(madeFor, fix) {
        const instance = made.current;
        const model = instance?.getModel();
        if (!instance || !model || textOfModel(model) !== madeFor) return;
        instance.pushUndoStop();
        instance.executeEdits('wellbench', editsOf(model, fix));
        instance.pushUndoStop();
        instance.focus();
      },
    }),
    [],
  );

  return <div ref={place} className="query-code" />;
}
