import { ArrowDown, ArrowUp, CircleAlert, Rows3 } from 'lucide-react';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { visibleLine } from '../../../../shared/errors/visible-text.ts';
import { uploadWords } from '../../../words/upload.ts';
import { Button } from '../../../ui/button.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { SelectBox } from '../../../ui/select-box.tsx';
import { Status } from '../../../ui/status.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import { CombinedRows, RecordsSelect } from './combined-rows.tsx';
import { ColumnDetails } from './column-popup.tsx';
import { FormatCell, TargetCell, TypeCell, UnitCell } from './column-cells.tsx';
import { isNewField } from './proposals.ts';
import { columnProblemText, recordValueText } from './column-times.tsx';
import {
  columnFilters,
  nextSort,
  shownColumns,
  type ColumnSort,
  type ColumnView,
  type ListedColumn,
} from './shown-columns.ts';

const w = uploadWords.columns;
const samples = 3;
const everything: ColumnView = { search: '', filter: 'all', sort: null };

function useListedColumns(): readonly ListedColumn[] {
  const columns = useTabState('upload', ({ match }) => match.value?.columns);
  const inspection = useTabState('upload', (state) => state.inspection);
  const choices = useTabState('upload', (state) => state.choices.columns);
  const proposals = useTabState('upload', (state) => state.proposals);
  return useMemo(() => {
    const inspected = inspection.status === 'loaded' ? inspection.value.columns : [];
    return (columns ?? []).map((column, at) => ({
      column,
      type: inspected[at]?.type,
      nulls: inspected[at]?.nulls ?? 0,
      isChosen: Object.hasOwn(choices, column.column) && !isNewField(proposals, column),
    }));
  }, [columns, inspection, choices, proposals]);
}

/** Each column of the file: its values, its target, and how it is read, all of which can be changed in its row. */
export function ColumnTable({ headingId }: { readonly headingId: string }) {
  const { actions } = useTab('upload');
  const listed = useListedColumns();
  const focused = useTabState('upload', (state) => state.focusedColumn);
  const isPreviewShown = useTabState('upload', (state) => state.isPreviewShown);
  const [view, setView] = useState(everything);
  // A row stays until the view changes, although it is no longer unmapped: it would move away under the pointer.
  const names = listed.map(({ column }) => column.column).join('\n');
  const [shown, setShown] = useState<{ names: string; keys: readonly string[] }>({ names: '', keys: [] });
  const show = (next: ColumnView) => {
    setView(next);
    setShown({ names, keys: shownColumns(listed, next) });
  };
  if (shown.names !== names) setShown({ names, keys: shownColumns(listed, view) });
  const byKey = useMemo(() => new Map(listed.map((row) => [row.column.column, row])), [listed]);
  // A column that something else leads to is in the list.
  if (focused !== null && !shown.keys.includes(focused) && byKey.has(focused)) show(everything);
  const empty = listed.filter(({ column, type }) => type === 'empty' && column.to === null).length;
  const rows = shown.keys.flatMap((key) => byKey.get(key) ?? []);
  const lastToggled = useRef<string | null>(null);
  const toggle = (key: string, isIncluded: boolean, isRange: boolean) => {
    const [from, to] = [shown.keys.indexOf(lastToggled.current ?? key), shown.keys.indexOf(key)];
    const range = isRange && from >= 0 ? shown.keys.slice(Math.min(from, to), Math.max(from, to) + 1) : [key];
    lastToggled.current = key;
    actions.includeColumns(range, isIncluded);
  };
  return (
    <>
      <div className="row wrap">
        <h2 id={headingId}>{w.heading}</h2>
        <SearchBox
          className="upload-columns-search"
          label={w.search}
          placeholder={w.search}
          value={view.search}
          onChange={(search) => show({ ...view, search })}
        />
        <SelectBox
          label={w.show}
          value={view.filter}
          options={columnFilters.map((id) => ({ id, text: w.filters[id] }))}
          onChange={(filter) => show({ ...view, filter })}
        />
        <Status className="quiet numbers">
          {w.shown(rows.length, listed.length)}
          {empty > 0 && `, ${w.proposals.emptySkipped(empty)}`}
        </Status>
        <RecordsSelect />
        <Button
          variant="quiet"
          icon={Rows3}
          className="upload-first-rows"
          aria-expanded={isPreviewShown}
          onPress={actions.togglePreview}
        >
          {w.firstRows}
        </Button>
      </div>
      <CombinedRows />
      <table className="table upload-table upload-columns-table">
        <thead>
          <tr>
            <th scope="col">
              <IncludeAll
                rows={rows}
                onChange={(isIncluded) => actions.includeColumns(shown.keys, isIncluded)}
              />
            </th>
            <SortHeader by="column" view={view} onSort={show} />
            <th scope="col" className="upload-samples">
              {w.firstValues}
            </th>
            <SortHeader by="type" view={view} onSort={show} />
            <SortHeader by="target" view={view} onSort={show} />
            <th scope="col">{w.unit}</th>
            <th scope="col">{w.formatHeader}</th>
            <th scope="col">{w.becomes}</th>
            <th scope="col">
              <span className="visually-hidden">{w.details}</span>
            </th>
          </tr>
        </thead>
        {/* oxlint-disable-next-line no-noninteractive-element-interactions -- it only follows keys of controls in it */}
        <tbody onKeyDown={moveBetweenRows}>
          {rows.map((row) => (
            <ColumnRow key={row.column.column} row={row} onToggle={toggle} />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="quiet">{w.noneShown}</p>}
    </>
  );
}

/** Arrow keys move the focus to the same control of the row above or below. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const { target } = event;
  if (step === 0 || !(target instanceof HTMLElement) || target.getAttribute('role') === 'combobox') return;
  const cell = target.closest('td');
  const row = cell?.parentElement;
  if (!cell || !row) return;
  const at = [...row.children].indexOf(cell);
  const next = step > 0 ? row.nextElementSibling : row.previousElementSibling;
  const control = next?.children[at]?.querySelector<HTMLElement>('button, input');
  if (!control) return;
  event.preventDefault();
  control.focus();
}

interface SortHeaderProps {
  readonly by: ColumnSort;
  readonly view: ColumnView;
  readonly onSort: (view: ColumnView) => void;
}

function SortHeader({ by, view, onSort }: SortHeaderProps) {
  const isSorted = view.sort?.by === by;
  const Arrow = view.sort?.isDescending ? ArrowDown : ArrowUp;
  return (
    <th scope="col" aria-sort={isSorted ? (view.sort.isDescending ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        className="cell-button"
        onClick={() => onSort({ ...view, sort: nextSort(view.sort, by) })}
      >
        {w.headers[by]}
        {isSorted && <Arrow size={12} aria-hidden />}
      </button>
    </th>
  );
}

const isIncluded = ({ column: { to, joinedTo } }: ListedColumn): boolean => to !== null || joinedTo !== null;

interface IncludeAllProps {
  readonly rows: readonly ListedColumn[];
  readonly onChange: (isIncluded: boolean) => void;
}

function IncludeAll({ rows, onChange }: IncludeAllProps) {
  const included = rows.filter(isIncluded).length;
  return (
    <input
      type="checkbox"
      aria-label={w.includeShown}
      title={w.includeShown}
      checked={included > 0 && included === rows.length}
      ref={(box) => {
        if (box) box.indeterminate = included > 0 && included < rows.length;
      }}
      disabled={rows.length === 0}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}

interface ColumnRowProps {
  readonly row: ListedColumn;
  readonly onToggle: (column: string, isIncluded: boolean, isRange: boolean) => void;
}

function ColumnRow({ row, onToggle }: ColumnRowProps) {
  const { column, type, nulls } = row;
  const { examples, to } = column;
  const [first] = examples;
  const exampleProblem = examples.find(({ problem }) => problem !== null)?.problem ?? null;
  const format = useTabState('upload', ({ choices }) => {
    const choice = choices.columns[column.column];
    return choice === undefined || choice.skip ? undefined : choice.format;
  });
  const problem = columnProblemText(column, format) ?? (to === null ? null : exampleProblem);
  const isRange = useRef(false);
  const isUsed = isIncluded(row);
  const values = examples
    .slice(0, samples)
    .map(({ cell }) => cell.trim())
    .join(' · ');
  const value = first && to !== null ? recordValueText(first.value, column) : '';
  return (
    <tr data-left-out={isUsed ? undefined : ''}>
      <td>
        <input
          type="checkbox"
          aria-label={w.include(column.column)}
          checked={isUsed}
          onClick={({ shiftKey }) => (isRange.current = shiftKey)}
          onChange={({ target }) => onToggle(column.column, target.checked, isRange.current)}
        />
      </td>
      <th scope="row" className="ellipsis" title={column.column}>
        {visibleLine(column.column)}
      </th>
      <td className="upload-samples ellipsis numbers" title={values}>
        {values}
        {nulls > 0 && (
          <span className="quiet">
            {values === '' ? '' : ', '}
            {w.blanks(nulls)}
          </span>
        )}
      </td>
      <td>
        <TypeCell column={column} type={type} />
      </td>
      <td>
        <TargetCell column={column} />
      </td>
      <td>
        <UnitCell column={column} />
      </td>
      <td>
        <FormatCell column={column} />
      </td>
      <td className="ellipsis numbers" title={problem ?? value}>
        {problem !== null ? (
          <span className="line tone-error">
            <CircleAlert size={14} aria-hidden />
            <span className="ellipsis">{problem}</span>
          </span>
        ) : (
          value
        )}
      </td>
      <td>
        <ColumnDetails column={column} />
      </td>
    </tr>
  );
}
