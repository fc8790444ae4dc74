import { Database, Ellipsis, FileSpreadsheet, Folder, Plus, TriangleAlert } from 'lucide-react';
import { useRef, useState } from 'react';
import { datasetName } from '../../../../shared/datasets/datasets.ts';
import type { SqlDataset, SqlTable } from '../../../../shared/sql/sql.ts';
import { sqlName } from '../../../../shared/sql/sql-name.ts';
import { useApp, useAppState, useSession } from '../../../contexts.ts';
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
import { AddDataset } from './add-dataset.tsx';
import { useGrantedTables, type OfferedTable } from './granted-tables.ts';
import { columnText } from './sql-hover.ts';
import { firstRows, type AddingTable, type SqlTables } from './sql-tables.ts';
import type { ServiceRequest } from '../../../../shared/query/query.ts';
import { isLimited } from '../../results/limits.ts';
import type { TabsState } from '../../tabs/tabs.ts';
import { queryKind } from '../query-kind.ts';

const w = words.sql;
const icons = { file: FileSpreadsheet, folder: Folder, answer: Database } as const;

interface TableListProps {
  /** Replaces the statement, and runs it. */
  readonly onUse: (statement: string) => void;
  /** Called with the first table, if the list offered it. */
  readonly onFirst: (table: SqlTable) => void;
}

/** The open tables with their columns, types, and units. */
export function TableList({ onUse, onFirst }: TableListProps) {
  const { sqlTables } = useApp();
  const { tables, adding, problem } = useAppState('sqlTables', (state) => state);
  return (
    <section className="sql-tables" aria-label={w.tables}>
      <div className="sql-tables-head row">
        <h3 className="part-heading">{w.tables}</h3>
        <AddTable sqlTables={sqlTables} />
      </div>
      {problem && (
        <Alert
          tone="error"
          actions={
            <Button variant="quiet" onPress={sqlTables.actions.dismiss}>
              {w.dismiss}
            </Button>
          }
        >
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
        <ul className="sql-table-list">
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
    <div className="sql-adding">
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
    <div className="sql-none stack gap-3">
      <p className="quiet">{w.none}</p>
      {answerOffers(tabs.store.getState()).map((offer, at) => (
        <Button key={at} icon={Plus} isMultiline onPress={() => void addFirst(offer)}>
          {w.answer(offer.label, offer.rows, offer.isLimited)}
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
  const offers = useRef<AnswerOffer[]>([]);
  const anchor = useRef<HTMLDivElement>(null);
  const [isDatasetOpen, setDatasetOpen] = useState(false);
  const { mirrors, exports } = useGrantedTables();
  const parts = () => {
    offers.current = answerOffers(tabs.store.getState());
    const answers = offers.current.map((offer, at) => ({
      id: `answer ${String(at)}`,
      text: w.answer(offer.label, offer.rows, offer.isLimited),
      icon: Database,
    }));
    const granted = (kind: 'mirror' | 'export', list: readonly OfferedTable[], icon: typeof Folder) =>
      list.map(({ name, rows }, at) => ({ id: `${kind} ${String(at)}`, text: w.offer(name, rows), icon }));
    return [
      { id: 'answers', heading: answers.length > 0 ? w.answers : w.noAnswers, items: answers },
      {
        id: 'datasets',
        heading: w.service,
        items: [{ id: 'dataset', text: w.addDataset, icon: Database }],
      },
      { id: 'mirrors', heading: w.mirrors, items: granted('mirror', mirrors, Folder) },
      { id: 'exports', heading: w.exports, items: granted('export', exports, FileSpreadsheet) },
      {
        id: 'files',
        heading: w.files,
        items: [
          { id: 'file', text: w.addFile, icon: FileSpreadsheet },
          ...(usesDialog ? [{ id: 'folder', text: w.addFolder, icon: Folder }] : []),
        ],
      },
    ].filter(({ id, items }) => id === 'answers' || items.length > 0);
  };
  return (
    <div ref={anchor}>
      <PartsMenuButton
        label={w.add}
        icon={Plus}
        parts={parts}
        onSelect={(id) => {
          const [kind, at] = id.split(' ');
          const offer = offers.current[Number(at)];
          if (kind === 'answer' && offer) void addOffer(sqlTables, offer);
          const granted =
            kind === 'mirror' ? mirrors[Number(at)] : kind === 'export' ? exports[Number(at)] : null;
          if (granted) void actions.addGranted(granted);
          if (kind === 'dataset') setDatasetOpen(true);
          if (kind === 'folder') void actions.openFolderDialog();
          if (kind !== 'file') return;
          if (usesDialog) void actions.openDialog();
          else picker.current?.click();
        }}
      >
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
  const { name, origin, label, rows, total, columns, keepsNulls } = table;
  const notes = [...new Set([...(table.warnings ?? []).map(({ message }) => message), ...table.notes])];
  const Icon = icons[origin];
  const acts: Readonly<Record<string, () => void>> = {
    preview: () => onUse(firstRows(name)),
    describe: () => onUse(`SUMMARIZE ${sqlName(name)}\n`),
    copy: () => void copyText(sqlName(name)),
    nulls: () => void sqlTables.actions.keepNulls(name, !keepsNulls),
    remove: () => void sqlTables.actions.remove(name),
  };
  return (
    <li>
      <details>
        <summary className="sql-table row" title={label}>
          <Icon size={14} aria-label={w.of[origin]} />
          <span className="ellipsis sql-table-name">{name}</span>
          {notes.length > 0 && (
            <TriangleAlert size={14} className="sql-noted" aria-label={w.notes(notes.length)} />
          )}
          <span className="quiet numbers">{w.rows(rows)}</span>
        </summary>
        {notes.length > 0 && (
          <ul className="sql-notes">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
        <ul className="sql-columns" aria-label={w.columns(name)}>
          {columns.map((column) => (
            <li key={column.name} className="row">
              <span className="ellipsis">{column.name}</span>
              <span className="quiet">{columnText(column)}</span>
            </li>
          ))}
        </ul>
      </details>
      <MenuButton
        label={w.menu(name)}
        icon={Ellipsis}
        items={[
          { id: 'preview', text: w.preview },
          { id: 'describe', text: w.describe },
          { id: 'copy', text: w.copyName },
          { id: 'nulls', text: keepsNulls ? w.readNulls : w.keepNulls },
          { id: 'remove', text: w.remove },
        ]}
        onSelect={(id) => acts[id]?.()}
      />
      {total !== null && (
        <p className="sql-part row">
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

/** The result of an open query that can become a table. */
interface AnswerOffer {
  /** The name of its tab, otherwise its dataset and wells. */
  readonly label: string;
  readonly request: ServiceRequest;
  readonly rows: number;
  /** Whether more records match than the result has. */
  readonly isLimited: boolean;
  /** What reads all matching records, which the result has; null: its request does. */
  readonly all: SqlDataset | null;
}

const addOffer = ({ actions }: SqlTables, { label, request, all }: AnswerOffer) =>
  all ? actions.addDataset(all) : actions.addAnswer(label, request);

const answerOffers = ({ tabs }: Pick<TabsState, 'tabs'>): AnswerOffer[] =>
  tabs.flatMap((tab): AnswerOffer[] => {
    const query = queryKind.of(tab);
    const result = query?.results.store.getState().lastResult;
    if (!query || !result || result.asked.kind === 'sql') return [];
    const { asked: request, records, isUnlimited, held } = result;
    const rows = isUnlimited ? held.shape().knownRows : records;
    // The tab may show SQL now.
    const label = tab.name ?? words.tabs.query(datasetName(query.dataset), query.number, tab.wells);
    const { connection, provider, dataset } = request.request;
    const all =
      isUnlimited && request.kind === 'find'
        ? { connection, provider, dataset, query: request.request.query, label }
        : null;
    return [{ label, request, rows, isLimited: isLimited(result), all }];
  });
