import { hash } from 'node:crypto';
import { parseJson, stringifyJson } from '../../../../shared/json.ts';
import { createRecordWriter } from '../record-writer.ts';
import type { Rules } from '../../tables/model/rules.ts';
import type { FileRow } from '../../tables/reading/rows.ts';

/** Maximum number of rows that are remembered; after them only consecutive rows are compared. */
const maxKeys = 1_000_000;

/** A 53-bit number for a text; of a million texts the chance that two share one is 1 in 18,000. */
function hashOf(text: string): number {
  const bytes = hash('md5', text, 'buffer');
  return bytes.readUIntBE(0, 6) * 32 + (bytes.readUInt8(6) >> 3);
}

/** The same text for numbers that differ only in notation, such as 1000 and 1000.0. */
const plainNotation = (record: string): string =>
  /:-?\d+[.eE]/.test(record) ? stringifyJson(parseJson(record)) : record;

/** Finds rows with the same well and the same time or depth as an earlier row of the file. */
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
      fold: undefined,
    };
    this.#keyOf = createRecordWriter(few, columns, { blankRows: true });
  }

  /** Whether an earlier record has the same well and index. @throws SyntaxError if its record isn’t JSON */
  add(rows: readonly FileRow[]): boolean {
    const written = this.#keyOf(rows);
    if ('problems' in written) return false;
    const hash = hashOf(plainNotation(written.record));
    const isRepeated = hash === this.#last || this.#seen.has(hash);
    this.#last = hash;
    if (this.#seen.size < maxKeys) this.#seen.add(hash);
    return isRepeated;
  }
}
