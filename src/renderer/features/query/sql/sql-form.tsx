import { Suspense, useEffect, useId, useMemo, useRef, useState } from 'react';
import { createLatestTask } from '../../../state/latest-task.ts';
import { valueOr } from '../../../state/loadable.ts';
import { useApp, useAppState, useTab, useTabState, useSessionState } from '../../../contexts.ts';
import { CodeEditor, type EditorHandle, type Help } from '../../../ui/editor/index.ts';
import { Status } from '../../../ui/status.tsx';
import { Loading } from '../../../ui/view-states.tsx';
import { words } from '../../../words/words.ts';
import { OptionsForm } from '../question-form.tsx';
import { hoverSql } from './sql-hover.ts';
import { firstRows } from './sql-tables.ts';
import { TableList } from './table-list.tsx';
import { Download, Square, PenLine } from 'lucide-react';
import type { AppError } from '../../../../shared/errors/errors.ts';
import { downloadAddress } from '../../../api/files.ts';
import { startDownload } from '../../../api/save.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { sqlFormats, type SqlFormat } from './sql-saving.ts';
import './sql.css';
import type { Suggestion } from '../../../../shared/language/editing/suggestion.ts';
import type { SqlTable, SqlColumn } from '../../../../shared/sql/sql.ts';
import { sqlName } from '../../../../shared/sql/sql-name.ts';
import {
  sqlFunctions,
  sqlSteps,
  joinByTime,
  movingAverage,
  pivot,
  resample,
  topByWell,
  type SqlFunction,
} from '../../../../shared/sql/write-sql.ts';
import { writeList } from '../../../../shared/value-lists.ts';
import { listedWells } from '../../wells/wells-state.ts';
import { useLoaded } from '../../../state/use-loaded.ts';
import { Popup } from '../../../ui/popup.tsx';
import { SelectField } from '../../../ui/select-box.tsx';
import { ListField } from '../../../ui/list-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { recipeWords } from '../../../words/recipes.ts';
import { useSynonyms } from '../../settings/use-synonyms.ts';
import {
  firstChoices,
  isMeasured,
  isTime,
  noColumn,
  noFacts,
  readChoices,
  recipeKinds,
  recipes,
  tableOf,
  type Choices,
  type RecipeField,
  type TextChoice,
  isText,
  type ReadChoices,
  type TableFacts,
} from './recipe-choices.ts';
import { factorOf, unitOf } from '../../../../shared/channels/units.ts';
import {
  connections,
  dailySummary,
  daysAgainstDepth,
  meanByTop,
  resampleAll,
  statePeriods,
  timeInStates,
} from '../../../../shared/sql/recipes.ts';
import { rowsOfList, wellpath } from '../../../../shared/sql/wellpath.ts';

const number = (value: string): number | null =>
  /^[+-]?\d{1,9}(?:\.\d{1,9})?$/.test(value.trim()) ? Number(value) : null;
const positive = (value: string): number | null => {
  const read = number(value);
  return read !== null && read > 0 ? read : null;
};
const whole = (value: string): number | null => (/^\d{1,6}$/.test(value.trim()) ? Number(value) : null);

/** The names of the wells of a column with ids or with names. */
function namesOf(
  { name, type }: SqlColumn,
  { texts }: TableFacts,
  wellNames: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const values = new Set((texts[name] ?? []).map((text) => text.trim().toLowerCase()));
  const isNamed = isText({ type });
  return new Map(
    [...wellNames].filter(([id, wellName]) => values.has(isNamed ? wellName.trim().toLowerCase() : id)),
  );
}

/**
 * The statement of the choices; null: something is missing.
 * @param wellNames by asset id as text, for a table with ids and another one with names
 */
export function statementOf(
  choices: Choices,
  read: ReadChoices,
  facts: TableFacts,
  wellNames: ReadonlyMap<string, string>,
): string | null {
  const { kind, step, texts, only } = choices;
  const { chosen, column, per } = read;
  const [table, other] = [read.table?.name, read.other?.name];
  if (table === undefined) return null;
  const orNull = (choice: Parameters<ReadChoices['chosen']>[0]): string | null => chosen(choice) || null;
  const [time, well, value, hole] = [chosen('time'), orNull('well'), column('value'), column('hole')];
  const maxGap = positive(texts.maxGap);
  const states =
    time && chosen('state') && maxGap ? { table, time, well, state: chosen('state'), maxGap } : null;
  const bothWells = () => {
    const [ownWell, otherWell] = [column('well'), column('otherWell')];
    if (!ownWell || !otherWell) return null;
    const wells = { own: ownWell.name, other: otherWell.name };
    if (isText(ownWell) === isText(otherWell)) return wells;
    return {
      ...wells,
      named: { idsIn: isText(ownWell) ? 'other' : 'own', names: namesOf(ownWell, facts, wellNames) } as const,
    };
  };
  const list = read.list === noColumn ? null : { column: read.list, fields: facts.lists[read.list] ?? [] };
  const functions: readonly SqlFunction[] =
    choices.function === 'several' ? ['mean', 'min', 'max'] : [choices.function];
  switch (kind) {
    case 'resample':
      return time && value ? resample({ table, time, well, values: [value], functions, step }) : null;
    case 'resampleAll': {
      const index = column('index');
      if (!index) return null;
      const depth = isTime(index) ? null : positive(texts.depthStep);
      const values = (read.table?.columns ?? []).filter(
        (column) => isMeasured(column) && column.name !== index.name,
      );
      if (values.length === 0 || (!isTime(index) && depth === null)) return null;
      return resampleAll({
        table,
        index,
        well,
        values,
        step: depth === null ? { time: step } : { depth },
      });
    }
    case 'states':
      return states && timeInStates(states);
    case 'periods':
      return states && statePeriods({ ...states, depth: hole ?? null, only: only || null });
    case 'connections': {
      const [bit, tolerance] = [column('bit'), number(texts.tolerance)];
      return states && hole && bit && read.inSlips && tolerance !== null
        ? connections({ ...states, hole, bit, inSlips: read.inSlips, tolerance })
        : null;
    }
    case 'tops': {
      const [top, label] = [column('top'), chosen('label')];
      if (other === undefined || !hole || !value || !top || !label) return null;
      const [from, to] = [unitOf(top.unit ?? ''), unitOf(hole.unit ?? '')];
      const factor = from && to ? (factorOf(from, to) ?? null) : 1;
      if (factor === null) return null;
      return meanByTop({
        table,
        depth: hole,
        value,
        tops: other,
        top,
        label,
        factor,
        wells: bothWells(),
      });
    }
    case 'daily': {
      const hours = number(texts.hours);
      return time && hole && value && hours !== null
        ? dailySummary({ table, time, well, depth: hole, value, hours })
        : null;
    }
    case 'days':
      return time && hole ? daysAgainstDepth({ table, time, well, depth: hole }) : null;
    case 'join': {
      const [otherTime, add] = [chosen('otherTime'), chosen('add')];
      return time && other !== undefined && otherTime && add
        ? joinByTime({ table, time, other, otherTime, add: [add], wells: bothWells() })
        : null;
    }
    case 'pivot': {
      const [rows, columns, order] = [column('rowsBy'), chosen('columnsBy'), time || chosen('rowsBy')];
      const depth = positive(texts.depthStep);
      if (!rows || !columns || !value || read.values.length === 0) return null;
      if (read.hasDepthSteps(rows) && depth === null) return null;
      return pivot({
        table,
        rows,
        step: isTime(rows) ? { time: step } : read.hasDepthSteps(rows) && depth !== null ? { depth } : null,
        well: [rows.name, columns].includes(well ?? '') ? null : well,
        columns,
        values: read.values,
        value,
        functions,
        order,
      });
    }
    case 'average': {
      const rows = whole(texts.rows);
      return chosen('order') && value && rows !== null
        ? movingAverage({ table, order: chosen('order'), well, value, rows })
        : null;
    }
    case 'top': {
      const rows = whole(texts.topRows);
      return value && well !== null && rows !== null ? topByWell({ table, well, value, rows }) : null;
    }
    case 'list':
      return list && rowsOfList({ table, well, ...list });
    case 'path': {
      const [depth, inclination, azimuth] = [chosen('depth'), chosen('inclination'), chosen('azimuth')];
      const [length, section] = [positive(per), number(texts.section)];
      if (!depth || !inclination || !azimuth || !length || (section === null && texts.section.trim()))
        return null;
      const survey = orNull('survey');
      return wellpath({ table, well, survey, list, depth, inclination, azimuth, per: length, section });
    }
  }
}

const writeSqlW = recipeWords;

interface WriteSqlProps {
  readonly tables: readonly SqlTable[];
  /** Replaces the statement, and runs it. */
  readonly onUse: (statement: string) => void;
}

/** Writes a statement from a few choices, which it shows before it is used. */
function WriteSql({ tables, onUse }: WriteSqlProps) {
  if (tables.length === 0) return null;
  return (
    <Popup
      isWide
      heading={writeSqlW.heading}
      placement="bottom start"
      trigger={
        <Button variant="quiet" icon={PenLine}>
          {writeSqlW.button}
        </Button>
      }
    >
      {(close) => (
        <WriteForm
          tables={tables}
          onUse={(statement) => {
            onUse(statement);
            close();
          }}
        />
      )}
    </Popup>
  );
}

function WriteForm({ tables, onUse }: WriteSqlProps) {
  const { actions } = useApp().sqlTables;
  const [choices, setChoices] = useState(firstChoices);
  const synonyms = useSynonyms();
  const set = (change: Partial<Choices>) => setChoices((before) => ({ ...before, ...change }));
  const table = tableOf(choices, tables, synonyms);
  const loadedFacts = useLoaded(
    useMemo(() => (table ? (signal: AbortSignal) => actions.facts(table, signal) : null), [actions, table]),
  );
  const facts = valueOr(loadedFacts, noFacts);
  const read = readChoices(choices, tables, facts, synonyms);
  const { names } = useSessionState('wells', listedWells);
  const statement = statementOf(choices, read, facts, names);
  const tableField = (which: 'table' | 'other') => (
    <SelectField
      key={which}
      label={writeSqlW[which]}
      value={read[which]?.name ?? ''}
      options={tables
        .filter(({ name }) => which === 'table' || name !== read.table?.name)
        .map(({ name }) => ({ id: name, text: name }))}
      onChange={(name) => set({ [which]: name })}
    />
  );
  const defaults: Partial<Record<TextChoice, string>> = {
    values: writeList(read.values.map(String)),
    section: writeSqlW.lastAzimuth,
    per: read.per,
  };
  const inputOf = (field: RecipeField) => {
    switch (field.kind) {
      case 'other':
        return tableField('other');
      case 'column': {
        // A table without lists has a row for each station.
        if (field.choice === 'list' && choices.kind === 'path' && read.poolOf('list').length === 0)
          return null;
        return (
          <SelectField
            key={field.choice}
            label={writeSqlW.columns[field.choice]}
            value={read.chosen(field.choice)}
            options={[
              ...(read.isOptional(field.choice) ? [{ id: noColumn, text: writeSqlW.none }] : []),
              ...read.poolOf(field.choice).map(({ name }) => ({ id: name, text: name })),
            ]}
            onChange={(name) => set({ columns: { ...choices.columns, [field.choice]: name } })}
          />
        );
      }
      case 'step':
        return (
          <SelectField
            key="step"
            label={writeSqlW.step}
            value={choices.step}
            options={sqlSteps.map((id) => ({ id, text: writeSqlW.steps[id] }))}
            onChange={(step) => set({ step })}
          />
        );
      case 'function':
        return (
          <SelectField
            key="function"
            label={writeSqlW.function}
            value={choices.function}
            options={[
              { id: 'several', text: writeSqlW.allFunctions },
              ...sqlFunctions.map((id) => ({ id, text: writeSqlW.functions[id] })),
            ]}
            onChange={(id) => set({ function: id })}
          />
        );
      case 'inSlips':
      case 'only':
        return (
          <SelectField
            key={field.kind}
            label={writeSqlW[field.kind]}
            value={field.kind === 'only' ? choices.only : read.inSlips}
            options={[
              ...(field.kind === 'only' ? [{ id: '', text: writeSqlW.allStates }] : []),
              ...read.states.map((state) => ({ id: state, text: state })),
            ]}
            onChange={(state) => set({ [field.kind]: state })}
          />
        );
      case 'text': {
        const props = {
          label: writeSqlW.textIn(writeSqlW.texts[field.choice], read.unitOfText(field.choice)),
          name: field.choice,
          value: choices.texts[field.choice],
          placeholder: defaults[field.choice] ?? '',
          onChange: (value: string) => set({ texts: { ...choices.texts, [field.choice]: value } }),
        };
        return field.choice === 'values' ? (
          <ListField key={field.choice} {...props} notFound={read.notFound} />
        ) : (
          <TextField key={field.choice} {...props} inputMode="decimal" />
        );
      }
    }
  };
  const isPivot = choices.kind === 'pivot';
  const index = read.column(isPivot ? 'rowsBy' : 'index');
  const fields = recipes[choices.kind].filter(
    (field) =>
      !['resampleAll', 'pivot'].includes(choices.kind) ||
      !index ||
      (field.kind === 'step'
        ? isTime(index)
        : field.kind !== 'text' ||
          field.choice !== 'depthStep' ||
          (isPivot ? read.hasDepthSteps : isMeasured)(index)),
  );
  const about = writeSqlW.about[choices.kind];
  return (
    <div className="sql-write">
      <div className="sql-write-fields">
        <SelectField
          label={writeSqlW.kind}
          value={choices.kind}
          options={recipeKinds.map((id) => ({ id, text: writeSqlW.kinds[id] }))}
          onChange={(id) => set({ kind: id })}
        />
        {tableField('table')}
        {fields.map(inputOf)}
      </div>
      <div className="row sql-write-end">
        {/* Beside the button: why it is disabled. */}
        <p className="quiet grow">
          {statement !== null
            ? about
            : loadedFacts.status === 'loading'
              ? writeSqlW.reading
              : writeSqlW.missing[choices.kind]}
        </p>
        <Button
          variant="primary"
          isDisabled={statement === null}
          onPress={() => statement && onUse(statement)}
        >
          {writeSqlW.use}
        </Button>
      </div>
      {statement === null ? (
        <p className="quiet">{about}</p>
      ) : (
        <pre className="sql-write-text" aria-label={writeSqlW.statement}>
          {statement}
        </pre>
      )}
    </div>
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
  /'[^']*(?:''[^']*)*(?:'|($))|"[^"]*(?:""[^"]*)*(?:"|$)|--[^\n]*(?:\n|($))|\/\*[^]*?(?:\*\/|($))/g;

/** Whether a statement up to the caret ends inside a text or a comment. */
function isInTextOrComment(before: string): boolean {
  for (const [, text, line, comment] of before.matchAll(pieces))
    if (text !== undefined || line !== undefined || comment !== undefined) return true;
  return false;
}

/** What can follow at the caret: columns of the tables that the statement names first, then tables and the language. */
export function completeSql(text: string, offset: number, tables: readonly SqlTable[]): Suggestion[] {
  const before = text.slice(0, offset);
  if (isInTextOrComment(before)) return [];
  const word = /(?<!\w)\w*$/.exec(before)?.[0] ?? '';
  const replace = { start: offset - word.length, end: offset };
  const isNamed = ({ name }: SqlTable) => new RegExp(`\\b${name}\\b`, 'i').test(text);
  const columns = new Map<string, Suggestion>();
  for (const { name, columns: tableColumns } of tables.toSorted(
    (a, b) => Number(isNamed(b)) - Number(isNamed(a)),
  ))
    for (const { name: column, type, unit } of tableColumns)
      if (!columns.has(column))
        columns.set(column, {
          label: column,
          kind: 'field',
          detail: `${unit ?? type.toLowerCase()} · ${name}`,
          replace,
          insert: sqlName(column),
        });
  const isAfterDot = before.slice(0, replace.start).endsWith('.');
  if (isAfterDot) return [...columns.values()];
  const plain = (label: string, kind: Suggestion['kind'], insert = label): Suggestion => ({
    label,
    kind,
    replace,
    insert,
  });
  const tableOffers = tables.map(({ name, label }): Suggestion => ({
    ...plain(name, 'value'),
    detail: label,
  }));
  const isTablePlace = /\b(?:from|join)\s+\w*$/i.test(before);
  if (isTablePlace) return tableOffers;
  return [
    ...columns.values(),
    ...tableOffers,
    ...functions.map((name) => plain(name, 'stage', `${name}(`)),
    ...keywords.map((name) => plain(name, 'operator')),
  ];
}

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

const w = words.sql;

type Saving =
  | { readonly status: 'idle' }
  | { readonly status: 'running' }
  | { readonly status: 'saved'; readonly notice: string }
  | { readonly status: 'failed'; readonly error: AppError };

/** Saves all rows of the statement, also those beyond what the grid shows. */
function SaveRows() {
  const { actions } = useTab('query');
  const { saveSqlRows } = useApp();
  const [saving, setSaving] = useState<Saving>({ status: 'idle' });
  // It continues in maximized results, which hide this form.
  const [task] = useState(createLatestTask);
  function save(format: SqlFormat): void {
    const write = async (signal: AbortSignal) => {
      const { sql } = await actions.bound();
      return saveSqlRows(`${w.fileName}.${format}`, format, sql.statement, signal);
    };
    setSaving({ status: 'running' });
    void task.run(write, {
      onDone(saved) {
        if (!saved) return setSaving({ status: 'idle' });
        if (saved.file) startDownload(downloadAddress(saved.file.token), saved.name);
        const part = saved.computedFrom;
        const notice = w.saved(saved.name, saved.rows);
        setSaving({
          status: 'saved',
          notice: part === undefined ? notice : `${notice} ${words.results.computedFrom(part)}.`,
        });
      },
      onFailed: (error) =>
        setSaving(error.is('cancelled') ? { status: 'idle' } : { status: 'failed', error }),
      onCanceled: () => setSaving({ status: 'idle' }),
    });
  }
  if (saving.status === 'running')
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
        items={sqlFormats.map((id) => ({ id, text: w.formats[id] }))}
        onSelect={(id) => {
          const format = sqlFormats.find((format) => format === id);
          if (format) save(format);
        }}
      >
        {w.save}
      </MenuButton>
      {saving.status === 'saved' && <Status>{saving.notice}</Status>}
      {saving.status === 'failed' && <Alert tone="error">{saving.error.message}</Alert>}
    </>
  );
}
