import { useMemo } from 'react';
import type { Knowledge } from '../../../shared/language/knowledge.ts';
import type { Mark } from '../../ui/editor/index.ts';
import { words } from '../../words/words.ts';
import { useWells } from '../wells/context.ts';
import { scopeOf } from '../wells/wells.ts';
import { useTab, useTabState } from './context.ts';
import { useLearnt } from './editing/context.ts';
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
      knowledge={useKnowledge()}
      onChange={(text) => actions.type('find', { query: text })}
      onRun={() => void actions.run()}
      problems={marks}
    />
  );
}

const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions();

/** What is known where the query is typed; the same object as long as nothing in it has changed. */
function useKnowledge(): Knowledge {
  const { dataset } = useTab();
  const { indexes, fields } = useLearnt(dataset);
  const list = useWells((state) => state.list);
  const chosen = useWells((state) => state.chosen);
  return useMemo(
    () => ({
      type: dataset.type,
      indexes,
      fields,
      wells: list.face === 'full' ? list.value : chosen,
      values: {
        wells: scopeOf(chosen),
        company: chosen[0]?.companyId ?? null,
        zone,
        asked: new Map<string, string>(),
      },
    }),
    [dataset, indexes, fields, list, chosen],
  );
}
