import { Suspense } from 'react';
import type { Knowledge, TextKind } from '../../../../shared/language/knowledge.ts';
import type { Finding } from '../../../../shared/language/lint/finding.ts';
import { CodeEditor, type Mark } from '../../../ui/editor/index.ts';
import { Loading } from '../../../ui/faces.tsx';
import { words } from '../../../words/words.ts';

export interface QueryCodeEditorProps {
  /** What a screen reader calls the editor. */
  readonly label: string;
  readonly mode: TextKind;
  /** The text is the editor's own while it is typed; another `value` replaces it, as an edit that can be undone. */
  readonly value: string;
  /** The same object as long as nothing in it has changed: each new one is sent to the thread that looks. */
  readonly knowledge: Knowledge;
  readonly onChange: (text: string) => void;
  /** Ctrl+Enter, or Cmd+Enter. */
  readonly onRun: () => void;
  /** What a run was refused for, beside what is found while typing. */
  readonly problems?: readonly Mark[];
  /** Told, shortly after each change, of all that is found in the text. */
  readonly onFindings?: (findings: readonly Finding[]) => void;
}

const none: readonly Mark[] = [];

/** An editor of a query, or a part of one, with what is wrong with it said while it is typed. */
export function QueryCodeEditor({ label, value, onChange, onRun, problems = none }: QueryCodeEditorProps) {
  return (
    <div className="query-editor">
      <Suspense fallback={<Loading what={words.query.loadingEditor} />}>
        <CodeEditor label={label} value={value} onChange={onChange} onRun={onRun} marks={problems} />
      </Suspense>
    </div>
  );
}
