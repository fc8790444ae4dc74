import { Suspense, useId, useMemo, useRef } from 'react';
import type { TextKind } from '../../../../shared/language/knowledge.ts';
import type { Finding } from '../../../../shared/language/lint/finding.ts';
import { CodeEditor, type EditorHandle, type Help, type Keep, type Mark } from '../../../ui/editor/index.ts';
import { Loading } from '../../../ui/faces.tsx';
import { words } from '../../../words/words.ts';
import { FindingList } from './finding-list.tsx';
import { language, type EditorKnowledge } from './language.ts';
import { useFindings } from './use-findings.ts';
import './editing.css';

export interface QueryCodeEditorProps {
  /** What a screen reader calls the editor. */
  readonly label: string;
  readonly mode: TextKind;
  /** The text is the editor's own while it is typed; another `value` replaces it, as an edit that can be undone. */
  readonly value: string;
  /** Where the text and its undo stay while another view is shown. */
  readonly keep?: Keep;
  /** The same object as long as nothing in it has changed: each new one is sent to the thread that looks. */
  readonly knowledge: EditorKnowledge;
  readonly onChange: (text: string) => void;
  /** Ctrl+Enter, or Cmd+Enter. */
  readonly onRun: () => void;
  /** What a run was refused for, beside what is found while typing. */
  readonly problems?: readonly Mark[];
  /** Told, shortly after each change, of all that is found in the text. */
  readonly onFindings?: (findings: readonly Finding[]) => void;
}

const none: readonly never[] = [];
/** How much of the editor's foot the list of findings may cover, in pixels; see editing.css. */
const coveredByFindings = 84;

/**
 * An editor of a query, or a part of one: what is wrong with it is said while it is typed, what may follow is offered,
 * and what a piece means is told. All of that is worked out on a thread of its own.
 */
export function QueryCodeEditor({
  label,
  mode,
  value,
  keep,
  knowledge,
  onChange,
  onRun,
  problems = none,
  onFindings,
}: QueryCodeEditorProps) {
  const handle = useRef<EditorHandle>(null);
  const list = useId();
  const { text, findings } = useFindings(value, mode, knowledge, onFindings);
  const help = useMemo(
    (): Help => ({
      complete: (typed, offset) => language.complete(typed, mode, offset, knowledge),
      hover: (typed, offset) => language.hover(typed, mode, offset, knowledge),
      format: (typed) => language.format(typed),
    }),
    [mode, knowledge],
  );
  // What the same text was refused for stands among what is found in it.
  const marks = findings.some(({ severity }) => severity === 'error') ? none : problems;
  const told = text === value ? findings : none;
  return (
    <div className="query-editing">
      <div className="query-editor">
        <Suspense fallback={<Loading what={words.query.loadingEditor} />}>
          <CodeEditor
            handle={handle}
            label={label}
            describedBy={list}
            value={value}
            keep={keep}
            onChange={onChange}
            onRun={onRun}
            marks={marks}
            looked={{ text, findings }}
            help={help}
            covered={told.length > 0 ? coveredByFindings : 0}
          />
        </Suspense>
      </div>
      <FindingList
        id={list}
        findings={told}
        onShow={({ start, end }) => handle.current?.show(start, end)}
        onFix={({ fix }) => fix && handle.current?.apply(text, fix)}
      />
    </div>
  );
}
