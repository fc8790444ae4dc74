import { ChevronDown, ChevronRight, Ellipsis, FileQuestion, Folder } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { querySearch } from '../../../shared/channels/channels.ts';
import { type SavedQuery, isInFolder, type SavedContent } from '../../../shared/saved/saved.ts';
import type { SavedList as SavedListValue } from '../../../shared/contract/query.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed, Loading } from '../../ui/view-states.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { PickList, type RowMenu } from '../../ui/pick-list.tsx';
import { PopupAt } from '../../ui/popup.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { useShortcut } from '../commands/command-button.tsx';
import { useApp, useAppState, useSession } from '../../contexts.ts';
import { openReport } from '../report/report-kind.ts';
import { reportWords } from '../../words/report.ts';
import { SavedNotice } from '../saved/saved-notice.tsx';
import PlaceForm, { type SavedPlace } from '../saved/place-form.tsx';
import { findExisting } from '../saved/saved.ts';
import '../saved/saved.css';
import { compareNames } from '../../format/order.ts';

const rowHeight = 28;
const w = words.saved;

export default function SavedList() {
  const list = useAppState('saved', (state) => state.list);
  const { load } = useApp().saved.actions;
  // Reloads when opened: other windows may have saved queries.
  useEffect(() => void load(), [load]);
  if (list.status === 'idle' || list.status === 'loading') return <Loading what={w.loading} />;
  if (list.status === 'failed') return <Failed error={list.error} onRetry={() => void load()} />;
  return <Queries list={list.value} />;
}

function ListHead({ canExport }: { canExport: boolean }) {
  const search = useAppState('saved', (state) => state.search);
  const actions = useApp().saved.actions;
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className="list-head list-head-more items-center gap-1">
      <SearchBox label={w.search} placeholder={w.searchHint} value={search} onChange={actions.search} />
      <MenuButton
        label={w.more}
        icon={Ellipsis}
        items={[
          { id: 'import', text: w.import, run: () => picker.current?.click() },
          canExport && { id: 'export', text: w.exportAll, run: () => void actions.exportThese(null) },
        ]}
      />
      <input
        ref={picker}
        type="file"
        accept=".wellbench,.json,application/json"
        hidden
        aria-hidden="true"
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.item(0);
          currentTarget.value = '';
          if (file) void actions.importFile(file);
        }}
      />
    </div>
  );
}

function Queries({ list }: { list: SavedListValue }) {
  const saveKeys = useShortcut('save');
  const { search, collapsed } = useAppState('saved', (state) => state);
  const actions = useApp().saved.actions;
  const body = useRef<HTMLDivElement>(null);
  const [edited, setEdited] = useState<SavedRow | null>(null);
  const text = useDeferredValue(search);
  const rows = useMemo(() => savedRows(list, collapsed, text), [list, collapsed, text]);
  const open = (row: SavedRow) => {
    if (row.kind === 'folder') actions.toggleFolder(row.path);
    else void actions.open(row.query);
  };
  const menuOf = useRowMenu(setEdited);
  const isEmpty = list.queries.length === 0 && list.folders.length === 0;
  return (
    <>
      <ListHead canExport={list.queries.length > 0} />
      <SavedNotice />
      <div ref={body} className="fill faint-above">
        {isEmpty ? (
          <Empty>{w.empty(saveKeys)}</Empty>
        ) : rows.length === 0 ? (
          <Empty action={<Button onPress={() => actions.search('')}>{words.clearSearch}</Button>}>
            {w.noMatch}
          </Empty>
        ) : (
          <KeepFocus className="full">
            <PickList
              label={w.heading}
              items={rows}
              keyOf={({ key }) => key}
              nameOf={(row) => (row.kind === 'folder' ? `${w.folder} ${row.name}` : row.query.name)}
              rowHeight={rowHeight}
              onOpen={open}
              menuOf={menuOf}
              render={(row) => <Row row={row} menu={menuOf(row)} />}
            />
          </KeepFocus>
        )}
      </div>
      {edited && (
        <EditPlaceForm row={edited} queries={list.queries} at={body} onClose={() => setEdited(null)} />
      )}
      <Status className="list-foot quiet numbers">{w.count(list.queries.length)}</Status>
    </>
  );
}

/** The menus of rows. @param onEdit opens the form for a name and a folder */
function useRowMenu(onEdit: (row: SavedRow) => void): (row: SavedRow) => RowMenu {
  const { open, exportThese, copyLink, remove } = useApp().saved.actions;
  const session = useSession();
  return (row) => {
    const subject = row.kind === 'folder' ? row.path : row.query;
    return {
      items: [
        row.kind === 'query'
          ? { id: 'open', text: w.open, run: () => void open(row.query) }
          : { id: 'report', text: reportWords.open, run: () => openReport(session, row.path) },
        { id: 'edit', text: w.edit, run: () => onEdit(row) },
        { id: 'export', text: w.exportOne, run: () => void exportThese(subject) },
        row.kind === 'query' && { id: 'link', text: w.copyLink, run: () => void copyLink(row.query) },
        { id: 'remove', text: w.remove, run: () => void remove(subject) },
      ],
    };
  };
}

function Row({ row, menu }: { row: SavedRow; menu: RowMenu }) {
  const name = row.kind === 'folder' ? row.name : row.query.name;
  const Fold = row.kind === 'folder' && row.open ? ChevronDown : ChevronRight;
  return (
    <div className="saved-row row gap-1 grow" style={{ paddingInlineStart: row.depth * 14 }}>
      {row.kind === 'folder' ? (
        <>
          <Fold size={14} aria-hidden />
          <Folder size={14} aria-hidden />
        </>
      ) : (
        <FileQuestion size={14} aria-hidden className="saved-query-icon" />
      )}
      <span className="saved-name ellipsis" title={name}>
        {name}
      </span>
      <span className="quiet saved-note ellipsis small">
        {row.kind === 'folder' ? row.count : `${row.query.provider}/${row.query.dataset}`}
      </span>
      <MenuButton label={w.menu(name)} icon={Ellipsis} {...menu} />
    </div>
  );
}

interface EditPlaceProps {
  readonly row: SavedRow;
  readonly queries: readonly SavedQuery[];
  readonly at: RefObject<Element | null>;
  readonly onClose: () => void;
}

function EditPlaceForm({ row, queries, at, onClose }: EditPlaceProps) {
  const actions = useApp().saved.actions;
  const start: SavedPlace =
    row.kind === 'folder' ? { name: row.name, folder: parentOf(row.path) } : row.query;
  const save = (place: SavedPlace) => {
    if (row.kind === 'query') void actions.change(row.query, place);
    else
      void actions.renameFolder(row.path, place.folder === '' ? place.name : `${place.folder}/${place.name}`);
    onClose();
  };
  const replaces = (place: SavedPlace) => {
    if (row.kind === 'folder') return false;
    const existing = findExisting(queries, { ...row.query, ...place });
    return existing !== undefined && existing.id !== row.query.id;
  };
  return (
    <PopupAt
      at={at}
      heading={row.kind === 'folder' ? w.folderHeading : w.editHeading}
      placement="right top"
      onClose={onClose}
    >
      <PlaceForm start={start} replaces={replaces} onSave={save} />
    </PopupAt>
  );
}

/** `depth` counts from 0. */
export type SavedRow =
  | {
      readonly kind: 'folder';
      readonly key: string;
      readonly path: string;
      readonly name: string;
      readonly depth: number;
      readonly count: number;
      readonly open: boolean;
    }
  | { readonly kind: 'query'; readonly key: string; readonly query: SavedQuery; readonly depth: number };

const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/');

/**
 * Folders and their queries, folders first, by name. A search shows all queries whose name, folder, dataset,
 * or text contains every word, or the standard name of the channel that the words name, ignoring collapsed folders.
 */
export function savedRows(
  { queries, folders }: SavedContent,
  folded: ReadonlySet<string>,
  search: string,
): SavedRow[] {
  const isSearching = search.trim() !== '';
  const matches = querySearch(search);
  const matching = queries.filter((query) => matches(searchableText(query)));
  const rows: SavedRow[] = [];
  const add = (parent: string, depth: number): void => {
    const here = folders.filter((path) => parentOf(path) === parent).toSorted(compareNames);
    for (const path of here) {
      const count = matching.filter(({ folder }) => isInFolder(folder, path)).length;
      if (isSearching && count === 0) continue;
      const open = isSearching || !folded.has(path);
      const name = path.split('/').at(-1) ?? path;
      rows.push({ kind: 'folder', key: `folder ${path}`, path, name, depth, count, open });
      if (open) add(path, depth + 1);
    }
    const children = matching.filter(({ folder }) => folder === parent);
    for (const query of children.toSorted((a, b) => compareNames(a.name, b.name)))
      rows.push({ kind: 'query', key: query.id, query, depth });
  };
  add('', 0);
  return rows;
}

function searchableText({ name, folder, provider, dataset, question }: SavedQuery): string {
  const { find, aggregate, pipeline, sql } = question;
  const queryText = [find.query, aggregate.match, aggregate.group, pipeline.stages, sql.statement].join('\n');
  return `${name}\n${folder}\n${provider}/${dataset}\n${queryText}`;
}
