import { type QualityReport, seriesName } from '../../../shared/quality/quality-report.ts';
import { serveUses } from '../../world/threads.ts';
import { appErrorFrom } from '../../core/files/file-errors.ts';
import { isUnder } from '../../core/records/columns.ts';
import { createPathTree, type PathTree } from '../../core/records/path-tree.ts';
import { PageReader, type PageToRead, type Survey } from '../../core/reading/reading.ts';
import { checkFile, type FileCheckRequest } from './check-file.ts';
import { createComparisonCalls } from './comparison-thread.ts';
import type { CheckSpec } from './quality-plan.ts';
import { createBatchBuilder, valueKinds } from '../../../shared/quality/batch.ts';
import { channelLimits } from '../../../shared/channels/channels.ts';
import { createQualityCheck } from '../../../shared/quality/engine.ts';
import { isNullName } from '../../../shared/upload/null-tokens.ts';
import { leafFrom, leafTo, textIn, type ScannedPage } from '../../core/records/scanned-page.ts';
import { decimalAt } from '../../core/records/decimal.ts';
import { createRoleOf, indexAt, measuredFields, nameAt, roles } from './record-roles.ts';

// The thread that checks records, so the main thread never stalls.

/** Texts longer than this, with quotes, aren't null tokens. */
const maxTokenBytes = 10;

/** Checks the records of pages, in order. */
export interface RecordCheck {
  add(page: ScannedPage, records: readonly number[]): void;
  report(): QualityReport;
}

/** Creates a check of records whose paths are in a tree. */
export function createRecordCheck(spec: CheckSpec, tree: PathTree): RecordCheck {
  const builder = createBatchBuilder();
  const { index, units, spikeThreshold, minFlatRecords, ...rest } = spec;
  const synonyms = new Map(spec.synonyms);
  const check = createQualityCheck({
    ...rest,
    index,
    limitsOf: (field) => channelLimits(field, units[field] ?? null, synonyms),
    unitOf: (field) => units[field] ?? null,
    checks: { spikeThreshold, minFlatRecords },
  });
  const roleOf = createRoleOf(spec, tree, (path) => builder.column(path));
  /** The last well and log, which most records repeat. */
  const last = { well: '', log: '', series: 0 };
  let hasSeries = false;

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
      const column = roleOf(node);
      if (column >= 0) addValue(column, page, start, end);
      else if (column === roles.index) at = indexAt(index, page, start, end);
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
      const { columns } = builder.batch();
      // Records without a requested field have no value of it.
      for (const field of measuredFields(spec))
        if (!columns.some(({ name }) => isUnder(name, field))) builder.column(field);
      check.add(builder.batch(), builder.seriesNames);
      return check.report();
    },
  };
}

function createQualityCalls() {
  let opened: { readonly check: RecordCheck; readonly pages: PageReader } | null = null;

  function openCheck(): NonNullable<typeof opened> {
    if (!opened) throw new Error('the check is not open');
    return opened;
  }

  return {
    /** Starts a check of the pages of a dataset. */
    open({ spec, rule }: { readonly spec: CheckSpec; readonly rule: Survey['rule'] }): void {
      const tree = createPathTree();
      opened = {
        check: createRecordCheck(spec, tree),
        pages: new PageReader({ rule, tree }),
      };
    },
    read: (page: PageToRead) => openCheck().pages.read(page),
    /** Checks the records of the page that was read last. */
    check(): void {
      const { check, pages } = openCheck();
      pages.use(({ page, records }) => check.add(page, records));
    },
    report: (): QualityReport => openCheck().check.report(),
    file: (request: FileCheckRequest): QualityReport => checkFile(request),
    ...createComparisonCalls(),
  };
}
export type QualityCalls = ReturnType<typeof createQualityCalls>;

serveUses(createQualityCalls, appErrorFrom);
