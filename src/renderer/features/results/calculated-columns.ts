import { createStore } from 'zustand/vanilla';
import { readyColumns } from '../../../shared/calculated/compile.ts';
import type { JsonValue } from '../../../shared/json.ts';
import type { Calculation, CalculatedColumn } from '../../../shared/calculated/calculated.ts';
import { pathId } from '../../../shared/column-paths.ts';
import {
  datasetShapes,
  depthPath,
  type DatasetType,
  indexFieldOf,
} from '../../../shared/datasets/datasets.ts';
import type { CalculatedFacts } from '../records/calculated-pages.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import type { Records } from '../records/records.ts';
import { areWells, isTime, type ColumnHead, type ColumnKind } from '../records/table.ts';
import type { SortDirection } from './grid-columns.ts';
import type { Result } from './results.ts';
import type { SqlAnswer } from '../../../shared/sql/sql.ts';
import { words } from '../../words/words.ts';
import { isTemperature } from '../../../shared/channels/units.ts';
import { isWellColumn } from '../../../shared/wells/wells.ts';

export interface CalculatedState {
  /** As the person wrote them, in order. */
  readonly columns: readonly CalculatedColumn[];
  /** What the current result says of them, by path id. */
  readonly facts: ReadonlyMap<string, CalculatedFacts>;
  /** What no column of the current result tells apart, so that rows before may be those of another one. */
  readonly merged: 'wells' | 'logs' | null;
}

interface CalculatedDependencies {
  /** The known units of the result's other columns, by path id. */
  readonly units: () => ReadonlyMap<string, string>;
  /** Called when their values or units may have changed. */
  readonly onChange: () => void;
}

const numberKinds: ReadonlySet<ColumnKind> = new Set(['integer', 'number', 'mixed', 'empty']);
/** Whether a column tells wells or their logs apart. */
const isOfSeries = (head: ColumnHead): boolean => {
  const name = head.path.at(-1) ?? '';
  return name === datasetShapes.depth.indexScope || areWells(name, head);
};
const maxSeries = 5;
/** Values at the edge of what is loaded change when more is. */
const settleMs = 400;

interface CalculatedOf {
  readonly units: ReadonlyMap<string, string>;
  readonly type: DatasetType | null;
  /** The sort of a find by dotted path; empty: unknown. */
  readonly sorts: Sorts;
  /** Whether the service computes them; to it, times stored as text aren’t numbers. */
  readonly isInPipeline?: boolean;
}
type Sorts = ReadonlyMap<string, SortDirection>;
const unsorted: Sorts = new Map();

function orderOf(sorts: Sorts, index: string | null, series: readonly string[]): Calculation['order'] {
  if (sorts.size === 0) return 'unknown';
  const [path, direction] = [...sorts].find(([path]) => !series.includes(path)) ?? [];
  return direction !== undefined && path === index ? direction : 'none';
}

/** What expressions over the columns of a result can use. */
export function calculationOf(
  heads: readonly ColumnHead[],
  columns: readonly CalculatedColumn[],
  { units, type, sorts, isInPipeline = false }: CalculatedOf,
): Calculation {
  const calculatedIds = new Set(columns.map(({ name }) => pathId([name])));
  const stored = heads.filter(({ path, kind }) => kind !== 'well' && !calculatedIds.has(pathId(path)));
  const ids = new Set(stored.map(({ path }) => pathId(path)));
  const indexField = indexFieldOf(type);
  const along = stored.find((head) => isTime(head) || pathId(head.path) === depthPath);
  const index =
    indexField !== null && ids.has(indexField) ? indexField : along === undefined ? null : pathId(along.path);
  const series = stored.filter(isOfSeries).map(({ path }) => pathId(path));
  return {
    columns: [...columns],
    fields: stored.map((head) => {
      const id = pathId(head.path);
      const unit = units.get(id);
      return {
        id,
        values: (isInPipeline ? head.kind === 'time' : isTime(head))
          ? 'time'
          : numberKinds.has(head.kind)
            ? 'number'
            : 'other',
        ...(unit === undefined ? {} : { unit }),
      };
    }),
    index,
    order: orderOf(sorts, index, series),
    series: series.slice(0, maxSeries),
  };
}

/** What a result has several of without a column that identifies them; null: nothing. */
export function mergedSeriesOf(
  { series }: Pick<Calculation, 'series'>,
  type: DatasetType | null,
): CalculatedState['merged'] {
  const names = series.map((id) => id.split('.').at(-1) ?? id);
  if (!names.some(isWellColumn)) return 'wells';
  const scope = type && datasetShapes[type].indexScope;
  return scope === null || names.includes(scope) ? null : 'logs';
}

export const withoutProblem = ({ columns, facts }: CalculatedState): readonly CalculatedColumn[] =>
  columns.filter(({ name }) => (facts.get(pathId([name]))?.problem ?? null) === null);

/** Why a column has no values; null: it may have some. */
export const emptyReason = ({ problem, isOutOfReach }: CalculatedFacts): string | null =>
  problem ?? (isOutOfReach ? words.results.outOfReach : null);

/** Sentences that say which columns have no values, and why. */
export const emptyTexts = ({ facts }: Pick<CalculatedState, 'facts'>): string[] =>
  [...facts.values()].flatMap((fact) => {
    const reason = emptyReason(fact);
    return reason === null ? [] : [words.results.calculatedEmpty(fact.name, reason)];
  });

/** Calculated columns stay when the query runs again. */
export function createCalculatedColumns(
  { type }: { readonly type: DatasetType | null },
  { units, onChange }: CalculatedDependencies,
) {
  const store = createStore<CalculatedState>()(() => ({ columns: [], facts: new Map(), merged: null }));
  let records: Records | null = null;
  let sorts = unsorted;
  let stopGrowth: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastFields = '';
  let calculation = Promise.resolve();
  const task = createLatestTask();

  /** Calculates them in the current result, if what they are calculated of has changed, and waits for them. */
  async function update(): Promise<void> {
    const of = records;
    const { columns } = store.getState();
    if (!of || (columns.length === 0 && lastFields === '')) return;
    const next = calculationOf(of.shape().columns, columns, { units: units(), type, sorts });
    const fields = columns.length === 0 ? '' : JSON.stringify(next);
    if (fields === lastFields) return calculation;
    lastFields = fields;
    calculation = task.run(() => of.calculate(columns.length === 0 ? null : next), {
      onDone(facts) {
        store.setState({
          facts: new Map(facts.map((fact) => [pathId([fact.name]), fact])),
          merged: mergedSeriesOf(next, type),
        });
        onChange();
      },
      // The result was released, or its failure is shown in its place.
      onFailed: () => undefined,
      onCanceled: () => undefined,
    });
    return calculation;
  }

  /** More rows: further fields, and values that need them. */
  function onGrow(): void {
    if (store.getState().columns.length === 0) return;
    void update();
    if (![...store.getState().facts.values()].some(({ needsRowsBefore }) => needsRowsBefore)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      // What can't be calculated yet is said again.
      lastFields = '';
      void update();
    }, settleMs);
  }

  const actions = {
    /** Calculates them in another result; null: there is none. @param nextSorts its sort, by dotted path */
    async show(next: Records | null, nextSorts = unsorted): Promise<void> {
      clearTimeout(timer);
      task.drop();
      stopGrowth?.();
      records = next;
      sorts = nextSorts;
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
    async set(columns: readonly CalculatedColumn[]): Promise<void> {
      store.setState({ columns });
      await update();
    },
    update,
    /** A column as an expression of a pipeline; null: a pipeline can't compute it. */
    inPipeline(name: string): JsonValue | null {
      const calculation = actions.current({ isInPipeline: true });
      const column = calculation && readyColumns(calculation).find((ready) => ready.name === name);
      return column?.compiled?.inPipeline ?? null;
    },
    /** What the columns without a problem are calculated of in the current result; null: there are none, or no result. */
    current: ({ isInPipeline = false } = {}): Calculation | null => {
      const columns = withoutProblem(store.getState());
      if (!records || columns.length === 0) return null;
      return calculationOf(records.shape().columns, columns, { units: units(), type, sorts, isInPipeline });
    },
  };
  return { store, actions };
}

/** A column that a summary or a statement computes of a field, or that is calculated of others. */
interface ComputedColumn {
  /** The field whose unit it has; null: none. */
  readonly unitPath: string | null;
  /** Whether it is a sum, which has none of an offset: a sum of temperatures would be converted wrongly. */
  readonly isSum?: boolean;
  /** Whether its last digits are those of a division, not of measured values. */
  readonly isRounded: boolean;
}

/** The computed columns of a summary by path; empty: the request is none. */
export type ComputedColumns = ReadonlyMap<string, ComputedColumn>;

/**
 * The units of a result.
 * @param units those of its dataset, by path
 * @param result its computed columns, which have the units of their fields, or none
 * @param calculated the calculated columns of the result before, whose figures it can have
 * @returns both, by path
 */
export const unitsWithComputed = (
  units: ReadonlyMap<string, string>,
  { computed, computesPath }: Pick<Result, 'computed' | 'computesPath'>,
  calculated: ReadonlyMap<string, CalculatedFacts> = new Map(),
): ReadonlyMap<string, string> =>
  new Map([
    ...[...units].filter(([path, unit]) => !computesPath?.(path, unit)),
    ...[...computed].flatMap(([path, { unitPath, isSum = false }]) => {
      const unit =
        unitPath === null ? undefined : (units.get(unitPath) ?? calculated.get(unitPath)?.unit ?? undefined);
      return unit === undefined || (isSum && isTemperature(unit)) ? [] : [[path, unit] as const];
    }),
  ]);

/** The units of a result with those of its calculated columns, by path. */
export const unitsWithCalculated = (
  units: ReadonlyMap<string, string>,
  calculated: ReadonlyMap<string, CalculatedFacts>,
): ReadonlyMap<string, string> =>
  calculated.size === 0
    ? units
    : new Map([
        ...units,
        ...[...calculated].flatMap(([id, { unit }]) => (unit === null ? [] : [[id, unit] as const])),
      ]);

/**
 * The columns of a result of SQL whose last digits are those of a calculation.
 * @param columns as the engine has them
 * @returns them by path
 */
export const computedBySql = (columns: SqlAnswer['columns']): ComputedColumns =>
  new Map(
    columns.flatMap(({ name, isComputed }) =>
      isComputed ? [[pathId([name]), { unitPath: null, isRounded: true }] as const] : [],
    ),
  );

/**
 * The units of a result of SQL, which has none of the dataset's: a column of the same name can be computed.
 * @param columns as the engine has them
 * @returns units by path
 */
export const unitsOfSql = (columns: SqlAnswer['columns']): ReadonlyMap<string, string> =>
  new Map(columns.flatMap(({ name, unit }) => (unit === null ? [] : [[pathId([name]), unit] as const])));
