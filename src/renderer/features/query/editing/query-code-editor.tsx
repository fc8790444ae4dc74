import { Suspense, useId, useMemo, useRef } from 'react';
import type { TextKind } from '../../../../shared/language/knowledge.ts';
import type { Problem } from '../../../state/problems.ts';
import { useTab, useTabState } from '../../../state/contexts.ts';
import { CodeEditor, type EditorHandle, type Help } from '../../../ui/editor/index.ts';
import { Loading } from '../../../ui/view-states.tsx';
import { words } from '../../../words/words.ts';
import type { QuestionField } from '../query-request.ts';
import { FindingList, useFindings } from './findings.tsx';
import { useKnowledge } from './knowledge.ts';
import { language } from './language.ts';
import './editing.css';

export interface QueryCodeEditorProps {
  /** What a screen reader calls the editor. */
  readonly label: string;
  readonly mode: TextKind;
  /** The text is the editor's own while it is typed; another `value` replaces it, as an edit that can be undone. */
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** The input of the question, whose undo stays while another view is shown; absent: a piece of one. */
  readonly field?: QuestionField;
  /** What a run was refused for; absent: what the input was refused for. */
  readonly problem?: Problem | null | undefined;
}

const none: readonly never[] = [];

/**
 * An editor of a query, or a part of one: what is wrong with it is said while it is typed, what may follow is offered,
 * and what a piece means is told. All of that is worked out on a thread of its own.
 */
export function QueryCodeEditor({ label, mode, value, onChange, field, problem }: QueryCodeEditorProps) {
  const { actions, kept } = useTab('query');
  const refused = useTabState('query', (state) => (field ? state.problems[field] : undefined)) ?? problem;
  const focuses = useTabState('query', (state) => state.focusesEditor);
  const knowledge = useKnowledge();
  const handle = useRef<EditorHandle>(null);
  const list = useId();
  const look = useMemo(
    () => async () => ({ text: value, findings: await language.lint(value, mode, knowledge) }),
    [value, mode, knowledge],
  );
  const looked = useFindings(look) ?? { text: '', findings: none };
  const help = useMemo(
    (): Help => ({
      complete: (typed, offset) => language.complete(typed, mode, offset, knowledge),
      hover: (typed, offset) => language.hover(typed, mode, offset, knowledge),
      format: (typed) => language.format(typed),
    }),
    [mode, knowledge],
  );
  // What the same text was refused for stands among what is found in it.
  const isRefused = refused && !looked.findings.some(({ severity }) => severity === 'error');
  const marks = useMemo(
    () =>
      isRefused && refused
        ? [{ message: refused.message, line: refused.line ?? 1, column: refused.column ?? 1 }]
        : none,
    [isRefused, refused],
  );
  const told = looked.text === value ? looked.findings : none;
  return (
    <div className="query-editing">
      <div className="query-editor">
        <Suspense fallback={<Loading what={words.query.loadingEditor} />}>
          <CodeEditor
            handle={handle}
            takesFocus={field === 'query' && focuses}
            onFocusTaken={() => actions.focusEditor(false)}
            label={label}
            describedBy={list}
            value={value}
            keep={field && { in: kept, as: field }}
            onChange={onChange}
            onRun={() => void actions.run()}
            marks={marks}
            looked={looked}
            help={help}
          />
        </Suspense>
      </div>
      <FindingList
        id={list}
        findings={told}
        onShow={({ start, end }) => handle.current?.show(start, end)}
        onFix={({ fix }) => fix && handle.current?.apply(looked.text, fix)}
      />
    </div>
  );
}
