import { words } from '../../words/words.ts';
import { QueryCodeEditor } from './editing/query-code-editor.tsx';
import { useKnowledge } from './knowledge.ts';
import { useProblemMarks } from './problem-marks.ts';
import { useTab, useTabState } from '../../state/contexts.ts';

/** The query itself, with marks where it is wrong. */
export function QueryEditor() {
  const { actions, kept } = useTab('query');
  const query = useTabState('query', (state) => state.text.find.query);
  return (
    <QueryCodeEditor
      label={`${words.query.editor}. ${words.query.editorHint}`}
      mode="query"
      value={query}
      keep={{ in: kept, as: 'query' }}
      knowledge={useKnowledge()}
      onChange={(text) => actions.type('find', { query: text })}
      onRun={() => void actions.run()}
      problems={useProblemMarks('query')}
    />
  );
}
