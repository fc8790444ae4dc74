import { createRecordWriter } from '../mapping/record-writer.ts';
import type { Rules } from '../model/rules.ts';
import type { FileRow } from '../reading/rows.ts';

/** So many rows are remembered; behind them only rows that follow one another are compared. */
const maxKeys = 1_000_000;

/** A 53-bit number for a text; of a million texts the chance that two share one is 1 in 18,000. */
function hashOf(text: string): number {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 2_654_435_761);
    high = Math.imul(high ^ code, 1_597_334_677);
  }
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & high) + (low >>> 0);
}

/** Finds rows at whose place, the same well and the same time or depth, an earlier row of the file stands. */
export class RepeatedRows {
  readonly #seen = new Set<number>();
  readonly #keyOf: ReturnType<typeof createRecordWriter>;
  #last = Number.NaN;

  /** @param key the paths of well and index @param columns of the file */
  constructor(rules: Rules, key: readonly (readonly string[])[], columns: number) {
    const names = new Set(key.map((path) => path.join('.')));
    const isKey = ({ path }: { readonly path: readonly string[] }): boolean => names.has(path.join('.'));
    const few: Rules = {
      ...rules,
      columns: rules.columns.filter(isKey),
      constants: rules.constants.filter(isKey),
      required: [],
    };
    this.#keyOf = createRecordWriter(few, columns, { blankRows: true });
  }

  /** Whether an earlier row stands at the place of this one. */
  add(row: FileRow): boolean {
    const written = this.#keyOf(row);
    if ('problems' in written) return false;
    const hash = hashOf(written.record);
    const isRepeated = hash === this.#last || this.#seen.has(hash);
    this.#last = hash;
    if (this.#seen.size < maxKeys) this.#seen.add(hash);
    return isRepeated;
  }
}
