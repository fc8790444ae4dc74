import { useEffect, useMemo, useRef, useState, type KeyboardEvent, useLayoutEffect } from 'react';
import { symbolText } from '../../../../shared/channels/units.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { Loading } from '../../../ui/view-states.tsx';
import { Status } from '../../../ui/status.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { useUploadParts } from '../upload-parts.tsx';
import { ConnectionFailed } from '../../connections/connection-failed.tsx';
import { FieldRow, FormatCell, TargetCell, TypeCell, UnitCell, MatchList } from './column-cells.tsx';
import { missingFields, type ColumnType, fieldName, isNewField } from './fields.ts';
import { NullsField } from '../file/file-step.tsx';
import { TemplateBar } from './template-bar.tsx';
import { WellNamesSection, WellQuestionAlert } from '../wells/well-views.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import { valueOr } from '../../../state/loadable.ts';
import { ArrowDown, ArrowUp, CircleAlert, Rows3, SlidersHorizontal } from 'lucide-react';
import { visibleLine } from '../../../../shared/errors/errors.ts';
import { noSynonyms } from '../../../../shared/channels/channels.ts';
import { fieldSearch } from '../../datasets/field-options.ts';
import { SearchBox } from '../../../ui/search-box.tsx';
import { SelectBox } from '../../../ui/select-box.tsx';
import { columnProblemText, recordValueText, TimeExamples, ColumnFormat } from './column-format.tsx';
import type { MatchedColumn, UploadMatch } from '../../../../shared/upload/preview.ts';
import { ComboBox } from '../../../ui/combo-box.tsx';
import { PopupAt } from '../../../ui/popup.tsx';
import { words } from '../../../words/words.ts';
import { skipTarget, useTargets } from './targets.ts';
import { isObject, parseJson, stringifyJson, type JsonValue } from '../../../../shared/json.ts';
import { foldBy, foldColumn, type Fold } from '../../../../shared/upload/upload.ts';
import { TextField } from '../../../ui/text-field.tsx';

/** The place of issues with combined rows. */
const foldField = 'mapping.fold';
const perRow = 'row';
const perFile = 'file';
const columnOption = 'column ';
const defaultInto = 'data.stations';

function optionOf(fold: Fold): string {
  const column = foldColumn(fold);
  return column === null ? perFile : `${columnOption}${column}`;
}
const byOf = (option: string): Fold['by'] =>
  foldBy(option === perFile ? null : option.slice(columnOption.length));

function RecordsSelect() {
  const { actions } = useTab('upload');
  const match = useTabState('upload', (state) => state.match);
  const fold = useTabState('upload', (state) => state.choices.fold);
  const choose = (option: string) =>
    actions.combineRows(option === perRow ? null : { by: byOf(option), into: fold?.into ?? defaultInto });
  return (
    <SelectBox
      label={w.recordFor}
      value={fold ? optionOf(fold) : perRow}
      options={[
        { id: perRow, text: w.perRow },
        { id: perFile, text: w.perFile },
        ...(match.value?.columns ?? []).map(({ column }) => ({
          id: `${columnOption}${column}`,
          text: w.perValue(column),
        })),
      ]}
      onChange={choose}
    />
  );
}

function CombinedRows() {
  const { choices, match } = useUploadParts('choices', 'match');
  const { fold } = choices;
  if (!match.value || !fold) return null;
  const { issues, folded } = match.value;
  return (
    <div className="max-page stack gap-3">
      <IntoField key={fold.into} fold={fold} />
      <Issues issues={issues.filter(({ place }) => place?.field === foldField)} />
      {folded && <FirstRecord folded={folded} into={fold.into} />}
    </div>
  );
}

const Issues = ({ issues }: { issues: UploadMatch['issues'] }) =>
  issues.length > 0 && (
    <Alert tone="error">
      {issues.map(({ message }) => (
        <p key={message}>{message}</p>
      ))}
    </Alert>
  );

/** The path of the list. The columns are matched again with it, so it is submitted on blur. */
function IntoField({ fold }: { fold: Fold }) {
  const { actions } = useTab('upload');
  const [text, setText] = useState(fold.into);
  const submit = () => {
    const into = text.trim();
    if (into !== '' && into !== fold.into) actions.combineRows({ ...fold, into });
  };
  return (
    <Form onSubmit={submit}>
      <TextField
        label={w.into}
        name="into"
        value={text}
        onChange={setText}
        onBlur={submit}
        mono
        note={w.intoNote}
      />
    </Form>
  );
}

function FirstRecord({ folded, into }: { folded: NonNullable<UploadMatch['folded']>; into: string }) {
  const { rows, records, firstRows, example, items } = folded;
  const more = firstRows - items;
  return (
    <div className="stack gap-0">
      <p>{w.folded(rows, records)}</p>
      {example === null ? (
        <p className="tone-error">{w.firstHasErrors}</p>
      ) : (
        // oxlint-disable-next-line no-noninteractive-tabindex -- long lines scroll, by keyboard too
        <pre className="code-text" aria-label={w.firstRecord} tabIndex={0}>
          {recordText(example, into, more > 0 ? w.moreItems(more) : null)}
        </pre>
      )}
    </div>
  );
}

const indent = (depth: number): string => '  '.repeat(depth);

/**
 * A record as text: each field, and each item of its list, on a line of its own.
 * @param json the record with the first items of its list
 * @param afterItems the line after these items; null: there are no more
 */
export function recordText(json: string, into: string, afterItems: string | null): string {
  const textOf = (value: JsonValue, path: readonly string[]): string => {
    const before = indent(path.length);
    const within = indent(path.length + 1);
    if (Array.isArray(value) && path.join('.') === into) {
      const lines = [
        ...value.map((item) => stringifyJson(item)),
        ...(afterItems === null ? [] : [afterItems]),
      ];
      return `[\n${lines.map((line) => within + line).join('\n')}\n${before}]`;
    }
    if (!isObject(value)) return stringifyJson(value);
    const fields = Object.entries(value);
    const lines = fields.map(([name, field]) => `${within}${name}: ${textOf(field, [...path, name])}`);
    return `{\n${lines.join('\n')}\n${before}}`;
  };
  return textOf(parseJson(json), []);
}

const columnFilters = ['all', 'unmapped', 'problems'] as const;
type ColumnFilter = (typeof columnFilters)[number];

type ColumnSort = 'column' | 'type' | 'target';

export interface ColumnView {
  readonly search: string;
  readonly filter: ColumnFilter;
  /** Null: as in the file. */
  readonly sort: { readonly by: ColumnSort; readonly isDescending: boolean } | null;
}

export interface ListedColumn {
  readonly column: MatchedColumn;
  readonly type: ColumnType | undefined;
  /** Number of blank cells and null values. */
  readonly nulls: number;
  /** Whether the user decided its target, or that it is skipped. */
  readonly isChosen: boolean;
}

/** Whether a column goes nowhere, or is kept under its own name because nothing matched it. */
const isUnmapped = ({ column: { column, to, joinedTo }, isChosen }: ListedColumn): boolean =>
  to === null ? joinedTo === null : !isChosen && to !== column && to.startsWith('data.');

const hasProblem = ({ problem, to, examples }: MatchedColumn): boolean =>
  problem !== null || (to !== null && examples.some((example) => example.problem !== null));

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const textOf = ({ column: { column, to }, type }: ListedColumn, by: ColumnSort): string => {
  if (by === 'column') return column;
  return by === 'type' ? (type ?? '') : (to ?? '');
};

/** The keys of the columns to show, in order. */
export function shownColumns(
  columns: readonly ListedColumn[],
  { search, filter, sort }: ColumnView,
): string[] {
  const matches = fieldSearch(search, noSynonyms);
  const fitting = columns.filter((row) => {
    const { column, to } = row.column;
    if (!matches(to ?? '', [column])) return false;
    if (filter === 'unmapped') return isUnmapped(row);
    return filter === 'all' || hasProblem(row.column);
  });
  const sign = sort?.isDescending ? -1 : 1;
  const sorted = sort
    ? fitting.toSorted((a, b) => sign * collator.compare(textOf(a, sort.by), textOf(b, sort.by)))
    : fitting;
  return sorted.map(({ column }) => column.column);
}

/** The order after a click on a header: ascending, descending, then as in the file. */
export function nextSort(sort: ColumnView['sort'], by: ColumnSort): ColumnView['sort'] {
  if (sort?.by !== by) return { by, isDescending: false };
  return sort.isDescending ? null : { by, isDescending: true };
}

/** A button that opens all settings of a column, with examples. */
function ColumnDetails({ column }: { column: MatchedColumn }) {
  const name = column.column;
  const { actions } = useTab('upload');
  const isFocused = useTabState('upload', (state) => state.focusedColumn === name);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  // The column has to be in view before the popup is positioned.
  useLayoutEffect(() => {
    if (isFocused) button.current?.scrollIntoView({ block: 'center' });
  }, [isFocused]);
  const close = () => {
    setOpen(false);
    actions.clearFocus();
  };
  return (
    <>
      <Button
        ref={button}
        variant="quiet"
        size="small"
        icon={SlidersHorizontal}
        className="quiet"
        aria-label={w.change(name)}
        aria-haspopup="dialog"
        onPress={() => setOpen(true)}
      />
      {(isOpen || isFocused) && (
        <PopupAt at={button} heading={w.change(name)} placement="left top" isWide onClose={close}>
          <ColumnForm column={column} onDone={close} />
        </PopupAt>
      )}
    </>
  );
}

function ColumnForm({ column, onDone }: { column: MatchedColumn; onDone: () => void }) {
  const { actions } = useTab('upload');
  const name = column.column;
  const chosen = useTabState('upload', ({ choices }) => Object.hasOwn(choices.columns, name));
  return (
    <div className="stack gap-3">
      <Target column={column} />
      <MatchList column={column} />
      {column.to !== null && <ColumnFormat column={column} />}
      {column.problem !== null && column.problemOf === null && <Alert tone="error">{column.problem}</Alert>}
      {column.unitWarning !== undefined && <Alert tone="warning">{column.unitWarning}</Alert>}
      {column.reading?.as === 'time' ? <TimeExamples column={column} /> : <Examples column={column} />}
      <div className="row wrap">
        <Button onPress={onDone}>{words.close}</Button>
        {chosen && (
          <Button variant="quiet" onPress={() => actions.mapColumn(name, null)}>
            {w.reset}
          </Button>
        )}
      </div>
    </div>
  );
}

function Target({ column: { column, to, problem, problemOf } }: { column: MatchedColumn }) {
  const targets = useTargets();
  return (
    <ComboBox
      label={w.target}
      value={to ?? skipTarget}
      text={targets.textOf(to)}
      find={targets.find}
      allowsCustom
      onSelect={(target) => targets.select(column, target)}
      note={w.targetNote}
      problem={problemOf === 'to' ? (problem ?? undefined) : undefined}
    />
  );
}

function Examples({ column }: { column: MatchedColumn }) {
  if (column.examples.length === 0) return null;
  return (
    <table className="table upload-examples small numbers">
      <thead>
        <tr>
          <th scope="col">{w.inFile}</th>
          <th scope="col">{w.inRecord}</th>
        </tr>
      </thead>
      <tbody>
        {column.examples.map(({ line, cell, value, problem }) => (
          <tr key={line}>
            <td>{cell}</td>
            <td>
              {problem === null ? (
                recordValueText(value, column)
              ) : (
                <span className="tone-error">{problem}</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const samples = 3;
const everything: ColumnView = { search: '', filter: 'all', sort: null };

function useListedColumns(): readonly ListedColumn[] {
  const { match, inspection, proposals } = useUploadParts('match', 'inspection', 'proposals');
  const chosen = useTabState('upload', (state) => state.choices.columns);
  return useMemo(() => {
    const inspected = valueOr(inspection, null)?.columns ?? [];
    return (match.value?.columns ?? []).map((column, at) => ({
      column,
      type: inspected[at]?.type,
      nulls: inspected[at]?.nulls ?? 0,
      isChosen: Object.hasOwn(chosen, column.column) && !isNewField(proposals, column),
    }));
  }, [match, inspection, chosen, proposals]);
}

function ColumnTable() {
  const { actions } = useTab('upload');
  const listed = useListedColumns();
  const focused = useTabState('upload', (state) => state.focusedColumn);
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
        <h2>{w.heading}</h2>
        <SearchBox
          className="max-field"
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
        <FirstRowsButton />
      </div>
      <CombinedRows />
      <table className="table upload-table upload-columns-table sticky-head" aria-rowcount={rows.length + 1}>
        <TableHead rows={rows} view={view} onSort={show} />
        {/* oxlint-disable-next-line no-noninteractive-element-interactions -- it only follows keys of controls in it */}
        <tbody onKeyDown={moveBetweenRows}>
          {Array.from({ length: Math.ceil(rows.length / blockRows) }, (_, at) => (
            <RowBlock key={at} rows={rows} from={at * blockRows} onToggle={toggle} />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="quiet">{w.noneShown}</p>}
    </>
  );
}

function FirstRowsButton() {
  const { actions } = useTab('upload');
  const isPreviewShown = useTabState('upload', (state) => state.isPreviewShown);
  return (
    <Button
      variant="quiet"
      icon={Rows3}
      className="upload-first-rows push"
      aria-expanded={isPreviewShown}
      onPress={actions.togglePreview}
    >
      {w.firstRows}
    </Button>
  );
}

interface TableHeadProps {
  readonly rows: readonly ListedColumn[];
  readonly view: ColumnView;
  readonly onSort: (view: ColumnView) => void;
}

function TableHead({ rows, view, onSort }: TableHeadProps) {
  const { actions } = useTab('upload');
  const keys = rows.map(({ column }) => column.column);
  return (
    <thead>
      <tr>
        <th scope="col">
          <IncludeAll rows={rows} onChange={(isIncluded) => actions.includeColumns(keys, isIncluded)} />
        </th>
        <SortHeader by="column" view={view} onSort={onSort} />
        <th scope="col" className="upload-samples">
          {w.firstValues}
        </th>
        <SortHeader by="type" view={view} onSort={onSort} />
        <SortHeader by="target" view={view} onSort={onSort} />
        <th scope="col">{w.unit}</th>
        <th scope="col">{w.formatHeader}</th>
        <th scope="col">{w.becomes}</th>
        <th scope="col">
          <span className="visually-hidden">{w.details}</span>
        </th>
      </tr>
    </thead>
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
        className="cell-button ellipsis round"
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

type OnToggle = (column: string, isIncluded: boolean, isRange: boolean) => void;

interface RowBlockProps {
  readonly rows: readonly ListedColumn[];
  readonly from: number;
  readonly onToggle: OnToggle;
}

const blockRows = 30;

/** Some rows. From the second block on, they are drawn when they come near the view, and stay. */
function RowBlock({ rows, from, onToggle }: RowBlockProps) {
  const blockOfRows = rows.slice(from, from + blockRows);
  const [isDrawn, setDrawn] = useState(from === 0);
  const isLedTo = useTabState('upload', ({ focusedColumn }) =>
    blockOfRows.some(({ column }) => column.column === focusedColumn),
  );
  const place = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    const row = place.current;
    if (isDrawn || !row) return undefined;
    const near = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setDrawn(true),
      { root: row.closest('.upload-step'), rootMargin: '50%' },
    );
    near.observe(row);
    return () => near.disconnect();
  }, [isDrawn]);
  if (isLedTo && !isDrawn) setDrawn(true);
  if (!isDrawn)
    return <tr ref={place} aria-hidden style={{ height: `calc(${blockOfRows.length} * var(--row))` }} />;
  return blockOfRows.map((row, at) => (
    <ColumnRow key={row.column.column} row={row} index={from + at} onToggle={onToggle} />
  ));
}

function ColumnRow({ row, index, onToggle }: { row: ListedColumn; index: number; onToggle: OnToggle }) {
  const { column, type, nulls } = row;
  const { examples, to } = column;
  const [first] = examples;
  const exampleProblem = examples.find(({ problem }) => problem !== null)?.problem ?? null;
  const format = useTabState('upload', ({ choices }) => choices.columns[column.column]?.format);
  const problem = columnProblemText(column, format) ?? (to === null ? null : exampleProblem);
  const isRange = useRef(false);
  const isUsed = isIncluded(row);
  const values = examples
    .slice(0, samples)
    .map(({ cell }) => cell.trim())
    .join(' · ');
  const value = first && to !== null ? recordValueText(first.value, column) : '';
  return (
    <tr data-left-out={isUsed ? undefined : ''} aria-rowindex={index + 2}>
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

const w = uploadWords.columns;

export function ColumnsStep() {
  const { match, dataset, origin } = useUploadParts('match', 'dataset', 'origin');
  const { actions } = useTab('upload');
  if (match.error)
    return <ConnectionFailed error={match.error} onRetry={() => dataset && actions.setDataset(dataset)} />;
  if (!match.value) return <Loading what={w.matching} />;
  const { fields } = match.value;
  // Problems of combined rows are shown beside that choice.
  const issues = match.value.issues.filter(({ place }) => place?.field !== foldField);
  const missing = missingFields(match.value).map(({ path }) => fieldName(path));
  return (
    <div className="upload-step stack gap-4 full pad-3 scroll">
      {origin && <Alert tone="info">{w.origin(origin.file)}</Alert>}
      <EarlierMappingNote />
      <UnitDifferences />
      <WellQuestionAlert />
      <section aria-label={w.fields}>
        <div className="row wrap">
          <h2>{w.fields}</h2>
          <Status className={missing.length > 0 ? 'tone-error' : 'quiet'}>
            {missing.length > 0 ? w.missing(missing.join(', ')) : w.filled}
          </Status>
          <TemplateBar />
        </div>
        <ul className="upload-fields">
          {fields.map((field) => (
            <FieldRow key={field.path} field={field} />
          ))}
        </ul>
        <Issues issues={issues} />
      </section>
      <WellNamesSection />
      <section aria-label={w.heading}>
        <ColumnTable />
        <NullsField />
      </section>
    </div>
  );
}

function UnitDifferences() {
  const differences = useTabState('upload', (state) => state.unitDifferences);
  if (differences.length === 0) return null;
  return (
    <Alert tone="warning">
      <p>{w.otherUnits.heading}</p>
      <ul>
        {differences.map(({ column, before, now, isConverted }) => (
          <li key={column}>
            {now === null
              ? w.otherUnits.missing(column, symbolText(before))
              : w.otherUnits.differs(column, symbolText(now), symbolText(before), isConverted)}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

function EarlierMappingNote() {
  const { actions } = useTab('upload');
  const earlier = useTabState('upload', (state) => state.earlierMapping);
  if (!earlier) return null;
  return (
    <Alert tone="info" actions={<Button onPress={actions.undoEarlierMapping}>{w.undoEarlierMapping}</Button>}>
      {'template' in earlier ? w.templateMapping(earlier.template) : w.lastMapping(earlier.file)}
    </Alert>
  );
}
