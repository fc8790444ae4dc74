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
import type { Icon } from '../../ui/button.tsx';
import { ContextMenu } from '../../ui/context-menu.tsx';
import type { GridPlace } from '../../ui/grid/index.ts';
import type { MenuPart } from '../../ui/menu-button.tsx';
import { words } from '../../words/words.ts';
import type { Grouping } from '../../../shared/language/text/summary.ts';
import type { QueryLinks } from './links.ts';
import type { CopyFormat } from '../records/row-writer.ts';

export type GridMenuAct =
  | {
      readonly act:
        | 'ascending'
        | 'descending'
        | 'hide'
        | 'pin'
        | 'unpin'
        | 'summary'
        | 'countByValue'
        | 'filter'
        | 'plot'
        | 'record'
        | 'setUnit'
        | 'calculate'
        | 'editCalculated'
        | 'removeCalculated';
    }
  | { readonly act: 'unit'; readonly symbol: string }
  | { readonly act: 'mean'; readonly groups: readonly Grouping[] }
  | { readonly act: 'copy'; readonly what: 'cell' | 'path' | 'column' }
  | { readonly act: 'copy'; readonly what: 'rows'; readonly format: CopyFormat };

export interface GridMenuProps {
  readonly place: GridPlace;
  /** The dotted path of the column. */
  readonly path: string;
  readonly pinned: boolean;
  readonly canSort: boolean;
  readonly canFilter: boolean;
  readonly canPlot: boolean;
  /** Whether its stored unit can be set. */
  readonly canSetUnit: boolean;
  /** Whether it is calculated of others. */
  readonly isCalculated: boolean;
  /** The groups of which means are offered. */
  readonly meanGroups: NonNullable<QueryLinks['meanGroups']>;
  readonly canCount: boolean;
  /** The number of rows to copy, and of their columns; null: all. */
  readonly rows: number;
  readonly columns: number | null;
  /** The units in which the column can be shown beside the current one. */
  readonly units: readonly { readonly symbol: string; readonly text: string }[];
  readonly onAct: (act: GridMenuAct) => void;
  readonly onClose: () => void;
}

const formats = ['tsv', 'csv', 'json', 'markdown'] as const satisfies readonly CopyFormat[];

/** The actions of a cell, its row, and its column, or of a column header. */
export function GridMenu(props: GridMenuProps) {
  const {
    place,
    path,
    pinned,
    canSort,
    canFilter,
    canPlot,
    canSetUnit,
    isCalculated,
    meanGroups,
    canCount,
    rows,
    columns,
    units,
    onAct,
    onClose,
  } = props;
  const acts = new Map<string, GridMenuAct>();
  const item = (text: string, icon: Icon, act: GridMenuAct) => {
    const id = `${acts.size}`;
    acts.set(id, act);
    return { id, text, icon };
  };
  const say = words.results.menu;
  const cell = place.row !== null && [
    item(say.record, ListTree, { act: 'record' }),
    item(say.copyCell, Copy, { act: 'copy', what: 'cell' }),
    ...(canFilter ? [item(say.filter, Filter, { act: 'filter' })] : []),
    ...formats.map((format) =>
      item(say.copyRows(rows, columns, format), Copy, { act: 'copy', what: 'rows', format }),
    ),
  ];
  const column = [
    ...(canSort
      ? [
          item(say.ascending, ArrowUpNarrowWide, { act: 'ascending' }),
          item(say.descending, ArrowDownNarrowWide, { act: 'descending' }),
        ]
      : []),
    item(say.summary, Sigma, { act: 'summary' }),
    ...meanGroups.map(({ text, groups }) => item(text, Sigma, { act: 'mean', groups })),
    ...(canCount ? [item(words.summary.countByValue, Sigma, { act: 'countByValue' })] : []),
    ...(canPlot ? [item(say.plot, ChartLine, { act: 'plot' })] : []),
    pinned ? item(say.unpin, PinOff, { act: 'unpin' }) : item(say.pin, Pin, { act: 'pin' }),
    item(say.hide, EyeOff, { act: 'hide' }),
    ...units.map(({ symbol, text }) => item(text, Ruler, { act: 'unit', symbol })),
    ...(canSetUnit ? [item(say.setUnit, Ruler, { act: 'setUnit' })] : []),
    ...(isCalculated
      ? [
          item(say.editCalculated, Calculator, { act: 'editCalculated' }),
          item(say.removeCalculated, Trash2, { act: 'removeCalculated' }),
        ]
      : []),
    item(say.calculate, Calculator, { act: 'calculate' }),
    item(say.copyColumn, Copy, { act: 'copy', what: 'column' }),
    item(say.copyPath, Copy, { act: 'copy', what: 'path' }),
  ];
  const parts: MenuPart[] = [
    ...(cell ? [{ id: 'cell', heading: say.cellHeading, items: cell }] : []),
    { id: 'column', heading: path, items: column },
  ];
  return (
    <ContextMenu
      label={say.label}
      at={place.at}
      parts={parts}
      onSelect={(id) => {
        const act = acts.get(id);
        if (act) onAct(act);
      }}
      onClose={onClose}
    />
  );
}
