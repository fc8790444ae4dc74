import { createStore } from 'zustand/vanilla';
import type { Calculation, CalculatedColumn } from '../../../shared/calculated/calculated.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { datasetShapes, depthPath } from '../../../shared/datasets/shapes.ts';
import type { DatasetType } from '../../../shared/datasets/datasets.ts';
import type { CalculatedFacts } from '../records/calculated-pages.ts';
import type { Records } from '../records/records.ts';
import type { ColumnHead, ColumnKind } from '../records/table.ts';

export interface CalculatedState {
  /** As the person wrote them, in order. */
  readonly columns: readonly CalculatedColumn[];
  /** What the current result says of them, by path id. */
  readonly facts: ReadonlyMap<string, CalculatedFacts>;
}

interface CalculatedDependencies {
  /** The known units of the result's other columns, by path id. */
  readonly units: () => ReadonlyMap<string, string>;
  /** Called when their values or units may have changed. */
  readonly onChange: () => void;
}

export type CalculatedColumns = ReturnType<typeof createCalculatedColumns>;

const numberKinds: ReadonlySet<ColumnKind> = new Set(['integer', 'number', 'mixed', 'empty']);
/** What tells series apart: wells, and logs of a well. */
const seriesPaths: ReadonlySet<string> = new Set([
  'asset_id',
  'metadata.asset_id',
  'metadata_asset_id',
  'log_identifier',
]);
const isTime = ({ kind }: ColumnHead): boolean => kind === 'time' || kind === 'date';
/** Values at the edge of what is loaded change when more is. */
const settleMs = 400;

/** What expressions over the columns of a result can use. */
export function calculationOf(
  heads: readonly ColumnHead[],
  columns: readonly CalculatedColumn[],
  { units, type }: { readonly units: ReadonlyMap<string, string>; readonly type: DatasetType | null },
): Calculation {
  const calculatedIds = new Set(columns.map(({ name }) => pathId([name])));
  const stored = heads.filter(({ path, kind }) => kind !== 'well' && !calculatedIds.has(pathId(path)));
  const ids = new Set(stored.map(({ path }) => pathId(path)));
  const indexField = type && datasetShapes[type].indexField;
  const along = stored.find((head) => isTime(head) || pathId(head.path) === depthPath);
  return {
    columns: [...columns],
    fields: stored.map((head) => {
      const id = pathId(head.path);
      const unit = units.get(id);
      return {
        id,
        values: isTime(head) ? 'time' : numberKinds.has(head.kind) ? 'number' : 'other',
        ...(unit === undefined ? {} : { unit }),
      };
    }),
    index:
      indexField !== null && ids.has(indexField)
        ? indexField
        : along === undefined
          ? null
          : pathId(along.path),
    series: [...ids].filter((id) => seriesPaths.has(id)),
  };
}

/** The calculated columns of a tab's results. They stay when the query runs again. */
export function createCalculatedColumns(
  { type }: { readonly type: DatasetType | null },
  { units, onChange }: CalculatedDependencies,
) {
  const store = createStore<CalculatedState>()(() => ({ columns: [], facts: new Map() }));
  let records: Records | null = null;
  let stopGrowth: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastFields = '';

  /** Calculates them in the current result, if what they are calculated of has changed. */
  async function update(): Promise<void> {
    const of = records;
    const { columns } = store.getState();
    if (!of || (columns.length === 0 && lastFields === '')) return;
    const next = calculationOf(of.shape().columns, columns, { units: units(), type });
    const fields = columns.length === 0 ? '' : JSON.stringify(next);
    if (fields === lastFields) return;
    lastFields = fields;
    try {
      const facts = await of.calculate(columns.length === 0 ? null : next);
      if (of !== records || fields !== lastFields) return;
      store.setState({ facts: new Map(facts.map((fact) => [pathId([fact.name]), fact])) });
      onChange();
    } catch {
      // The result was released, or its failure is shown in its place.
    }
  }

  /** More rows: further fields, and values that need them. */
  function onGrow(): void {
    if (store.getState().columns.length === 0) return;
    void update();
    if (![...store.getState().facts.values()].some(({ needsRowsBefore }) => needsRowsBefore)) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, settleMs);
  }

  return {
    store,
    actions: {
      /** Calculates them in another result; null: there is none. */
      async show(next: Records | null): Promise<void> {
        clearTimeout(timer);
        stopGrowth?.();
        records = next;
        lastFields = '';
        let held = next?.shape().held;
        stopGrowth =
          next?.onGrow((shape) => {
            if (shape.held === held) return;
            held = shape.held;
            onGrow();
          }) ?? null;
        await update();
      },
      /** Replaces the columns. */
      async set(columns: readonly CalculatedColumn[]): Promise<void> {
        store.setState({ columns });
        await update();
      },
      update,
    },
  };
}
