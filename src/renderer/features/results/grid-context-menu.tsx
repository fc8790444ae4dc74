import { useStore } from 'zustand';
import { shownUnits } from '../../../shared/channels/unit-systems.ts';
import { shownUnit } from '../../../shared/channels/units.ts';
import { type CellSelection, countRows, type GridPlace, isSelected } from '../../ui/grid/index.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { GridMenu, type GridMenuAct } from './grid-menu.tsx';
import { isPlottable, plotField } from './plot/plot-field.ts';
import type { Result } from './results.ts';
import type { VisibleRows } from './visible-rows.ts';
import { isMeasured } from '../../../shared/datasets/shapes.ts';
import { isNested, type ColumnHead, type ColumnKind } from '../records/table.ts';
import { assetPathOf } from '../records/well-names.ts';
import { useTab, useTabState } from '../../contexts.ts';
import { useCopy } from './use-copy.ts';
import { useColumns } from './use-shape.ts';
import { words } from '../../words/words.ts';

/** What the form of calculated columns edits; `of` null: a new column. */
export interface CalculatedFormPlace {
  readonly of: string | null;
  readonly start: string;
}

export interface GridContextMenuProps {
  readonly place: GridPlace;
  readonly answered: Result;
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

/** The menu of a cell or a column, with its actions. */
export function GridContextMenu(props: GridContextMenuProps) {
  const { place, answered, rows, pinned, selected, onSetUnit, onCalculate, onClose } = props;
  const results = useTab('results');
  const { actions, calculated } = results;
  const calculatedColumns = useStore(calculated.store, (state) => state.columns);
  const view = useTabState('results', (state) => state.grid);
  const columns = useColumns(answered.held);
  const { onSort, onFilter, onSummarize, meanGroups = [] } = useTab('links');
  const copy = useCopy(answered);
  const changes = useTab('changes');
  const units = useTabState('results', (state) => state.units);
  const shownColumn = columns.find(({ path }) => pathId(path) === place.column);
  if (!shownColumn) return null;
  const column = shownColumn;
  const { path } = column;
  // The names of wells stand for asset ids in a query.
  const queried = assetPathOf(column);
  const id = place.column;
  const dotted = queried.join('.');
  const ownName = calculatedColumns.find(({ name }) => pathId([name]) === id)?.name;
  const canChangeQuery = answered.asked.kind === 'find' && ownName === undefined;
  const canSummarize = canChangeQuery && onSummarize !== undefined;
  const calculatedInPipeline = ownName === undefined ? null : calculated.actions.inPipeline(ownName);
  const measured =
    ownName === undefined || calculatedInPipeline === null
      ? { path: dotted }
      : { path: ownName, calculated: calculatedInPipeline };
  const canAverage =
    onSummarize !== undefined &&
    answered.asked.kind === 'find' &&
    (ownName === undefined ? isMeasured(column.path, [column.kind]) : calculatedInPipeline !== null);
  // The menu of a selected cell applies to the selection.
  const chosen =
    place.row === null
      ? null
      : selected && isSelected(selected, { row: place.row, column: place.column })
        ? selected
        : { rows: [{ from: place.row, to: place.row + 1 }], columns: null };
  const cell = place.row === null ? undefined : rows.cell(pathId(queried), place.row);

  const filter = async () => {
    if (cell === undefined || isNested(cell) || !onFilter) return;
    if (!(await onFilter(dotted, cell))) actions.showNotice(words.results.notFiltered);
  };

  function act(wanted: GridMenuAct): void {
    switch (wanted.act) {
      case 'ascending':
      case 'descending':
        return onSort?.(dotted, wanted.act);
      case 'hide':
        return actions.arrange({ hidden: [...view.hidden, id] });
      case 'pin':
        return actions.arrange({ pinned: [...pinned, id] });
      case 'unpin':
        return actions.arrange({ pinned: pinned.filter((pinnedId) => pinnedId !== id) });
      case 'unit':
        return actions.arrange({ units: { ...view.units, [id]: wanted.symbol } });
      case 'setUnit':
        return onSetUnit(dotted);
      case 'calculate':
        return onCalculate({ of: null, start: startOf(column) });
      case 'editCalculated':
        return onCalculate({ of: ownName ?? null, start: '' });
      case 'removeCalculated':
        void calculated.actions.set(calculatedColumns.filter(({ name }) => name !== ownName));
        return undefined;
      case 'summary':
        return actions.showSummary(queried);
      case 'mean':
        return onSummarize?.({ measures: [{ kind: 'mean', ...measured }], groups: wanted.groups });
      case 'countByValue':
        return onSummarize?.({ measures: [], groups: [{ path: dotted, step: null }] });
      case 'plot':
        return plotField(results, columns, id);
      case 'record':
        void actions.select(place.row);
        return undefined;
      case 'filter':
        void filter();
        return undefined;
      case 'copy':
        if (wanted.what === 'rows') void copy.rows(chosen, wanted.format);
        else if (wanted.what === 'column') void copy.column(path);
        else if (wanted.what === 'path') void copy.text(dotted);
        else if (place.row !== null) void copy.cell(place.row, column);
        return undefined;
    }
  }
  return (
    <GridMenu
      place={place}
      path={dotted}
      pinned={pinned.includes(id)}
      canSort={canChangeQuery && onSort !== undefined}
      canFilter={canChangeQuery && onFilter !== undefined && cell !== undefined && !isNested(cell)}
      canPlot={isPlottable(column)}
      meanGroups={canAverage ? meanGroups : []}
      canCount={canSummarize && countedKinds.has(column.kind)}
      isCalculated={ownName !== undefined}
      canSetUnit={canChangeQuery && isMeasured(column.path, [column.kind])}
      rows={chosen ? countRows(chosen.rows) : 0}
      columns={chosen?.columns?.length ?? null}
      units={unitChoices(units.get(dotted), changes[id]?.to)}
      onAct={act}
      onClose={onClose}
    />
  );
}
