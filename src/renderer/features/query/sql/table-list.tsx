import { Database, Ellipsis, FileSpreadsheet, Folder, Plus, TriangleAlert } from 'lucide-react';
import { useRef, useState, useEffect, type RefObject, useMemo } from 'react';
import { datasetName, addressOf, type Dataset } from '../../../../shared/datasets/datasets.ts';
import {
  type SqlAnswerTable,
  type SqlDataset,
  type SqlQuery,
  type SqlTable,
  sqlTableName,
  type SqlColumn,
} from '../../../../shared/sql/sql.ts';
import { sqlName, datasetTableName, freeName } from '../../../../shared/sql/names.ts';
import { useApp, useAppState, useSession, useSessionState } from '../../../contexts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Bar } from '../../../ui/bar.tsx';
import { Button } from '../../../ui/button.tsx';
import { copyText } from '../../../ui/clipboard.ts';
import { MenuButton, PartsMenuButton } from '../../../ui/menu-button.tsx';
import { Status } from '../../../ui/status.tsx';
import { Failed } from '../../../ui/view-states.tsx';
import { words } from '../../../words/words.ts';
import { progressShare } from '../../jobs/job-list.ts';
import { errorText, progressText, stateText } from '../../jobs/job-words.ts';
import { firstRows, type AddingTable, type SqlTables, type GrantedTable } from './sql-tables.ts';
import { isLimited } from '../../results/load-all.ts';
import type { TabsState } from '../../tabs/tabs.ts';
import { queryKind } from '../query-kind.ts';
import { Form } from '../../../ui/form.tsx';
import { queryOfWells } from '../../../../shared/language/scope.ts';
import { rangeFieldOf, writeRange } from '../../../../shared/language/text/conditions.ts';
import { valueOr } from '../../../state/loadable.ts';
import { useTask } from '../../../state/latest-task.ts';
import { ComboBox } from '../../../ui/combo-box.tsx';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { PopupAt } from '../../../ui/popup.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { addressText, searchDatasets } from '../../datasets/search.ts';
import { scopeOf } from '../../../../shared/wells/wells.ts';
import { useTabWells } from '../../tabs/use-tab-wells.ts';
import { boundAt, parseRange, type RangeInputs, type RangeProblem } from '../../../format/range-inputs.ts';
import type { Hover } from '../../../../shared/language/editing/hover.ts';

interface OfferedTable extends GrantedTable {
  readonly rows: number;
}

const maxExports = 10;

function useGrantedTables() {
  const { actions } = useApp().mirrors;
  const list = useAppState('mirrors', (state) => state.list);
  const jobs = useAppState('jobs', (state) => state.jobs);
  useEffect(() => void actions.load(), [actions]);
  return useMemo(() => {
    const mirrors = valueOr(list, []).flatMap(({ name, folder, content }): OfferedTable[] =>
      content ? [{ kind: 'folder', name, token: folder, rows: content.rows }] : [],
    );
    const exports = jobs.flatMap((job): OfferedTable[] => {
      if (job.kind !== 'export' || job.state !== 'done' || !job.result) return [];
      const { rows } = job.result;
      return job.artifacts.flatMap(({ kind, name, token }) =>
        kind === 'result' ? [{ kind: 'file', name, token, rows }] : [],
      );
    });
    return { mirrors, exports: exports.slice(0, maxExports) };
  }, [list, jobs]);
}

const datasetWords = words.sql.dataset;
const range = words.query.range;
/** A count waits until nothing was typed for this time. */
const countAfterMs = 400;

type RangeProblems = Partial<Record<keyof RangeInputs, RangeProblem>>;

/**
 * The query for records of a dataset, or what is wrong with the limits of its range. Relative times become the times that
 * they are now: a table is read once.
 * @param assetIds the wells; empty: all
 * @param typed the limits, in UTC; blank: none
 * @param now Unix milliseconds
 */
export function datasetQuery(
  { type }: Pick<Dataset, 'type'>,
  assetIds: readonly number[],
  typed: { readonly from: string; readonly to: string },
  now: number,
): { readonly query: string } | { readonly problems: RangeProblems } {
  const query = queryOfWells(type, assetIds);
  const field = rangeFieldOf(type);
  if (field === null) return { query };
  const read = parseRange({ ...typed, zone: 'UTC' }, { from: null, to: null }, field.of);
  if ('problems' in read) return read;
  const fixedRange = { from: boundAt(read.range.from, now), to: boundAt(read.range.to, now) };
  return { query: writeRange(query, field, fixedRange) ?? query };
}

function AddDataset({ at, onClose }: { at: RefObject<Element | null>; onClose: () => void }) {
  return (
    <PopupAt at={at} heading={datasetWords.heading} placement="bottom end" onClose={onClose}>
      <DatasetForm onDone={onClose} />
    </PopupAt>
  );
}

function DatasetForm({ onDone }: { onDone: () => void }) {
  const { sqlTables, api } = useApp();
  const { connection } = useSession();
  const tables = valueOr(
    useAppState('sqlTables', (state) => state.tables),
    [],
  );
  const datasets = valueOr(
    useSessionState('datasets', ({ list }) => list),
    [],
  );
  const selected = useTabWells();
  const [dataset, setDataset] = useState<Dataset | null>(null);
  const [wells, setWells] = useState<'all' | 'selected'>(selected.length > 0 ? 'selected' : 'all');
  const [limits, setLimits] = useState({ from: '', to: '' });
  const [name, setName] = useState('');
  const [problems, setProblems] = useState<RangeProblems>({});
  const [openedAt] = useState(Date.now);
  const assetIds = wells === 'all' ? [] : scopeOf(selected);
  const read = dataset && datasetQuery(dataset, assetIds, limits, openedAt);
  const query = read && 'query' in read ? read.query : null;
  const badName = name.trim() !== '' && !sqlTableName.safeParse(name.trim()).success;
  const count = useTask((of: SqlQuery, signal) => api.query.count(of, { signal }));
  const target = dataset && query !== null ? { connection, ...addressOf(dataset), query } : null;
  const key = target && JSON.stringify(target);
  useEffect(() => {
    count.reset();
    if (!target) return;
    const timer = setTimeout(() => void count.start(target), countAfterMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the target
  }, [key]);
  const field = rangeFieldOf(dataset?.type ?? null);
  const messages = {
    bad: field?.of === 'depth' ? range.badDepth() : range.badTime,
    zone: range.badZone,
    backwards: range.backwards,
  };
  const limit = (end: 'from' | 'to') => (
    <TextField
      name={end}
      label={datasetWords[end]}
      mono
      value={limits[end]}
      placeholder={field?.of === 'depth' ? range.depthHint : range.timeHint}
      problem={problems[end] && messages[problems[end]]}
      onChange={(value) => {
        setProblems({});
        setLimits((before) => ({ ...before, [end]: value }));
      }}
    />
  );
  return (
    <Form
      className="stack gap-3"
      onSubmit={() => {
        if (read && 'problems' in read) setProblems(read.problems);
        if (!target || badName) return;
        const named = name.trim() === '' ? {} : { name: name.trim() };
        const table: SqlDataset = { ...target, ...named, label: addressText(target) };
        void sqlTables.actions.addDataset(table);
        onDone();
      }}
    >
      <ComboBox
        label={datasetWords.dataset}
        value={dataset && addressText(dataset)}
        text={dataset ? addressText(dataset) : ''}
        placeholder={datasetWords.placeholder}
        emptyText={datasetWords.noDatasets}
        hasInitialFocus
        find={(typed) =>
          searchDatasets(datasets, typed, 'all').map((dataset) => ({
            id: addressText(dataset),
            text: addressText(dataset),
            note: dataset.friendlyName,
          }))
        }
        onSelect={(id) => setDataset(datasets.find((dataset) => addressText(dataset) === id) ?? null)}
      />
      {selected.length > 0 && (
        <OptionGroup
          label={datasetWords.wells}
          layout="line"
          value={wells}
          options={[
            { id: 'selected', text: datasetWords.selectedWells(selected.length) },
            { id: 'all', text: datasetWords.allWells },
          ]}
          onChange={setWells}
        />
      )}
      {field && (
        <div className="stack gap-2">
          {limit('from')}
          {limit('to')}
          <p className="field-note">{field.of === 'time' ? datasetWords.timeNote : datasetWords.depthNote}</p>
        </div>
      )}
      <TextField
        name="name"
        label={datasetWords.name}
        mono
        value={name}
        placeholder={dataset ? freeName(datasetTableName(dataset.dataset), tables) : ''}
        problem={badName ? datasetWords.badName : undefined}
        onChange={setName}
      />
      <div className="row between">
        <Status className="quiet numbers">
          {count.isRunning && datasetWords.counting}
          {count.error?.message}
          {count.value !== null && datasetWords.count(count.value.count)}
        </Status>
        <Button type="submit" variant="primary" isDisabled={!dataset}>
          {datasetWords.add}
        </Button>
      </div>
    </Form>
  );
}

const w = words.sql;
const icons = { file: FileSpreadsheet, folder: Folder, answer: Database } as const;

interface TableListProps {
  /** Replaces the statement, and runs it. */
  readonly onUse: (statement: string) => void;
  /** Called with the first table, if the list offered it. */
  readonly onFirst: (table: SqlTable) => void;
}

export function TableList({ onUse, onFirst }: TableListProps) {
  const { sqlTables } = useApp();
  const { tables, adding, problem } = useAppState('sqlTables', (state) => state);
  return (
    <section className="sql-tables stack gap-0 scroll" aria-label={w.tables}>
      <div className="sql-tables-head row between surface">
        <h3 className="part-heading small quiet">{w.tables}</h3>
        <AddTable sqlTables={sqlTables} />
      </div>
      {problem && (
        <Alert tone="error" action={{ text: words.dismiss, run: sqlTables.actions.dismiss }}>
          {problem.message}
        </Alert>
      )}
      {adding.map((table) => (
        <Adding key={table.id} table={table} onCancel={() => sqlTables.actions.cancel(table.id)} />
      ))}
      {tables.status === 'failed' && (
        <Failed error={tables.error} onRetry={() => void sqlTables.actions.load()} />
      )}
      {tables.status === 'loaded' && tables.value.length === 0 && adding.length === 0 && (
        <NoTables sqlTables={sqlTables} onFirst={onFirst} />
      )}
      {tables.status === 'loaded' && (
        <ul>
          {tables.value.map((table) => (
            <TableItem key={table.name} table={table} sqlTables={sqlTables} onUse={onUse} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** A table that is being added: the progress of its job, if one reads its records. */
function Adding({ table: { label, job: id }, onCancel }: { table: AddingTable; onCancel: () => void }) {
  const job = useAppState('jobs', ({ jobs }) => jobs.find((job) => job.id === id));
  const error = job ? errorText(job) : null;
  const progress = job ? [stateText(job), ...progressText(job)].join(' · ') : w.adding(label);
  return (
    <div className="pad-x-3 pad-y-1">
      <Bar label={w.adding(label)} share={job ? progressShare(job) : null} />
      <div className="row">
        <span className="ellipsis grow">{label}</span>
        <Button variant="quiet" aria-label={w.cancelAdding(label)} onPress={onCancel}>
          {words.cancel}
        </Button>
      </div>
      <Status className="quiet numbers">{progress}</Status>
      {error !== null && <p className="tone-error">{error}</p>}
    </div>
  );
}

/** Offers the results of open queries as the first table. */
function NoTables({ sqlTables, onFirst }: Pick<TableListProps, 'onFirst'> & { sqlTables: SqlTables }) {
  const { tabs } = useSession();
  const addFirst = async (offer: AnswerOffer): Promise<void> => {
    const table = await addOffer(sqlTables, offer);
    if (table) onFirst(table);
  };
  return (
    <div className="stack gap-3 pad-x-3 pad-y-1">
      <p className="quiet">{w.none}</p>
      {answerOffers(tabs.store.getState()).map((offer, at) => (
        <Button key={at} icon={Plus} isMultiline onPress={() => void addFirst(offer)}>
          {w.answer(offer.answer.label, offer.rows, offer.isLimited)}
        </Button>
      ))}
    </div>
  );
}

function AddTable({ sqlTables }: { sqlTables: SqlTables }) {
  const { actions } = sqlTables;
  const { tabs } = useSession();
  const usesDialog = useAppState('workspace', ({ files }) => files === 'dialog');
  const picker = useRef<HTMLInputElement>(null);
  const anchor = useRef<HTMLDivElement>(null);
  const [isDatasetOpen, setDatasetOpen] = useState(false);
  const { mirrors, exports } = useGrantedTables();
  const parts = () => {
    const answers = answerOffers(tabs.store.getState()).map((offer, at) => ({
      id: `answer ${String(at)}`,
      text: w.answer(offer.answer.label, offer.rows, offer.isLimited),
      icon: Database,
      run: () => void addOffer(sqlTables, offer),
    }));
    const granted = (kind: 'mirror' | 'export', list: readonly OfferedTable[], icon: typeof Folder) =>
      list.map((table, at) => ({
        id: `${kind} ${String(at)}`,
        text: w.offer(table.name, table.rows),
        icon,
        run: () => void actions.addGranted(table),
      }));
    const addFile = () => (usesDialog ? void actions.openDialog() : picker.current?.click());
    const addFolder = () => void actions.openFolderDialog();
    const addDataset = () => setDatasetOpen(true);
    return [
      { id: 'answers', heading: answers.length > 0 ? w.answers : w.noAnswers, items: answers },
      {
        id: 'datasets',
        heading: w.service,
        items: [{ id: 'dataset', text: w.addDataset, icon: Database, run: addDataset }],
      },
      { id: 'mirrors', heading: w.mirrors, items: granted('mirror', mirrors, Folder) },
      { id: 'exports', heading: w.exports, items: granted('export', exports, FileSpreadsheet) },
      {
        id: 'files',
        heading: w.files,
        items: [
          { id: 'file', text: w.addFile, icon: FileSpreadsheet, run: addFile },
          usesDialog && { id: 'folder', text: w.addFolder, icon: Folder, run: addFolder },
        ],
      },
    ].filter(({ id, items }) => id === 'answers' || items.length > 0);
  };
  return (
    <div ref={anchor}>
      <PartsMenuButton label={w.add} icon={Plus} parts={parts}>
        {w.add}
      </PartsMenuButton>
      {isDatasetOpen && <AddDataset at={anchor} onClose={() => setDatasetOpen(false)} />}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          void actions.addFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </div>
  );
}

interface TableItemProps extends Pick<TableListProps, 'onUse'> {
  readonly table: SqlTable;
  readonly sqlTables: SqlTables;
}

function TableItem({ table, sqlTables, onUse }: TableItemProps) {
  const { name, origin, label, rows, total, columns } = table;
  const notes = [...new Set([...(table.warnings ?? []).map(({ message }) => message), ...table.notes])];
  const Icon = icons[origin];
  return (
    <li className="row wrap items-start gap-0">
      <details className="grow">
        <summary className="sql-table row" title={label}>
          <Icon size={14} aria-label={w.of[origin]} />
          <span className="ellipsis grow">{name}</span>
          {notes.length > 0 && (
            <TriangleAlert size={14} className="tone-warning" aria-label={w.notes(notes.length)} />
          )}
          <span className="quiet numbers">{w.rows(rows)}</span>
        </summary>
        {notes.length > 0 && (
          <ul className="sql-notes quiet">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
        <ul className="sql-columns" aria-label={w.columns(name)}>
          {columns.map((column) => (
            <li key={column.name} className="row between">
              <span className="ellipsis">{column.name}</span>
              <span className="quiet">{columnText(column)}</span>
            </li>
          ))}
        </ul>
      </details>
      <TableMenu table={table} sqlTables={sqlTables} onUse={onUse} />
      {total !== null && (
        <p className="sql-part row between">
          <span className="quiet">{w.loaded(rows, total)}</span>
          <Button
            variant="quiet"
            aria-label={w.loadAllOf(name)}
            onPress={() => void sqlTables.actions.loadAll(name)}
          >
            {w.loadAll}
          </Button>
        </p>
      )}
      <Status className="visually-hidden">{w.added(name, rows)}</Status>
    </li>
  );
}

/** What can be done with a table, below the tables of its file if there are several. */
function TableMenu({ table, sqlTables, onUse }: TableItemProps) {
  const { name, keepsNulls, fileTables } = table;
  const { keepNulls, readTable, remove } = sqlTables.actions;
  const actions = [
    { id: 'preview', text: w.preview, run: () => onUse(firstRows(name)) },
    { id: 'describe', text: w.describe, run: () => onUse(`SUMMARIZE ${sqlName(name)}\n`) },
    { id: 'copy', text: w.copyName, run: () => void copyText(sqlName(name)) },
    {
      id: 'nulls',
      text: keepsNulls ? w.readNulls : w.keepNulls,
      run: () => void keepNulls(name, !keepsNulls),
    },
    { id: 'remove', text: w.remove, run: () => void remove(name) },
  ];
  const items = fileTables?.tables.map((other, at) => ({
    id: String(at + 1),
    text: w.fileTable(other),
    run: at + 1 === fileTables.number ? undefined : () => void readTable(name, at + 1),
  }));
  return (
    <MenuButton
      label={w.menu(name)}
      icon={Ellipsis}
      {...(fileTables && items
        ? { items, current: String(fileTables.number), more: actions }
        : { items: actions })}
    />
  );
}

/** The result of an open query that can become a table. */
interface AnswerOffer {
  /** Its label is the name of its tab, otherwise its dataset and wells. */
  readonly answer: SqlAnswerTable;
  readonly rows: number;
  /** Whether more records match than the result has. */
  readonly isLimited: boolean;
  /** What reads all matching records, which the result has; null: its request does. */
  readonly all: SqlDataset | null;
}

const addOffer = ({ actions }: SqlTables, { answer, all }: AnswerOffer) =>
  all ? actions.addDataset(all) : actions.addAnswer(answer);

const answerOffers = ({ tabs }: Pick<TabsState, 'tabs'>): AnswerOffer[] =>
  tabs.flatMap((tab): AnswerOffer[] => {
    const query = queryKind.of(tab);
    const result = query?.results.store.getState().lastResult;
    if (!query || !result || result.request.kind === 'sql') return [];
    const { request, records, isUnlimited, held } = result;
    const rows = isUnlimited ? held.shape().knownRows : records;
    // The tab may show SQL now.
    const label = tab.name ?? words.tabs.query(datasetName(query.dataset), query.number, tab.wells);
    const { connection, provider, dataset } = request.request;
    const all =
      isUnlimited && request.kind === 'find'
        ? { connection, provider, dataset, query: request.request.query, label }
        : null;
    return [{ answer: { tab: tab.id, label, request }, rows, isLimited: isLimited(result), all }];
  });

/** The unit and the type of a column. All times are in UTC, so their type needs no zone. */
export const columnText = ({ unit, type }: Pick<SqlColumn, 'unit' | 'type'>): string =>
  [...(unit === null ? [] : [unit]), type.replace(' WITH TIME ZONE', '').toLowerCase()].join(' · ');

/** The name at a place, with or without quotes; null: there is none. */
function nameAt(text: string, offset: number): { name: string; start: number; end: number } | null {
  for (const { 0: token, index: start } of text.matchAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'|--[^\n]*|\w+/g)) {
    const end = start + token.length;
    if (offset < start) return null;
    if (offset > end || /^(?:'|--)/.test(token)) continue;
    return { name: token.startsWith('"') ? token.slice(1, -1).replaceAll('""', '"') : token, start, end };
  }
  return null;
}

/** What a name in a statement means: a table, or the columns of this name. */
export function hoverSql(text: string, offset: number, tables: readonly SqlTable[]): Hover | null {
  const at = nameAt(text, offset);
  if (!at) return null;
  const { name, ...span } = at;
  const isSame = (other: { readonly name: string }) => other.name.toLowerCase() === name.toLowerCase();
  const table = tables.find(isSame);
  if (table) return { ...span, title: table.name, says: [table.label, w.rows(table.rows)] };
  const says = tables.flatMap((other) =>
    other.columns.filter(isSame).map((column) => w.column(other.name, columnText(column))),
  );
  return says.length === 0 ? null : { ...span, title: name, says };
}
