import { pathId } from '../../../shared/column-paths.ts';
import type { SqlAnswer } from '../../../shared/sql/sql.ts';
import type { CalculatedFacts } from '../records/calculated-pages.ts';

/** A column that a summary or a statement computes of a field, or that is calculated of others. */
interface ComputedColumn {
  /** The field whose unit it has; null: none. */
  readonly unitPath: string | null;
  /** Whether its last digits are those of a division, not of measured values. */
  readonly isRounded: boolean;
}

/** The computed columns of a summary by path; empty: the request is none. */
export type ComputedColumns = ReadonlyMap<string, ComputedColumn>;

/**
 * The units of a result.
 * @param units those of its dataset, by path
 * @param computed the columns that have the units of their fields
 * @param calculated the calculated columns of the result before, whose figures it can have
 * @returns both, by path
 */
export const unitsWithComputed = (
  units: ReadonlyMap<string, string>,
  computed: ComputedColumns,
  calculated: ReadonlyMap<string, CalculatedFacts> = new Map(),
): ReadonlyMap<string, string> =>
  computed.size === 0
    ? units
    : new Map([
        ...units,
        ...[...computed].flatMap(([path, { unitPath }]) => {
          const unit =
            unitPath === null
              ? undefined
              : (units.get(unitPath) ?? calculated.get(unitPath)?.unit ?? undefined);
          return unit === undefined ? [] : [[path, unit] as const];
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
