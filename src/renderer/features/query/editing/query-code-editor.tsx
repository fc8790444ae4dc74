import { Suspense, useId, useMemo, useRef } from 'react';
import type { TextKind } from '../../../../shared/language/knowledge.ts';
import type { Problem } from '../../../state/problems.ts';
import { useTab, useTabState } from '../../../contexts.ts';
import { CodeEditor, type EditorHandle, type Help } from '../../../ui/editor/index.ts';
import { Loading } from '../../../ui/view-states.tsx';
import { words } from '../../../words/words.ts';
import type { QuestionField } from '../query-request.ts';
import { FindingList, marksOf, useFindings } from './findings.tsx';
import { useKnowledge } from './knowledge.ts';
import { language } from './language.ts';
import './editing.css';

interface QueryCodeEditorProps {
  readonly label: string;
  readonly mode: TextKind;
  /** The editor owns its text while the user types. A new `value` replaces it as an edit that can be undone. */
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** The input whose undo history is kept while another view is shown; absent: a part of an input. */
  readonly field?: QuestionField;
  /** The problem that stopped a run; absent: that of the input. */
  readonly problem?: Problem | null | undefined;
}

const noFindings: readonly never[] = [];

export function QueryCodeEditor(props: QueryCodeEditorProps) {
  const { label, mode, value, onChange, field, problem } = props;
  const { actions, texts } = useTab('query');
  const refused = useTabState('query', (state) => (field ? state.problems[field] : undefined)) ?? problem;
  const focuses = useTabState('query', (state) => state.focusesEditor);
  const knowledge = useKnowledge();
  const handle = useRef<EditorHandle>(null);
  const list = useId();
  const runLint = useMemo(
    () => async () => ({ text: value, findings: await language.lint(value, mode, knowledge) }),
    [value, mode, knowledge],
  );
  const lint = useFindings(runLint) ?? { text: '', findings: noFindings };
  const help = useMemo(
    (): Help => ({
      complete: (typed, offset) => language.complete(typed, mode, offset, knowledge),
      hover: (typed, offset) => language.hover(typed, mode, offset, knowledge),
      format: (typed) => language.format(typed),
    }),
    [mode, knowledge],
  );
  // The problem that stopped the run is among the findings already.
  const hasErrors = lint.findings.some(({ severity }) => severity === 'error');
  const marks = useMemo(() => marksOf(hasErrors ? null : refused), [hasErrors, refused]);
  const explanation = lint.text === value ? lint.findings : noFindings;
  return (
    <div className="query-editing stack gap-0 flex-none">
      <div className="query-editor flex-none">
        <Suspense fallback={<Loading what={words.query.loadingEditor} />}>
          <CodeEditor
            handle={handle}
            takesFocus={field === 'query' && focuses}
            onFocusTaken={() => actions.focusEditor(false)}
            label={label}
            describedBy={list}
            value={value}
            keep={field && { in: texts, as: field }}
            onChange={onChange}
            onRun={() => void actions.run()}
            marks={marks}
            lint={lint}
            help={help}
          />
        </Suspense>
      </div>
      <FindingList
        id={list}
        findings={explanation}
        onShow={({ start, end }) => handle.current?.show(start, end)}
        onFix={({ fix }) => fix && handle.current?.apply(lint.text, fix)}
      />
    </div>
  );
}
