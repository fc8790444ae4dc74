import type { RecordLog } from './log.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { Run, Scope } from './run.ts';
import { byId, someRows } from './run.ts';
import { compareKeys } from './values.ts';

/**
 * The rows of one scope: those of the sample, and runs of inserted ones. A new run is merged with its neighbors only
 * while they are not much larger, so that n inserts cost n log n in total, in any order.
 */
export class Partition {
  readonly scope: Scope;
  readonly #log: RecordLog;
  #generated: Run[] = [];
  #inserted: Uint32Array[] = [];
  #ordinals: number[] = [];
  #views: readonly Run[] | undefined;

  constructor(scope: Scope, log: RecordLog) {
    this.scope = scope;
    this.#log = log;
  }

  /** Adds rows of the sample. */
  addGenerated(run: Run): void {
    this.#generated.push(run);
    this.#views = undefined;
  }

  /** Adds rows of the log by their numbers, in ascending order. */
  insert(ordinals: readonly number[]): void {
    for (const ordinal of ordinals) this.#ordinals.push(ordinal);
    const order = (a: number, b: number): number => compareKeys(this.#log.key(a), this.#log.key(b)) || a - b;
    let run = Uint32Array.from(ordinals).sort(order);
    for (
      let last = this.#inserted.at(-1);
      last && last.length <= 2 * run.length;
      last = this.#inserted.at(-1)
    ) {
      run = mergeSorted(last, run, order);
      this.#inserted.pop();
    }
    this.#inserted.push(run);
    this.#views = undefined;
  }

  /** Removes the rows that a function selects; returns their number. */
  remove(isRemoved: (record: JsonObject) => boolean): {
    readonly generated: number;
    readonly inserted: number;
  } {
    const stays = (ordinal: number): boolean => !isRemoved(this.#log.record(ordinal));
    const countBefore = this.#ordinals.length;
    let generated = 0;
    this.#generated = this.#generated.map((run) => {
      const rows = [...Array(run.length).keys()].filter((row) => !isRemoved(run.record(row)));
      generated += run.length - rows.length;
      return rows.length === run.length ? run : someRows(run, rows);
    });
    this.#inserted = this.#inserted.map((rows) => rows.filter(stays));
    this.#ordinals = this.#ordinals.filter(stays);
    this.#views = undefined;
    return { generated, inserted: countBefore - this.#ordinals.length };
  }

  /** The same rows, each run ordered by id: later inserts have greater ids. */
  runsById(): readonly Run[] {
    const inserted = logRun(this.scope, this.#log, Uint32Array.from(this.#ordinals));
    return [...this.#generated, inserted].filter((run) => run.length > 0).map(byId);
  }

  /** All current rows; later inserts don't change the returned list. */
  runs(): readonly Run[] {
    this.#views ??= [
      ...this.#generated,
      ...this.#inserted.map((rows) => logRun(this.scope, this.#log, rows)),
    ];
    return this.#views;
  }
}

function mergeSorted(
  a: Uint32Array,
  b: Uint32Array,
  order: (x: number, y: number) => number,
): Uint32Array<ArrayBuffer> {
  const merged = new Uint32Array(a.length + b.length);
  let i = 0;
  let j = 0;
  for (let at = 0; at < merged.length; at += 1) {
    const x = a[i];
    const y = b[j];
    const takeFirst = y === undefined || (x !== undefined && order(x, y) <= 0);
    merged[at] = (takeFirst ? x : y) ?? 0;
    if (takeFirst) i += 1;
    else j += 1;
  }
  return merged;
}

/** Rows of the log in the given order. */
export function logRun(scope: Scope, log: RecordLog, rows: Uint32Array): Run {
  const at = (row: number): number => rows[row] ?? 0;
  return {
    scope,
    length: rows.length,
    key: (row) => log.key(at(row)),
    id: (row) => log.id(at(row)),
    record: (row) => log.record(at(row)),
    text: (row) => log.text(at(row)),
    ordinal: at,
  };
}
