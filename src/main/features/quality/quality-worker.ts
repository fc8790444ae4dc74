import { valueUnder } from '../../../shared/json.ts';
import { type QualityReport, seriesName } from '../../../shared/quality/quality-report.ts';
import { serveUses } from '../../world/threads.ts';
import { appErrorFrom } from '../../core/files/file-errors.ts';
import { isUnder } from '../../core/records/columns.ts';
import {
  createPathTree,
  type PathTree,
  leafFrom,
  leafTo,
  textIn,
  type ScannedPage,
} from '../../core/records/scan.ts';
import { PageReader, type PageToRead, type Survey } from '../../core/reading/reading.ts';
import { checkFile, type FileCheckRequest } from './check-file.ts';
import type { CheckSpec, ComparisonSpec } from './quality-plan.ts';
import { createBatchBuilder, valueKinds } from '../../../shared/quality/batch.ts';
import { channelLimits } from '../../../shared/channels/channels.ts';
import { createQualityCheck } from '../../../shared/quality/engine.ts';
import { isNullName } from '../../../shared/upload/null-tokens.ts';
import { decimalAt } from '../../core/records/decimal.ts';
import { createRoleOf, indexAt, measuredFields, nameAt, roles } from './record-roles.ts';
import type { ComparedSide, Comparison } from '../../../shared/quality/comparison.ts';
import type { CallContext } from '../../../shared/threads.ts';
import { createComparison } from './compare.ts';
import { createComparedReader } from './compared-records.ts';
import { spoolFile, type FileExtent, type FileToCompare, type SpooledFile } from './spooled-file.ts';

// The thread that checks records, so the main thread never stalls.

interface OpenSide {
  readonly pages: PageReader;
  readonly records: ReturnType<typeof createComparedReader>;
  /** Records of other times, in milliseconds, are left out; null: none. */
  readonly times: { readonly from: number; readonly to: number } | null;
}

function createComparisonCalls() {
  let current: {
    readonly spec: ComparisonSpec;
    readonly comparison: ReturnType<typeof createComparison>;
  } | null = null;
  const sides: Partial<Record<ComparedSide, OpenSide>> = {};
  let file: SpooledFile | null = null;
  /** The columns of the fields of both sides. */
  const columns = new Map<string, number>();
  const names: string[] = [];
  function columnOf(path: string): number {
    const index = columns.get(path);
    if (index !== undefined) return index;
    const column = names.push(path) - 1;
    columns.set(path, column);
    return column;
  }

  function opened(): NonNullable<typeof current> {
    if (!current) throw new Error('the comparison is not open');
    return current;
  }

  function openSide(side: ComparedSide): OpenSide {
    const open = sides[side];
    if (!open) throw new Error('the side is not open');
    return open;
  }

  return {
    compare(spec: ComparisonSpec): void {
      const unitOf = (field: string): string | null => valueUnder(spec.units, field) ?? null;
      const comparison = createComparison({ ...spec, names, unitOf, fields: measuredFields(spec) });
      current = { spec, comparison };
    },
    /** Starts the pages of a side. @param isOfFile whether its query is that of the file */
    openSide({
      side,
      rule,
      isOfFile,
    }: {
      readonly side: ComparedSide;
      readonly rule: Survey['rule'];
      readonly isOfFile: boolean;
    }): void {
      const tree = createPathTree();
      sides[side] = {
        pages: new PageReader({ rule, tree }),
        records: createComparedReader(opened().spec, tree, columnOf),
        times: isOfFile ? (file?.extent.range?.times ?? null) : null,
      };
    },
    readSide: ({ side, ...page }: PageToRead & { readonly side: ComparedSide }) =>
      openSide(side).pages.read(page),
    /** Adds the records of the page that was read last. */
    addToSide({ side }: { readonly side: ComparedSide }): void {
      const { pages, records: reader, times } = openSide(side);
      pages.use(({ page, records }) => {
        const all = reader.read(page, records);
        const ofFile = times ? all.filter(({ at }) => !(at < times.from || at > times.to)) : all;
        opened().comparison.add(side, ofFile);
      });
    },
    endSide({ side }: { readonly side: ComparedSide }): void {
      opened().comparison.end(side, side === 'source' ? file?.extent.rejected : 0);
    },
    /** Reads the file that is the source. */
    spoolFile(request: FileToCompare, { emit }: CallContext<number>): FileExtent {
      file = spoolFile(request, columnOf, emit);
      return file.extent;
    },
    /** Starts the records of the file. @param places the file of their places, in the order of their index */
    openFile({ places }: { readonly places: string }): void {
      file?.open(places);
    },
    /** Adds the next records of the file. Returns whether there were any. */
    addFromFile(): boolean {
      const records = file?.next() ?? [];
      opened().comparison.add('source', records);
      return records.length > 0;
    },
    close(): void {
      file?.close();
      file = null;
    },
    /** Compares the records read so far. Returns the side to read next; null: the comparison is complete. */
    advance: (): ComparedSide | null => opened().comparison.advance(),
    comparison: (): Comparison => opened().comparison.result(),
  };
}

/** Texts longer than this, with quotes, aren't null tokens. */
const maxTokenBytes = 11;

/** Checks the records of pages, in order. */
export interface RecordCheck {
  add(page: ScannedPage, records: readonly number[]): void;
  report(): QualityReport;
}

function addValue(
  builder: ReturnType<typeof createBatchBuilder>,
  column: number,
  page: ScannedPage,
  start: number,
  end: number,
): void {
  const code = page.bytes[start];
  if (code === 34) {
    const isToken = end - start <= maxTokenBytes && isNullName(textIn(page, start + 1, end - 1));
    builder.kind(column, isToken ? valueKinds.token : valueKinds.text);
  } else if (code === 110) builder.kind(column, valueKinds.null);
  else if (code === 116 || code === 102) builder.kind(column, valueKinds.boolean);
  else if (code === 123 || code === 91) builder.kind(column, valueKinds.nested);
  else builder.number(column, decimalAt(page, start, end));
}

/** Creates a check of records whose paths are in a tree. */
export function createRecordCheck(spec: CheckSpec, tree: PathTree): RecordCheck {
  const builder = createBatchBuilder();
  const { index, units, spikeThreshold, minFlatRecords, ...rest } = spec;
  const unitOf = (field: string): string | null => valueUnder(units, field) ?? null;
  const synonyms = new Map(spec.synonyms);
  const check = createQualityCheck({
    ...rest,
    index,
    limitsOf: (field) => channelLimits(field, unitOf(field), synonyms),
    unitOf,
    checks: { spikeThreshold, minFlatRecords },
  });
  const roleOf = createRoleOf(spec, tree, (path) => builder.column(path));
  /** The last well and log, which most records repeat. */
  const last = { well: '', log: '', series: 0 };
  let hasSeries = false;

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
      if (column >= 0) addValue(builder, column, page, start, end);
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
