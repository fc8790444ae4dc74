import { createBatchBuilder, valueKinds } from '../../shared/quality/batch.ts';
import { defaultChecks } from '../../shared/quality/check-options.ts';
import { channelLimits } from '../../shared/quality/channel-limits.ts';
import { createQualityCheck } from '../../shared/quality/engine.ts';
import { bookkeepingFields, seriesName } from '../../shared/quality/record-fields.ts';
import type { QualityReport } from '../../shared/quality/report.ts';
import { instantOf } from '../../shared/instants.ts';
import { isNullName } from '../../shared/upload/null-tokens.ts';
import { isUnder } from '../export/records/columns.ts';
import { type PathTree } from '../export/records/path-tree.ts';
import { leafFrom, leafTo, textIn, type ScannedPage } from '../export/records/scan.ts';
import { decimalAt } from '../export/records/typed-columns.ts';
import type { CheckSpec } from './plan.ts';

/** Number of records that are checked together: few enough for the processor's cache. */
const batchRows = 4096;

/** What a value is for, by the path of its node. */
const roles = { unknown: -1, ignored: -2, index: -3, well: -4, log: -5 } as const;

/** Texts longer than this, with quotes, aren't null tokens. */
const maxTokenBytes = 10;

/** Checks the records of pages, in order. */
export interface RecordCheck {
  add(page: ScannedPage, records: readonly number[]): void;
  report(): QualityReport;
}

/** Creates a check of records whose paths are in a tree. */
export function createRecordCheck(spec: CheckSpec, tree: PathTree): RecordCheck {
  const builder = createBatchBuilder(batchRows);
  const { index, wellFields, logField, fields, units, spikeThreshold, ...rest } = spec;
  const synonyms = new Map(spec.synonyms);
  const check = createQualityCheck({
    ...rest,
    index,
    limitsOf: (field) => channelLimits(field, units[field] ?? null, synonyms),
    unitOf: (field) => units[field] ?? null,
    checks: defaultChecks(index?.kind ?? 'rows', spikeThreshold),
  });
  /** The column of each node, or one of {@link roles}. */
  let columnOf = new Int32Array(256).fill(roles.unknown);
  /** The last well and log, which most records repeat. */
  const last = { well: '', log: '', series: 0 };
  let hasSeries = false;

  function roleOf(node: number): number {
    if (node >= columnOf.length) {
      const larger = new Int32Array(Math.max(node + 1, columnOf.length * 2)).fill(roles.unknown);
      larger.set(columnOf);
      columnOf = larger;
    }
    const known = columnOf[node] ?? roles.unknown;
    if (known !== roles.unknown) return known;
    const path = tree.nodes[node]?.path ?? '';
    const role = newRole(path);
    columnOf[node] = role;
    return role;
  }

  function newRole(path: string): number {
    if (path === index?.field) return roles.index;
    if (wellFields.includes(path)) return roles.well;
    if (path === logField) return roles.log;
    if (bookkeepingFields.has(path) || (fields.length > 0 && !fields.some((field) => isUnder(path, field))))
      return roles.ignored;
    return builder.column(path);
  }

  function addValue(column: number, page: ScannedPage, start: number, end: number): void {
    const code = page.bytes[start];
    if (code === 34) {
      const isToken = end - start <= maxTokenBytes && isNullName(textIn(page, start + 1, end - 1));
      builder.kind(column, isToken ? valueKinds.token : valueKinds.text);
    } else if (code === 110) builder.kind(column, valueKinds.null);
    else if (code === 116 || code === 102) builder.kind(column, valueKinds.boolean);
    else if (code === 123 || code === 91) builder.kind(column, valueKinds.nested);
    else builder.number(column, decimalAt(page, start, end));
  }

  function indexAt(page: ScannedPage, start: number, end: number): number {
    const code = page.bytes[start];
    if (code === 34) return index?.kind === 'time' ? instantOf(textIn(page, start + 1, end - 1)) : Number.NaN;
    return code === 45 || (code !== undefined && code >= 48 && code <= 57)
      ? decimalAt(page, start, end)
      : Number.NaN;
  }

  function addRecord(page: ScannedPage, record: number): void {
    const { leaves } = page;
    const to = leafTo(page, record);
    let at = Number.NaN;
    let well = '';
    let log = '';
    for (let leaf = leafFrom(page, record); leaf < to; leaf += 3) {
      const node = leaves[leaf] ?? 0;
      const start = leaves[leaf + 1] ?? 0;
      const end = leaves[leaf + 2] ?? 0;
      const role = columnOf[node] ?? roles.unknown;
      const column = role === roles.unknown ? roleOf(node) : role;
      if (column >= 0) addValue(column, page, start, end);
      else if (column === roles.index) at = indexAt(page, start, end);
      else if (column === roles.well) well = nameAt(page, start, end);
      else if (column === roles.log) log = nameAt(page, start, end);
    }
    if (!hasSeries || well !== last.well || log !== last.log) {
      hasSeries = true;
      Object.assign(last, { well, log, series: builder.series(seriesName(well, log)) });
    }
    builder.endRow(at, last.series);
  }

  function flush(): void {
    if (builder.rows === 0) return;
    check.add(builder.batch(), builder.seriesNames);
    builder.clear();
  }

  return {
    add(page, records) {
      for (const record of records) {
        addRecord(page, record);
        if (builder.isFull) flush();
      }
    },
    report() {
      flush();
      return check.report();
    },
  };
}

/** A name or an id as text; empty for null. */
function nameAt(page: ScannedPage, start: number, end: number): string {
  if (page.bytes[start] === 110) return '';
  return page.bytes[start] === 34 ? String(JSON.parse(textIn(page, start, end))) : textIn(page, start, end);
}
