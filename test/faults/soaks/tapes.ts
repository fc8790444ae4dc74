import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSource } from '../../../src/main/core/tables/reading/source.ts';
import { dlis } from '../../../src/main/core/tables/sources/dlis.ts';
import { lis } from '../../../src/main/core/tables/sources/lis.ts';
import type { SourceAdapter } from '../../../src/main/core/tables/sources/source.ts';
import { isAppError } from '../../../src/shared/errors/errors.ts';
import {
  dlisFile,
  numbersChannel,
  texts,
  explicitSet,
  obname,
  type DlisChannel,
  type DlisLayout,
} from '../../main/features/upload/support/dlis-files.ts';
import {
  data,
  entries,
  format,
  information,
  lisFile,
  lisValue,
} from '../../main/features/upload/support/lis-files.ts';
import type { SoakEnd, SoakOptions } from './soak.ts';

// Reads damaged DLIS and LIS files. Each is refused with a reason, or has as many rows as its tables claim, in time.

const usualFiles = 10_000;
const maxMs = 5000;

const rows = Array.from({ length: 200 }, (_, row) => row);
const channels: readonly DlisChannel[] = [
  numbersChannel(
    'DEPT',
    rows.map((row) => row / 2),
    'm',
  ),
  { name: 'IMAGE', code: 'USHORT', dimensions: [4, 2], samples: rows.map((row) => Buffer.alloc(8, row)) },
  { name: 'NOTE', code: 'ASCII', samples: rows.map((row) => Buffer.from(`\u0003a${row % 10}b`)) },
];
const numbers = numbersChannel('TIME', rows, 's', 'SLONG');
const dlisWith = (layout: DlisLayout): Buffer =>
  dlisFile(
    [
      {
        well: 'A',
        frames: [
          { name: 'TEXTS', channels },
          { name: 'NUMBERS', indexType: 'TIME', channels: [numbers] },
        ],
        records: [
          explicitSet(5, 'TOOL', {
            name: obname('T'),
            values: { DESCRIPTION: texts('A tool'), STATUS: null },
          }),
        ],
      },
      { well: 'B', frames: [{ name: 'NUMBERS', indexType: 'TIME', channels: [numbers] }] },
    ],
    layout,
  );
const fast = { name: 'FAST', code: 79, size: 4, samples: 2 };
const { float, int16, int32 } = lisValue;
const lisRecords = [
  information('CONS', [['WN', 'A']]),
  format([{ name: 'DEPT', unit: 'F', code: 68, size: 4 }, fast, { name: 'TEXT', code: 65, size: 4 }]),
  ...rows.map((row) => data(float(row), int16(row), int16(row), Buffer.from('text'))),
  format([fast], [...entries.spacing(6, 'IN'), ...entries.depthInRecord('.1IN')]),
  ...rows.map((row) => data(int32(row * 60), int16(row), int16(row))),
];
const files: readonly (readonly [SourceAdapter, Buffer])[] = [
  [dlis, dlisWith({ visible: 300 })],
  [dlis, dlisWith({ segment: 12, checksums: true, lengths: true })],
  [dlis, dlisWith({ image: true, visible: 500, padding: 3 })],
  [lis, lisFile([lisRecords, lisRecords])],
  [lis, lisFile([lisRecords], { physical: 30, trailers: true })],
  [lis, lisFile([lisRecords], { image: true })],
];

/** Pseudorandom numbers below a limit, the same for a seed. */
function chance(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A damaged copy: cut, zeroed, with a hole, with other bytes, with a part twice, or with lengths that lie. */
function damagedCopy(content: Buffer, next: (below: number) => number): Buffer {
  const copy = Buffer.from(content);
  const at = next(copy.length);
  const end = Math.min(copy.length, at + 1 + next(600));
  // Descriptions are at the start, and have most of what can lie.
  const early = next(Math.min(copy.length, 1500));
  switch (next(7)) {
    case 0:
      return copy.subarray(0, at);
    case 1:
      return copy.fill(0, at);
    case 2:
      return copy.fill(next(256), at, end);
    case 3:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(end)]);
    case 4:
      return Buffer.concat([copy.subarray(0, end), copy.subarray(at)]);
    case 5:
      for (let change = next(8); change >= 0; change--) copy[next(copy.length)] = next(256);
      return copy;
    default:
      for (let change = next(3); change >= 0; change--)
        copy[(early + change * next(40)) % copy.length] = next(2) === 0 ? 0xff : next(256);
      return copy;
  }
}

/** Reads a file whole. @returns what is wrong; null: nothing */
async function objectionTo(adapter: SourceAdapter, path: string): Promise<string | null> {
  const started = performance.now();
  try {
    using source = openSource(path, 'file');
    const file = await adapter.open(source, {});
    try {
      for (const [index, table] of file.tables.entries()) {
        let count = 0;
        for await (const batch of file.readRows(index)) count += batch.length;
        if (count !== table.rows) return `${table.name} has ${count} of ${table.rows} rows`;
      }
    } finally {
      file.close?.();
    }
  } catch (error) {
    if (!isAppError(error, 'file_unsuitable')) return String(error);
  }
  const ms = performance.now() - started;
  return ms > maxMs ? `it took ${Math.round(ms)} ms` : null;
}

/** Damages DLIS and LIS files in random ways, and reads them. */
export async function soakTapes({ amount = usualFiles, seed, tell }: SoakOptions): Promise<SoakEnd> {
  const folder = await mkdtemp(join(tmpdir(), 'wellbench-tapes-'));
  const problems: string[] = [];
  try {
    for (let number = 0; number < amount; number++) {
      const [adapter, content] = files[number % files.length] ?? [dlis, Buffer.alloc(0)];
      const path = join(folder, 'file');
      await writeFile(path, damagedCopy(content, chance(seed + number)));
      const objection = await objectionTo(adapter, path);
      if (objection !== null) problems.push(`seed ${seed + number}, ${adapter.format}: ${objection}`);
      if ((number + 1) % 1000 === 0) tell(`${number + 1} files, ${problems.length} problems`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  for (const problem of problems.slice(0, 20)) tell(problem);
  return { sound: problems.length === 0, numbers: { files: amount, problems: problems.length } };
}
