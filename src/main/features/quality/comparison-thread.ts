import type { ComparedSide, Comparison } from '../../../shared/quality/comparison.ts';
import type { CallContext } from '../../../shared/threads.ts';
import { createPathTree } from '../../core/records/path-tree.ts';
import { PageReader, type PageToRead, type Survey } from '../../core/reading/reading.ts';
import { createComparison } from './compare.ts';
import { createComparedReader } from './compared-records.ts';
import type { ComparisonSpec } from './quality-plan.ts';
import { measuredFields } from './record-roles.ts';
import { spoolFile, type FileExtent, type FileToCompare, type SpooledFile } from './spooled-file.ts';

interface OpenSide {
  readonly pages: PageReader;
  readonly records: ReturnType<typeof createComparedReader>;
  /** Records of other times, in milliseconds, are left out; null: none. */
  readonly times: { readonly from: number; readonly to: number } | null;
}

/** The calls of the thread that compares records. */
export function createComparisonCalls() {
  let spec: ComparisonSpec | null = null;
  let comparison: ReturnType<typeof createComparison> | null = null;
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

  function opened(): {
    readonly spec: ComparisonSpec;
    readonly comparison: ReturnType<typeof createComparison>;
  } {
    if (!spec || !comparison) throw new Error('the comparison is not open');
    return { spec, comparison };
  }

  function openSide(side: ComparedSide): OpenSide {
    const open = sides[side];
    if (!open) throw new Error('the side is not open');
    return open;
  }

  return {
    compare(wanted: ComparisonSpec): void {
      spec = wanted;
      const { index, shift, tolerance, units } = wanted;
      const unitOf = (field: string): string | null => units[field] ?? null;
      comparison = createComparison({
        index,
        shift,
        tolerance,
        names,
        unitOf,
        fields: measuredFields(wanted),
      });
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
    /** Compares what is there. Returns the side to read next; null: the comparison is complete. */
    advance: (): ComparedSide | null => opened().comparison.advance(),
    comparison: (): Comparison => opened().comparison.result(),
  };
}
