import { editor, KeyCode, KeyMod, MarkerSeverity } from 'monaco-editor/editor';
import 'monaco-editor/features/register.all';
import { useEffect, useEffectEvent, useRef } from 'react';
import { onThemeChange } from '../tokens.ts';
import { queryLanguage, registerQueryLanguage } from './language.ts';
import { defineEditorTheme, editorTheme } from './theme.ts';

self.MonacoEnvironment = {
  getWorker: () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'editor' }),
};
registerQueryLanguage();

/** Something wrong in the text; lines and columns count from 1. */
export interface Mark {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export interface CodeEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Ctrl+Enter, or Cmd+Enter. */
  readonly onRun: () => void;
  readonly marks: readonly Mark[];
}

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
  padding: { top: 8, bottom: 8 },
  scrollbar: { alwaysConsumeMouseWheel: false },
  contextmenu: true,
  bracketPairColorization: { enabled: false },
  unicodeHighlight: { nonBasicASCII: false, ambiguousCharacters: false },
};

/** The editor of queries. It holds its own text; `value` replaces it only where it differs. */
export default function CodeEditor({ label, value, onChange, onRun, marks }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const made = useRef<editor.IStandaloneCodeEditor>(null);
  const changed = useEffectEvent(onChange);
  const run = useEffectEvent(onRun);
  const start = useEffectEvent(() => ({ value, ariaLabel: label }));

  useEffect(() => {
    if (!place.current) return undefined;
    defineEditorTheme();
    const { value: text, ariaLabel } = start();
    const model = editor.createModel(text, queryLanguage);
    model.updateOptions({ tabSize: 2, indentSize: 2, insertSpaces: true });
    const instance = editor.create(place.current, { ...options, ariaLabel, model });
    made.current = instance;
    instance.onDidChangeModelContent(() => changed(instance.getValue()));
    instance.addAction({
      id: 'wellbench.run',
      label: 'Run',
      keybindings: [KeyMod.CtrlCmd | KeyCode.Enter],
      run: () => run(),
    });
    const stop = onThemeChange(defineEditorTheme);
    return () => {
      stop();
      instance.dispose();
      model.dispose();
    };
  }, []);

  useEffect(() => {
    const instance = made.current;
    if (!instance || instance.getValue() === value) return;
    // As an edit of its own, so that it can be undone.
    instance.pushUndoStop();
    const model = instance.getModel();
    if (model) instance.executeEdits('wellbench', [{ range: model.getFullModelRange(), text: value }]);
    instance.pushUndoStop();
  }, [value]);

  useEffect(() => {
    const model = made.current?.getModel();
    if (model)
      editor.setModelMarkers(
        model,
        'wellbench',
        marks.map((mark) => markerOf(model, mark)),
      );
  }, [marks]);

  return <div ref={place} className="code" />;
}

function markerOf(model: editor.ITextModel, { message, line, column }: Mark): editor.IMarkerData {
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
