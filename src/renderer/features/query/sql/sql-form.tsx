import { Suspense, useEffect, useId, useMemo, useRef, useState } from 'react';
import { valueOr } from '../../../state/loadable.ts';
import { useApp, useAppState, useTab, useTabState } from '../../../contexts.ts';
import { CodeEditor, type EditorHandle, type Help } from '../../../ui/editor/index.ts';
import { Status } from '../../../ui/status.tsx';
import { Loading } from '../../../ui/view-states.tsx';
import { words } from '../../../words/words.ts';
import { OptionsForm } from '../question-form.tsx';
import { completeSql } from './sql-completion.ts';
import { hoverSql } from './sql-hover.ts';
import { SaveRows } from './save-rows.tsx';
import { firstRows } from './sql-tables.ts';
import { TableList } from './table-list.tsx';
import { WriteSql } from './write-sql.tsx';
import './sql.css';

const noMarks: readonly never[] = [];

/** A SQL statement, with the tables that it can read beside it. Files that are dropped on it become tables. */
export function SqlForm() {
  const { actions, texts } = useTab('query');
  const { sqlTables } = useApp();
  const statement = useTabState('query', (state) => state.text.sql.statement);
  const problem = useTabState('query', (state) => state.problems.statement);
  const tables = useAppState('sqlTables', (state) => state.tables);
  const handle = useRef<EditorHandle>(null);
  const explanation = useId();
  const [isOver, setOver] = useState(false);
  useEffect(() => void sqlTables.actions.load(), [sqlTables]);
  const open = useMemo(() => valueOr(tables, []), [tables]);
  const help = useMemo(
    (): Help => ({
      complete: async (text, offset) => completeSql(text, offset, open),
      hover: async (text, offset) => hoverSql(text, offset, open),
      format: async () => null,
    }),
    [open],
  );
  const marks = useMemo(
    () =>
      problem
        ? [{ message: problem.message, line: problem.line ?? 1, column: problem.column ?? 1 }]
        : noMarks,
    [problem],
  );
  const use = (text: string) => actions.type('sql', { statement: text });
  const run = (text: string) => {
    use(text);
    void actions.run();
  };
  return (
    <div
      className={isOver ? 'sql-form sql-form-over' : 'sql-form'}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        // The window sees the drop as handled, and only removes its overlay.
        event.preventDefault();
        setOver(false);
        void sqlTables.actions.addFiles([...event.dataTransfer.files]);
      }}
    >
      <div className="sql-statement">
        <div className="query-editing">
          <div className="query-editor">
            <Suspense fallback={<Loading what={words.query.loadingEditor} />}>
              <CodeEditor
                handle={handle}
                language="sql"
                label={`${words.sql.editor}. ${words.sql.editorHint}`}
                describedBy={explanation}
                value={statement}
                keep={{ in: texts, as: 'statement' }}
                onChange={use}
                onRun={() => void actions.run()}
                marks={marks}
                help={help}
              />
            </Suspense>
          </div>
          <div id={explanation}>
            <Status className={problem ? 'field-problem sql-problem' : 'visually-hidden'}>
              {problem &&
                (problem.line === undefined
                  ? problem.message
                  : `${words.query.at(problem.line, problem.column ?? 1)}: ${problem.message}`)}
            </Status>
          </div>
        </div>
        <OptionsForm>
          <WriteSql tables={open} onUse={run} />
          <SaveRows />
        </OptionsForm>
      </div>
      <TableList
        onUse={run}
        onFirst={({ name }) => {
          if (statement.trim() === '') run(firstRows(name));
        }}
      />
    </div>
  );
}
