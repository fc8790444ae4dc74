import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Demo } from '../../src/demo/index.ts';
import { mirrorChanges, mirrored } from './mirror-changes.ts';
import { oddRecords } from './odd-records.ts';

/** A file or a folder that programs read, and what it is compared with. */
export interface Case {
  readonly name: string;
  readonly form: 'parquet' | 'folder' | 'delta' | 'csv' | 'ndjson' | 'json' | 'xlsx' | 'las';
  readonly path: string;
  /** A file with the records of the service: a line each, or columns of Parquet. */
  readonly truth: string;
  /** The field by which rows and records are matched. */
  readonly key: string;
  readonly names: 'dotted' | 'underscore';
  /** The headers of fields, if they aren't their paths; other fields aren't in the file. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Converted fields: a value in the file is the service's multiplied by this. */
  readonly factors: Readonly<Record<string, number>>;
  /** Values that the format has as its null value. */
  readonly nulls: readonly number[];
  /** The number of rows below the header that have units and the like. */
  readonly unitRows: number;
  /** Programs that can't represent these records, and why; they are not compared. */
  readonly unsuitable: Readonly<Record<string, string>>;
}

/** What writing the files needs. */
export interface Workplace {
  readonly demo: Demo;
  readonly folder: string;
  /** Runs a command of Wellbench to its end. */
  wellbench(args: readonly string[]): Promise<void>;
  /**
   * Reads records of the service without Wellbench into a file, and returns its path.
   * @param form `parquet` for millions of records
   */
  truth(dataset: string, query: object, form: 'ndjson' | 'parquet'): Promise<string>;
}

const plain = { key: '_id', names: 'dotted', factors: {}, nulls: [], unitRows: 0, unsuitable: {} } as const;
const kept = ['--null-values', 'keep'];

const feet = 0.3048;
/** The metric units of a dataset's fields; the factors are those of the international definitions. */
const metric = {
  ...Object.fromEntries(
    ['hole_depth', 'bit_depth', 'block_height', 'rop'].map((name) => [`data.${name}`, feet]),
  ),
  'data.active_pit_volume': 0.158987294928,
  'data.diff_press': 6.894757293168,
  'data.standpipe_pressure': 6.894757293168,
  'data.hook_load': 4.4482216152605,
  'data.weight_on_bit': 4.4482216152605,
  'data.mud_flow_in': 3.785411784,
  'data.rotary_torque': feet * 4.4482216152605,
};

const channels = ['dep', 'tvd', 'ropa', 'wobavg', 'hkldav', 'rpmsavg', 'tqabav', 'sppavg', 'ghcavg'];
/** The curves of a log, by field; the rest of a record isn't in a LAS file. */
const curves = {
  measured_depth: 'DEPT',
  ...Object.fromEntries(channels.map((name) => [`data.${name}`, name.toUpperCase()])),
};

/** Programs that read JSON into columns of one type. */
const oneTypeOnly = Object.fromEntries(
  ['polars', 'duckdb'].map((name) => [name, 'a column of numbers, text, and lists has no type there']),
);

/** Writes every format with the built command line, and describes the files for the readers. */
export async function writeCases(workplace: Workplace): Promise<Case[]> {
  const { demo, folder, wellbench } = workplace;
  const cases: Case[] = [];
  const [wits, odd, depth] = ['demo/wits', 'demo/uploads.time', 'demo/drilling.wits.depth'];
  const well = { asset_id: 5001 };
  demo.change(odd, { insert: oddRecords });

  type More = Partial<Omit<Case, 'form' | 'truth' | 'path'>> & { readonly query?: object };
  async function write(
    form: Case['form'],
    name: string,
    dataset: string,
    args: readonly string[],
    more: More = {},
  ) {
    const { query = {}, ...rest } = more;
    // Polars can't read a Delta table whose path has spaces, whichever program wrote it.
    const file = form === 'delta' ? `delta-${cases.length}` : form === 'folder' ? name : `${name}.${form}`;
    const path = join(folder, file);
    await wellbench(['export', dataset, '--query', JSON.stringify(query), '--out', path, ...args]);
    cases.push({
      ...plain,
      name,
      form,
      path,
      truth: await workplace.truth(dataset, query, 'ndjson'),
      ...rest,
    });
  }

  await write('parquet', 'odd values', odd, []);
  await write('csv', 'odd values', odd, kept);
  await write('xlsx', 'odd values', odd, kept, { unitRows: 1 });
  await write('json', 'odd values', odd, []);
  await write('ndjson', 'odd values', odd, [], { unsuitable: oneTypeOnly });
  await write('folder', 'odd values by well and day', odd, ['--partition', 'asset_id,day']);
  await write('parquet', 'all wells', wits, []);
  await write('csv', 'all wells', wits, kept);
  await write('ndjson', 'all wells', wits, []);
  await write('parquet', 'underscores', wits, ['--column-names', 'underscore'], { names: 'underscore' });
  await write('folder', 'all wells by day', wits, ['--partition', 'asset_id,day']);
  const table = ['--partition', 'asset_id,day'];
  await write('delta', 'odd values by well and day', odd, table);
  await write('delta', 'all wells by day', wits, table);
  await write('xlsx', 'one well', wits, kept, { query: well, unitRows: 1 });
  await write('json', 'one well', wits, [], { query: well });
  await write('parquet', 'metric', wits, ['--units', 'metric'], { query: well, factors: metric });
  const log = { ...well, log_identifier: 'b59fde3eb179' };
  const more = { query: log, key: 'measured_depth', headers: curves, nulls: [-999.25] };
  await write('las', 'log', depth, ['--depth-unit', 'ft'], more);

  return [...cases, ...(await writeMirrors(workplace, 'ndjson'))];
}

/** Writes a mirror and its updates, each of them as a table of its own. */
export async function writeMirrors(
  { demo, folder, wellbench, truth }: Workplace,
  truthForm: 'ndjson' | 'parquet',
): Promise<Case[]> {
  const cases: Case[] = [];
  const mirror = join(folder, 'mirror');
  for (const [name, change] of Object.entries(mirrorChanges)) {
    change(demo);
    await wellbench(['mirror', mirrored, '--out', mirror]);
    const path = join(folder, `mirror-after-${name.replaceAll(' ', '-')}`);
    await cp(mirror, path, { recursive: true });
    const form = 'delta';
    cases.push({
      ...plain,
      name: `mirror, ${name}`,
      form,
      path,
      truth: await truth(mirrored, {}, truthForm),
    });
  }
  return cases;
}
