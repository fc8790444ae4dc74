import { Suspense, useMemo } from 'react';
import { CodeEditor, type Mark } from '../../ui/editor/index.ts';
import { Loading } from '../../ui/faces.tsx';
import { words } from '../../words/words.ts';
import { useTab, useTabState } from './context.ts';

/** The query itself, with marks where it is wrong. */
export function QueryEditor() {
  const { actions } = useTab();
  const query = useTabState((state) => state.inputs.query);
  const problem = useTabState((state) => state.problems.query);
  const marks = useMemo(
    (): Mark[] =>
      problem ? [{ message: problem.message, line: problem.line ?? 1, column: problem.column ?? 1 }] : [],
    [problem],
  );
  return (
    <div className="query-editor">
      <Suspense fallback={<Loading what={words.query.loadingEditor} />}>
        <CodeEditor
          label={`${words.query.editor}. ${words.query.editorHint}`}
          value={query}
          onChange={(text) => actions.type('query', text)}
          onRun={() => void actions.run()}
          marks={marks}
        />
      </Suspense>
    </div>
  );
}
