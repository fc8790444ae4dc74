import { useMemo } from 'react';
import { knowingNothing } from '../../../shared/language/knowledge.ts';
import type { Mark } from '../../ui/editor/index.ts';
import { words } from '../../words/words.ts';
import { useTab, useTabState } from './context.ts';
import { QueryCodeEditor } from './editing/query-code-editor.tsx';

/** The query itself, with marks where it is wrong. */
export function QueryEditor() {
  const { actions } = useTab();
  const query = useTabState((state) => state.text.find.query);
  const problem = useTabState((state) => state.problems.query);
  const marks = useMemo(
    (): Mark[] =>
      problem ? [{ message: problem.message, line: problem.line ?? 1, column: problem.column ?? 1 }] : [],
    [problem],
  );
  return (
    <QueryCodeEditor
      label={`${words.query.editor}. ${words.query.editorHint}`}
      mode="query"
      value={query}
      knowledge={knowingNothing}
      onChange={(text) => actions.type('find', { query: text })}
      onRun={() => void actions.run()}
      problems={marks}
    />
  );
}
