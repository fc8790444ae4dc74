import { nullsOf } from '../../../shared/upload/null-tokens.ts';
import { datasetShapes } from '../../../shared/datasets/shapes.ts';
import type { DatasetAddress, DatasetType } from '../../../shared/datasets/datasets.ts';
import { AppError, type Issue } from '../../../shared/errors/errors.ts';
import type { StoredUnits } from '../../../shared/datasets/fields.ts';
import type { FileWarning, Mapping } from '../../../shared/upload/upload.ts';
import type { ColumnFacts, Scan } from '../tables/tables.ts';
import { rowsInWords, append } from '../../../shared/lists.ts';
import { midnightWarning } from './date-and-time.ts';
import { foldRule, itemColumns, type Folding } from './fold.ts';
import { decideConversion, fileFacts } from './decide.ts';
import { renamedField } from './default-paths.ts';
import {
  columnsInWords,
  columnsList,
  matchColumns,
  sharedFields,
  skippedWellNames,
  type Match,
} from './match.ts';
import type { ColumnRule, Rules } from './plan.ts';
import { assetPaths, parseTarget } from '../records/targets.ts';
import { unitOfNewField } from './unit-warnings.ts';
import type { RepeatedTimes } from './repeated-times.ts';

export interface PlanRulesInput {
  readonly scan: Scan;
  readonly mapping: Mapping;
  readonly address: DatasetAddress;
  /** Null: the service has an unknown type. */
  readonly type: DatasetType | null;
  /** Asset ids by column, then by name or API number. */
  readonly assets: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** How rows are combined into records; null or absent: each row is a record. */
  readonly folding?: Folding | null | undefined;
  /** The local times that occur twice; absent: not determined yet. */
  readonly repeatedTimes?: readonly RepeatedTimes[] | undefined;
  /** Whether records need a well although their type doesn't, because those of the dataset have one. */
  readonly requiresWell?: boolean;
  /** The units of the dataset's fields; absent: they aren't read yet. */
  readonly storedUnits?: StoredUnits | undefined;
}

/** The paths of a record that a dataset of a type requires. */
export const requiredPaths = (type: DatasetType | null): readonly string[] =>
  type === null ? ['version'] : datasetShapes[type].required;

/** The path of the well that records need although their type doesn't require it; null: none. */
export function wellOfRecords({
  type,
  requiresWell,
}: Pick<PlanRulesInput, 'type' | 'requiresWell'>): string | null {
  const well = type === null ? 'asset_id' : datasetShapes[type].scopeField;
  return requiresWell === true && !requiredPaths(type).includes(well) ? well : null;
}

/** The default version as JSON text. */
export const assumedVersion = '1';

/** A constant as JSON text; an issue if its path has another type. */
function constantJson(
  to: string,
  value: string | number | boolean,
): { path: string[]; json: string } | Issue {
  const target = parseTarget(to);
  const place = { field: `mapping.constants.${to}` };
  if (typeof target === 'string') return { message: `${target}.`, place };
  const path = [...target.path];
  const whole = target.kind === 'integer' || target.kind === 'asset' || target.kind === 'timestamp';
  if (whole && !(typeof value === 'number' && Number.isSafeInteger(value)))
    return { message: `The constant ${to} must be a whole number, not ${JSON.stringify(value)}.`, place };
  if (target.kind === 'number' && !(typeof value === 'number' && Number.isFinite(value)))
    return { message: `The constant ${to} must be a number, not ${JSON.stringify(value)}.`, place };
  if ((target.kind === 'identifier' || target.kind === 'datetime') && typeof value !== 'string')
    return { message: `The constant ${to} must be text in quotes, not ${JSON.stringify(value)}.`, place };
  return { path, json: JSON.stringify(value) };
}

/** A mapping that would add a missing field, with columns of the file where one can be suggested. */
function exampleMapping(missing: readonly string[], { layout, columns }: Scan): string {
  const named = (path: string): string => {
    const index = columns.findIndex((facts) =>
      path === 'timestamp' ? facts.counts.time > 0 : path === 'measured_depth' && facts.counts.number > 0,
    );
    return layout.columns[index]?.key ?? 'Name';
  };
  const well = missing.find((path) => assetPaths.includes(path));
  const whole = missing.filter((path) => path !== well);
  const parts = [
    ...(whole.length > 0
      ? [
          `"columns": {${whole.map((path) => `${JSON.stringify(named(path))}: {"to": "${path}"}`).join(', ')}}`,
        ]
      : []),
    ...(well === undefined ? [] : [`"constants": {"${well}": 1001}`]),
  ];
  return `{${parts.join(', ')}}`;
}

function missingIssue(
  missing: readonly string[],
  { scan, address, type, requiresWell = false }: PlanRulesInput,
): Issue {
  const lacksWell = missing.some((path) => assetPaths.includes(path));
  return {
    message:
      (lacksWell && requiresWell
        ? `Every sampled record of ${address.provider}/${address.dataset} has a well. `
        : '') +
      `${address.provider}/${address.dataset} (${type ?? 'of unknown type'}) needs ${missing.join(', ')}, but the file has no such column. ` +
      `The file has ${columnsInWords(scan.layout.columns)}. Name the column in a mapping file, or set a constant, for example ${exampleMapping(missing, scan)}.` +
      (lacksWell ? ' On the command line, --well sets the well of all rows.' : '') +
      (lacksWell && requiresWell
        ? ' To store records without a well, set "withoutWell": true in the mapping file.'
        : ''),
    place: { field: 'mapping' },
    lists: { missing: [...missing], ...columnsList(scan.layout.columns) },
  };
}

/** Rows with a blank well get the well of a constant. */
function blankWells(match: Match, { counts, firsts }: ColumnFacts, { constants }: Mapping): FileWarning[] {
  const constant = constants[match.path.join('.')];
  const blanks = counts.empty + counts.null_word;
  if (match.kind !== 'asset' || constant === undefined || blanks === 0) return [];
  const message = `Column “${match.column}” is blank in ${rowsInWords(blanks)}, stored under ${match.path.join('.')} ${constant}.`;
  const line = firsts.empty?.line ?? null;
  return [{ code: 'blank_wells', message, line, column: match.column, count: blanks }];
}

function columnRules(
  matches: readonly Match[],
  input: PlanRulesInput,
): { rules: ColumnRule[]; warnings: FileWarning[]; issues: Issue[]; newUnits: Record<string, string> } {
  const { scan, mapping, assets, storedUnits } = input;
  const rules: ColumnRule[] = [];
  const warnings: FileWarning[] = [];
  const issues: Issue[] = [];
  const newUnits: Record<string, string> = {};
  const file = fileFacts(scan, mapping.exceptionShare, input);
  for (const match of matches) {
    const decided = decideConversion(match, file, assets[match.column]);
    if ('message' in decided) issues.push(decided);
    else {
      rules.push({
        index: match.index,
        ...(match.join.length > 0 ? { join: [...match.join] } : {}),
        column: match.column,
        path: [...match.path],
        conversion: decided.conversion,
      });
      const unit = storedUnits ? unitOfNewField(match, decided.conversion, storedUnits) : null;
      if (unit !== null) newUnits[match.path.join('.')] = unit;
      const midnight = midnightWarning(match, decided.conversion, scan, mapping);
      append(warnings, decided.warnings);
      if (midnight) warnings.push(midnight);
    }
    const column = scan.layout.columns[match.index];
    const renamed = column && match.isDefault ? renamedField(column, match.path) : null;
    if (renamed) warnings.push(renamed);
    const facts = scan.columns[match.index];
    if (facts) append(warnings, blankWells(match, facts, mapping));
    if (match.path[0] === 'company_id') {
      const message = `Column “${match.column}” is sent as company_id, which the service may refuse or replace.`;
      warnings.push({ code: 'company_id', message, line: null, column: match.column, count: scan.rows });
    }
  }
  return { rules, warnings, issues, newUnits };
}

interface PlannedRules {
  readonly rules: Rules;
  readonly warnings: FileWarning[];
  /** The units in which fields are stored that the dataset doesn't have yet, by path. */
  readonly newUnits: Readonly<Record<string, string>>;
}

/**
 * Determines how rows become records. `version` (specification, section 2.1) is required but rarely in a file: without
 * a column or constant it is 1, with a warning.
 * @throws AppError invalid_input with all errors and missing fields; nothing has been sent then
 */
export function planRules(input: PlanRulesInput): PlannedRules {
  const { scan, mapping, type, folding } = input;
  const items = folding ? itemColumns(scan, folding, type, mapping) : [];
  const matches = matchColumns(scan.layout.columns, mapping, items);
  const { rules: columns, warnings, issues, newUnits } = columnRules(matches, input);
  const warn = (code: FileWarning['code'], message: string, column?: string): void =>
    void warnings.push({
      code,
      message,
      line: null,
      count: scan.rows,
      ...(column !== undefined && { column }),
    });
  for (const field of sharedFields(matches))
    warn('columns_merged', `${field.message}. Rows in which they differ are rejected.`, field.columns.at(-1));
  const fold = folding ? foldRule(folding, scan.layout, matches) : undefined;
  if (Array.isArray(fold)) append(issues, fold);
  const constants: Rules['constants'] = [];
  for (const [to, value] of Object.entries(mapping.constants)) {
    const constant = constantJson(to, value);
    if ('message' in constant) issues.push(constant);
    else constants.push(constant);
  }
  const well = wellOfRecords(input);
  const isWithoutWell = mapping.withoutWell === true;
  const required = [...requiredPaths(type), ...(well !== null && !isWithoutWell ? [well] : [])];
  const filledPaths = new Set([...matches, ...constants].map(({ path }) => path.join('.')));
  if (!filledPaths.has('version')) {
    constants.push({ path: ['version'], json: assumedVersion });
    warn('version_assumed', `version isn't mapped; ${assumedVersion} is used.`);
  }
  for (const { key } of skippedWellNames(scan.layout.columns, mapping))
    warn(
      'well_names_skipped',
      `Column “${key}” isn't stored: it follows the asset ID like the well names of an export. Map it to a field to store it.`,
      key,
    );
  if (well !== null && isWithoutWell && !filledPaths.has(well))
    warn(
      'without_well',
      `Records are stored without a well, as confirmed, although every sampled record of ${input.address.provider}/${input.address.dataset} has one.`,
    );
  const missing = required.filter((path) => path !== 'version' && !filledPaths.has(path));
  if (missing.length > 0) issues.push(missingIssue(missing, input));
  if (columns.length === 0 && issues.length === 0)
    issues.push({
      message: `No column of the file is mapped. The file has ${columnsInWords(scan.layout.columns)}. Name them in the mapping, or set "rest": "data".`,
      place: { field: 'mapping' },
      lists: columnsList(scan.layout.columns),
    });
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
  return {
    rules: {
      columns,
      constants,
      nulls: nullsOf(mapping),
      required: required.map((path) => path.split('.')),
      ...(fold && !Array.isArray(fold) ? { fold } : {}),
    },
    warnings,
    newUnits,
  };
}
