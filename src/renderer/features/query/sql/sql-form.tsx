import { Suspense, useEffect, useId, useMemo, useRef, useState } from 'react';
import { createLatestTask } from '../../../state/latest-task.ts';
import { idle, load, loading, valueOr, type Loadable } from '../../../state/loadable.ts';
import { useApp, useAppState, useTab, useTabState, useSessionState } from '../../../contexts.ts';
import { CodeEditor, type EditorHandle, type Help } from '../../../ui/editor/index.ts';
import { Status } from '../../../ui/status.tsx';
import { Loading } from '../../../ui/view-states.tsx';
import { words } from '../../../words/words.ts';
import { marksOf } from '../editing/findings.tsx';
import { OptionsForm } from '../question-form.tsx';
import { hoverSql, TableList } from './table-list.tsx';
import { firstRows } from './sql-tables.ts';
import { Download, Square, PenLine } from 'lucide-react';
import { downloadAddress, startDownload } from '../../../api/files.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import './sql.css';
import type { Suggestion } from '../../../../shared/language/editing/complete.ts';
import type { SqlTable } from '../../../../shared/sql/sql.ts';
import { quoted, sqlName } from '../../../../shared/sql/names.ts';
import { listedWells } from '../../wells/wells-state.ts';
import { useLoaded } from '../../../state/resource.ts';
import { Popup } from '../../../ui/popup.tsx';
import { SelectField } from '../../../ui/select-box.tsx';
import { ListField } from '../../../ui/list-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { recipeWords } from '../../../words/recipes.ts';
import { useSynonyms } from '../../settings/use-synonyms.ts';
import { noFacts, type RecipeField } from '../recipes/recipe-needs.ts';
import {
  firstChoices,
  readRecipe,
  recipeKinds,
  recipeTable,
  type RecipeChoices,
} from '../recipes/recipes.ts';
import { offeredRecipes, useRecipeStart } from '../recipes/offered-recipes.ts';

interface WriteFormProps {
  readonly tables: readonly SqlTable[];
  readonly initial: RecipeChoices;
  /** Replaces the statement, and runs it. */
  readonly onUse: (statement: string) => void;
}

interface WriteSqlProps extends Omit<WriteFormProps, 'initial'> {
  /** What its form begins with; null: it is closed. */
  readonly choices: RecipeChoices | null;
  readonly onOpen: (choices: RecipeChoices | null) => void;
}

/** Writes a statement from a few choices, which it shows before it is used. */
function WriteSql({ tables, choices, onOpen, onUse }: WriteSqlProps) {
  if (tables.length === 0) return null;
  return (
    <Popup
      isWide
      isOpen={choices !== null}
      onOpenChange={(isOpen) => onOpen(isOpen ? firstChoices : null)}
      heading={recipeWords.heading}
      placement="bottom start"
      trigger={{ icon: PenLine, children: recipeWords.button }}
    >
      {(close) => (
        <WriteForm
          tables={tables}
          initial={choices ?? firstChoices}
          onUse={(statement) => {
            onUse(statement);
            close();
          }}
        />
      )}
    </Popup>
  );
}

function WriteForm({ tables, initial, onUse }: WriteFormProps) {
  const { actions } = useApp().sqlTables;
  const [choices, setChoices] = useState(initial);
  const synonyms = useSynonyms();
  const table = recipeTable(choices, tables, synonyms);
  const loadedFacts = useLoaded(
    useMemo(() => (table ? (signal: AbortSignal) => actions.facts(table, signal) : null), [actions, table]),
  );
  const { names: wellNames } = useSessionState('wells', listedWells);
  const facts = valueOr(loadedFacts, noFacts);
  const read = readRecipe(choices, { tables, facts, synonyms, wellNames });
  const { fields } = read;
  const statement = loadedFacts.status === 'loading' ? null : read.statement;
  const about = recipeWords.about[choices.kind];
  return (
    <div className="stack gap-3">
      <div className="sql-write-fields gap-2">
        <SelectField
          label={recipeWords.kind}
          value={choices.kind}
          options={recipeKinds.map((id) => ({ id, text: recipeWords.kinds[id] }))}
          onChange={(kind) => setChoices((before) => ({ ...before, kind }))}
        />
        {fields.map((field) => (
          <FieldOfRecipe
            key={field.key}
            field={field}
            onChange={(text) =>
              setChoices((before) => ({ ...before, texts: { ...before.texts, [field.key]: text } }))
            }
          />
        ))}
      </div>
      <div className="sql-write-end row pad-y-2">
        {/* Beside the button: why it is disabled. */}
        <p className="quiet grow">
          {statement !== null
            ? about
            : loadedFacts.status === 'loading'
              ? recipeWords.reading
              : recipeWords.missing[choices.kind]}
        </p>
        <Button
          variant="primary"
          isDisabled={statement === null}
          onPress={() => statement && onUse(statement)}
        >
          {recipeWords.use}
        </Button>
      </div>
      {loadedFacts.status === 'failed' && <Alert tone="error">{loadedFacts.error.message}</Alert>}
      {statement === null ? (
        <p className="quiet">{about}</p>
      ) : (
        <pre className="code-text box surface-quiet" aria-label={recipeWords.statement}>
          {statement}
        </pre>
      )}
    </div>
  );
}

/** Recipes for the records of the tab's query, which a press reads and calculates. */
function RecipeStarts({ isEmpty }: { isEmpty: boolean }) {
  const tab = useTab('query');
  const start = useRecipeStart(tab);
  const reading = useTabState('query', (state) => state.recipeReading);
  const isReading = reading.status === 'loading';
  if (!isEmpty && !isReading && reading.status !== 'failed') return null;
  return (
    <section className="stack gap-2 pad-3 flex-none faint-below" aria-label={recipeWords.start}>
      <h3>{recipeWords.start}</h3>
      <div className="row wrap">
        {offeredRecipes(tab.dataset).ofQuery.map((kind) => (
          <Button
            key={kind}
            isDisabled={isReading}
            aria-description={recipeWords.about[kind]}
            onPress={() => start(kind)}
          >
            {recipeWords.kinds[kind]}
          </Button>
        ))}
      </div>
      <Status className="quiet">{isReading ? recipeWords.starting : recipeWords.startNote}</Status>
      {reading.status === 'failed' && <Alert tone="error">{reading.error.message}</Alert>}
    </section>
  );
}

function FieldOfRecipe({ field, onChange }: { field: RecipeField; onChange: (text: string) => void }) {
  const { key: name, label, value, options, placeholder = '', notFound } = field;
  if (options) return <SelectField label={label} value={value} options={options} onChange={onChange} />;
  const props = { label, name, value, placeholder, onChange };
  return notFound ? (
    <ListField {...props} notFound={notFound} />
  ) : (
    <TextField {...props} inputMode="decimal" />
  );
}

const keywords = [
  'SELECT',
  'FROM',
  'WHERE',
  'GROUP BY',
  'GROUP BY ALL',
  'HAVING',
  'QUALIFY',
  'ORDER BY',
  'LIMIT',
  'JOIN',
  'LEFT JOIN',
  'ASOF JOIN',
  'ON',
  'USING',
  'AS',
  'AND',
  'OR',
  'NOT',
  'IN',
  'BETWEEN',
  'IS NULL',
  'CASE WHEN',
  'UNION ALL',
  'WITH',
  'DESC',
  'DISTINCT',
];
const functions = [
  'avg',
  'count',
  'max',
  'median',
  'min',
  'quantile_cont',
  'stddev',
  'sum',
  'arg_max',
  'arg_min',
  'coalesce',
  'date_trunc',
  'epoch_ms',
  'lag',
  'lead',
  'round',
  'row_number',
  'time_bucket',
  'try_cast',
];

/** Texts, quoted names, and comments; the last one may end with the text. */
const pieces =
  /'[^']*(?:''[^']*)*(?:'|($))|"[^"]*(?:""[^"]*)*(?:"|($))|--[^\n]*(?:\n|($))|\/\*[^]*?(?:\*\/|($))/g;

/** The text, quoted name, or comment in which a statement up to the caret ends, from its start; undefined: none. */
function openPiece(before: string): string | undefined {
  return [...before.matchAll(pieces)].find((match) => match.slice(1).some((end) => end !== undefined))?.[0];
}

/** What can follow at the caret: columns of the tables that the statement names first, then tables and the language. */
export function completeSql(text: string, offset: number, tables: readonly SqlTable[]): Suggestion[] {
  const before = text.slice(0, offset);
  const open = openPiece(before);
  const isQuoted = /^".*$/.test(open ?? '');
  if (open !== undefined && !isQuoted) return [];
  const word = open ?? /(?<!\w)\w*$/.exec(before)?.[0] ?? '';
  // The editor closes a quote as it is typed.
  const end = isQuoted && text[offset] === '"' ? offset + 1 : offset;
  const replace = { start: offset - word.length, end };
  const nameOffer = (name: string) => {
    const insert = isQuoted ? quoted(name) : sqlName(name);
    return { label: name, replace, insert, ...(isQuoted ? { matches: insert } : {}) };
  };
  const isNamed = ({ name }: SqlTable) => new RegExp(`\\b${name}\\b`, 'i').test(text);
  const columns = new Map<string, Suggestion>();
  for (const { name, columns: tableColumns } of tables.toSorted(
    (a, b) => Number(isNamed(b)) - Number(isNamed(a)),
  ))
    for (const { name: column, type, unit } of tableColumns)
      if (!columns.has(column))
        columns.set(column, {
          ...nameOffer(column),
          kind: 'field',
          detail: `${unit ?? type.toLowerCase()} · ${name}`,
        });
  const head = before.slice(0, replace.start);
  if (head.endsWith('.')) return [...columns.values()];
  const plain = (label: string, kind: Suggestion['kind'], insert = label): Suggestion => ({
    label,
    kind,
    replace,
    insert,
  });
  const tableOffers = tables.map(({ name, label }): Suggestion => ({
    ...nameOffer(name),
    kind: 'value',
    detail: label,
  }));
  const isTablePlace = /\b(?:from|join)\s+$/i.test(head);
  if (isTablePlace) return tableOffers;
  const names = [...columns.values(), ...tableOffers];
  if (isQuoted) return names;
  return [
    ...names,
    ...functions.map((name) => plain(name, 'stage', `${name}(`)),
    ...keywords.map((name) => plain(name, 'operator')),
  ];
}

function useSqlHelp(open: readonly SqlTable[]) {
  const help = useMemo(
    (): Help => ({
      complete: async (text, offset) => completeSql(text, offset, open),
      hover: async (text, offset) => hoverSql(text, offset, open),
      format: async () => null,
    }),
    [open],
  );
  const problem = useTabState('query', (state) => state.problems.statement);
  const marks = useMemo(() => marksOf(problem), [problem]);
  return { help, marks };
}

function StatementProblem() {
  const problem = useTabState('query', (state) => state.problems.statement);
  return (
    <Status className={problem ? 'field-problem pad-x-3 pad-y-1' : 'visually-hidden'}>
      {problem &&
        (problem.line === undefined
          ? problem.message
          : `${words.query.at(problem.line, problem.column ?? 1)}: ${problem.message}`)}
    </Status>
  );
}

/** Files that are dropped on it become tables. */
export default function SqlForm() {
  const { actions, texts } = useTab('query');
  const { sqlTables } = useApp();
  const statement = useTabState('query', (state) => state.text.sql.statement);
  const tables = useAppState('sqlTables', (state) => state.tables);
  const handle = useRef<EditorHandle>(null);
  const explanation = useId();
  const [isOver, setOver] = useState(false);
  const recipe = useTabState('query', (state) => state.recipeChoices);
  useEffect(() => void sqlTables.actions.load(), [sqlTables]);
  const open = useMemo(() => valueOr(tables, []), [tables]);
  const { help, marks } = useSqlHelp(open);
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
      <div className="stack gap-0 min-0 fill">
        <RecipeStarts isEmpty={statement.trim() === ''} />
        <div className="query-editing stack gap-0 flex-none">
          <div className="query-editor flex-none">
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
            <StatementProblem />
          </div>
        </div>
        <OptionsForm>
          <WriteSql tables={open} choices={recipe} onOpen={actions.showRecipe} onUse={run} />
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

const w = words.sql;
const formats = ['csv', 'xlsx', 'parquet', 'ndjson', 'json'] as const;

/** Saves all rows of the statement, also those beyond what the grid shows. */
function SaveRows() {
  const { actions } = useTab('query');
  const { api } = useApp();
  /** What to say of the saved file; null: the user canceled its choice. */
  const [saving, setSaving] = useState<Loadable<string | null>>(idle);
  // It continues in maximized results, which hide this form.
  const [task] = useState(createLatestTask);
  function save(format: (typeof formats)[number]): void {
    const write = async (signal: AbortSignal) => {
      const { statement: sql } = (await actions.bound()).sql;
      const target = await api.files.chooseTarget({ suggestedName: `${w.fileName}.${format}` }, { signal });
      if (!target) return null;
      // What its tables read as null is null in the rows; such a number in them is one that the user keeps.
      const request = { sql, format, target: target.token, nullValues: 'keep' } as const;
      const { rows, file, computedFrom, warnings } = await api.sql.save(request, { signal });
      if (file) startDownload(downloadAddress(file.token), target.name);
      const partNotes = computedFrom === undefined ? [] : [`${words.results.computedFrom(computedFrom)}.`];
      return [w.saved(target.name, rows), ...partNotes, ...warnings].join(' ');
    };
    setSaving(loading);
    void load(task, write, setSaving);
  }
  if (saving.status === 'loading')
    return (
      <span className="row">
        <Status>{w.saving}</Status>
        <Button icon={Square} variant="quiet" onPress={() => task.cancel()}>
          {words.cancel}
        </Button>
      </span>
    );
  return (
    <>
      <MenuButton
        label={w.save}
        icon={Download}
        items={formats.map((id) => ({ id, text: w.formats[id], run: () => save(id) }))}
      >
        {w.save}
      </MenuButton>
      {saving.status === 'loaded' && saving.value !== null && <Status>{saving.value}</Status>}
      {saving.status === 'failed' && !saving.error.is('cancelled') && (
        <Alert tone="error">{saving.error.message}</Alert>
      )}
    </>
  );
}
