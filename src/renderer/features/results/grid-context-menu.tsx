import {
  ArrowDownNarrowWide,
  ArrowUpNarrowWide,
  Calculator,
  ChartLine,
  Copy,
  EyeOff,
  Filter,
  ListTree,
  Pin,
  PinOff,
  Ruler,
  Sigma,
  Trash2,
} from 'lucide-react';
import { useStore } from 'zustand';
import { shownUnits } from '../../../shared/channels/unit-systems.ts';
import { shownUnit } from '../../../shared/channels/units.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { isMeasured } from '../../../shared/datasets/shapes.ts';
import type { JsonValue } from '../../../shared/json.ts';
import { useTab, useTabState } from '../../contexts.ts';
import type { Icon } from '../../ui/button.tsx';
import { ContextMenu } from '../../ui/context-menu.tsx';
import { type CellSelection, countRows, type GridPlace, isSelected } from '../../ui/grid/index.ts';
import type { MenuChoice } from '../../ui/menu-button.tsx';
import { words } from '../../words/words.ts';
import { copyFormats } from '../records/row-writer.ts';
import { isNested, type ColumnHead, type ColumnKind } from '../records/table.ts';
import { assetPathOf } from '../records/well-names.ts';
import { isPlottable, plotField } from './plot/plot-field.ts';
import type { Result } from './results.ts';
import { useSynonyms } from '../settings/use-synonyms.ts';
import { useCopy } from './use-copy.ts';
import { useColumns } from './use-shape.ts';
import type { VisibleRows } from './visible-rows.ts';

/** What the form of calculated columns edits; `of` null: a new column. */
export interface CalculatedFormPlace {
  readonly of: string | null;
  readonly start: string;
}

interface GridContextMenuProps {
  readonly place: GridPlace;
  readonly result: Result;
  readonly rows: VisibleRows;
  /** The pinned columns, by id. */
  readonly pinned: readonly string[];
  /** The selected cells; null: at most one. */
  readonly selected: CellSelection | null;
  /** Opens the form for the stored unit of a field, by its dotted path. */
  readonly onSetUnit: (path: string) => void;
  /** Opens the form of a calculated column, or of a new one that begins with a column. */
  readonly onCalculate: (form: CalculatedFormPlace) => void;
  readonly onClose: () => void;
}

/** The units to select for a column. @param shown the current one, if it isn't the stored one */
function unitChoices(stored: string | undefined, shown: string | undefined) {
  const [currentUnit, ...otherUnits] = stored === undefined ? [] : shownUnits(stored);
  if (!currentUnit) return [];
  return [currentUnit, ...otherUnits]
    .filter(({ symbol }) => symbol !== (shown ?? currentUnit.symbol))
    .map((unit) => ({
      symbol: unit.symbol,
      text: words.results.menu.showIn(shownUnit(unit), unit === currentUnit),
    }));
}

/** Columns whose values repeat. */
const countedKinds: ReadonlySet<ColumnKind> = new Set(['text', 'boolean', 'integer', 'well']);

/** The text that a new expression begins with: the column, if it has numbers. */
function startOf({ path, kind }: ColumnHead): string {
  const name = path.at(-1) ?? '';
  if (kind !== 'number' && kind !== 'integer') return '';
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `"${pathId(path)}"`;
}

/** The actions of a cell, its row, and its column, or of a column header. */
export function GridContextMenu(props: GridContextMenuProps) {
  const { place, result, rows, pinned, selected, onSetUnit, onCalculate, onClose } = props;
  const results = useTab('results');
  const { actions, calculated } = results;
  const calculatedColumns = useStore(calculated.store, (state) => state.columns);
  const view = useTabState('results', (state) => state.grid);
  const columns = useColumns(result.held);
  const { onSort, onFilter, onSummarize, meanGroups = [] } = useTab('links');
  const copy = useCopy(result);
  const changes = useTab('changes');
  const synonyms = useSynonyms();
  const units = useTabState('results', (state) => state.units);
  const { row, column: id } = place;
  const column = columns.find(({ path }) => pathId(path) === id);
  if (!column) return null;
  // The names of wells stand for asset ids in a query.
  const queried = assetPathOf(column);
  const dotted = queried.join('.');
  const ownName = calculatedColumns.find(({ name }) => pathId([name]) === id)?.name;
  const isOfFind = result.asked.kind === 'find';
  const canChangeQuery = isOfFind && ownName === undefined;
  const inPipeline = ownName === undefined ? null : calculated.actions.inPipeline(ownName);
  const measured =
    ownName === undefined || inPipeline === null
      ? { path: dotted }
      : { path: ownName, calculated: inPipeline };
  const hasMeasurements = isMeasured(column.path, [column.kind]);
  const canAverage = isOfFind && (ownName === undefined ? hasMeasurements : inPipeline !== null);
  const say = words.results.menu;
  const acts = new Map<string, () => void>();
  const item = (text: string, icon: Icon, act: () => void): MenuChoice => {
    acts.set(text, act);
    return { id: text, text, icon };
  };

  const filter = async (value: JsonValue) => {
    if (onFilter && !(await onFilter(dotted, value))) actions.showNotice(words.results.notFiltered);
  };
  const cellItems = (at: number): MenuChoice[] => {
    const cell = rows.cell(pathId(queried), at);
    const canFilter = canChangeQuery && onFilter !== undefined;
    // The menu of a selected cell applies to the selection.
    const cells =
      selected && isSelected(selected, { row: at, column: id })
        ? selected
        : { rows: [{ from: at, to: at + 1 }], columns: null };
    const [rowCount, columnCount] = [countRows(cells.rows), cells.columns?.length ?? null];
    return [
      item(say.record, ListTree, () => void actions.select(at)),
      item(say.copyCell, Copy, () => void copy.cell(at, column)),
      ...(canFilter && cell !== undefined && !isNested(cell)
        ? [item(say.filter, Filter, () => void filter(cell))]
        : []),
      ...copyFormats.map((format) =>
        item(say.copyRows(rowCount, columnCount, format), Copy, () => void copy.rows(cells, format)),
      ),
    ];
  };
  const arrangePinned = (next: string[]) => actions.arrange({ pinned: next }, { pinned: [...pinned] });
  const columnItems = (): MenuChoice[] => [
    ...(canChangeQuery && onSort
      ? [
          item(say.ascending, ArrowUpNarrowWide, () => onSort(dotted, 'ascending')),
          item(say.descending, ArrowDownNarrowWide, () => onSort(dotted, 'descending')),
        ]
      : []),
    item(say.summary, Sigma, () => actions.showSummary(queried)),
    ...(canAverage && onSummarize
      ? meanGroups.map(({ text, groups }) =>
          item(text, Sigma, () => onSummarize({ measures: [{ kind: 'mean', ...measured }], groups })),
        )
      : []),
    ...(canChangeQuery && onSummarize && countedKinds.has(column.kind)
      ? [
          item(words.summary.countByValue, Sigma, () =>
            onSummarize({ measures: [], groups: [{ path: dotted, step: null }] }),
          ),
        ]
      : []),
    ...(isPlottable(column)
      ? [item(say.plot, ChartLine, () => plotField(results, columns, id, synonyms))]
      : []),
    pinned.includes(id)
      ? item(say.unpin, PinOff, () => arrangePinned(pinned.filter((other) => other !== id)))
      : item(say.pin, Pin, () => arrangePinned([...pinned, id])),
    item(say.hide, EyeOff, () => actions.arrange({ hidden: [...view.hidden, id] })),
    ...unitChoices(units.get(dotted), changes[id]?.to).map(({ symbol, text }) =>
      item(text, Ruler, () => actions.arrange({ units: { ...view.units, [id]: symbol } })),
    ),
    ...(canChangeQuery && hasMeasurements ? [item(say.setUnit, Ruler, () => onSetUnit(dotted))] : []),
    ...(ownName === undefined
      ? []
      : [
          item(say.editCalculated, Calculator, () => onCalculate({ of: ownName, start: '' })),
          item(say.removeCalculated, Trash2, () => {
            void calculated.actions.set(calculatedColumns.filter(({ name }) => name !== ownName));
          }),
        ]),
    item(say.calculate, Calculator, () => onCalculate({ of: null, start: startOf(column) })),
    item(say.copyColumn, Copy, () => void copy.column(column.path)),
    item(say.copyPath, Copy, () => void copy.text(dotted)),
  ];
  return (
    <ContextMenu
      label={say.label}
      at={place.at}
      parts={[
        ...(row === null ? [] : [{ id: 'cell', heading: say.cellHeading, items: cellItems(row) }]),
        { id: 'column', heading: dotted, items: columnItems() },
      ]}
      onSelect={(key) => acts.get(key)?.()}
      onClose={onClose}
    />
  );
}
