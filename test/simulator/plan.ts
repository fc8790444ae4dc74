import { Chance } from './world/chance.ts';
import type { DiskFault } from './world/disk.ts';
import { requestFaults, type Change, type FaultyRequest, type RequestFault } from './world/link.ts';
import type { Death } from './world/machine.ts';

// What a seed draws, before anything happens: a plan is data, so that a part of it can be left out to find what matters.

/** What goes wrong in one life of the application, from its start to its end. */
export interface Life {
  readonly death: Death | null;
  /** When the person cancels the job, in milliseconds; null: never. */
  readonly cancelAfterMs: number | null;
  readonly isAttended: boolean;
  /** How far the clock jumps at the start of the life, in milliseconds. */
  readonly clockJumpMs: number;
}

interface CommonPlan {
  readonly seed: number;
  readonly lives: readonly Life[];
  readonly requests: readonly FaultyRequest[];
  readonly disk: readonly DiskFault[];
  readonly concurrency: number;
  /** Maximum number of records in a response. */
  readonly pageCap: number;
  /** Whether the application signs in for tokens, which last a minute; otherwise it has an API key. */
  readonly signsIn: boolean;
  /** How far reads lag behind what is stored, in milliseconds. */
  readonly lagMs: number;
  /** Which finished jobs are kept. */
  readonly retention: { readonly jobs: number; readonly days: number; readonly last: number };
}

export interface UploadStory extends CommonPlan {
  readonly kind: 'upload';
  readonly rows: number;
  /** Number of rows from one that repeats the row before it to the next such row; 0: there is none. */
  readonly repeatEvery: number;
  /** Number of rows from one with a bad cell to the next such row; 0: there is none. */
  readonly badEvery: number;
  readonly batchRows: number;
  readonly existing: 'skip' | 'insert';
  /** How many rows are in the dataset before. */
  readonly storedBefore: number;
  readonly settleSeconds: number;
  /** Whether two processes of one computer start it at the same time. */
  readonly isTwice: boolean;
  /** What a second computer uploads to the dataset; null: there is none. */
  readonly other: OtherUpload | null;
  /** What the person does with the file; null: nothing. */
  readonly fileChange: FileChange | null;
  /** Whether the person chose a file for the rejected rows. */
  readonly choosesRejects: boolean;
}

/** A second computer, with a disk, a file, and a data folder of its own. */
export interface OtherUpload {
  /** Its rows: the same, half of them and others, others between them, or others at the same times. */
  readonly rows: 'same' | 'overlap' | 'between' | 'values';
  readonly existing: UploadStory['existing'];
  readonly lives: readonly Life[];
  /** When it starts after the first one, in milliseconds. */
  readonly delayMs: number;
}

/**
 * `replace`: another file gets the name; `touch`: only its time changes; `hidden_edit`: its time and size don’t. The others
 * change it in place.
 */
export interface FileChange {
  readonly kind: (typeof fileChanges)[number];
  /** The life after which it happens, from 1; 0: before the first. */
  readonly after: number;
  /** How long after it, in milliseconds: during the next one, perhaps. */
  readonly delayMs: number;
}

export interface ReadStory extends CommonPlan {
  readonly kind: 'export' | 'quality';
  readonly format: 'csv' | 'ndjson';
  readonly records: number;
  /** How many records share a time, at most. */
  readonly sameTime: number;
  readonly changes: readonly Change[];
  readonly isWindowed: boolean;
  /** Whether a file of the user has the name of the result. */
  readonly hasFile: boolean;
  /** How many times as long each request takes: a read of minutes has checkpoints. */
  readonly pace: number;
}

/** Nothing but the journal of a job, which is written, cut, and read again. */
export interface JournalStory extends CommonPlan {
  readonly kind: 'journal';
  /** Entries of each life. */
  readonly entries: number;
}

/** What happens to the records before a job. */
export interface LateChange extends Omit<Change, 'kind'> {
  /** `grow`: records with values of other types and in other fields; `well`: records of another well. */
  readonly kind: Change['kind'] | 'grow' | 'well';
}

/** A folder of Parquet files is written, and brought up to date again and again. */
export interface MirrorStory extends CommonPlan {
  readonly kind: 'mirror';
  /** What the folder is: a mirror, a table of Delta that each export replaces, or files. */
  readonly form: 'mirror' | 'export';
  readonly partition: readonly ('asset_id' | 'day' | 'month')[];
  readonly overlapMs: number;
  readonly records: number;
  readonly wells: number;
  readonly days: number;
  /** Number of records from one whose time no partition has to the next such record; 0: there is none. */
  readonly wrongTimeEvery: number;
  /** While records are read. */
  readonly changes: readonly Change[];
  /** `at`: number of the job, started or resumed, before which it happens. */
  readonly lateChanges: readonly LateChange[];
  /** How many jobs each life starts at most. */
  readonly jobsOfLife: number;
  /** Days in which nothing happens, before a job, by its number as above; null: none. */
  readonly pause: { readonly at: number; readonly days: number } | null;
  /** Whether a person discards a job that stopped, instead of resuming it. */
  readonly discards: boolean;
  /** Whether the folder has a file of the user before, and is no mirror. */
  readonly hasFile: boolean;
  readonly isTwice: boolean;
}

export type Plan = UploadStory | ReadStory | MirrorStory | JournalStory;

/** How often a fault is drawn: those that are common on bad links more often. */
const weights: Partial<Record<RequestFault, number>> = {
  lost_answer: 4,
  late_answer: 2,
  outage: 2,
  reset_before: 2,
  cut_answer: 2,
};
const weighted = requestFaults.flatMap((kind) => Array.from({ length: weights[kind] ?? 1 }, () => kind));

function drawLife(chance: Chance, steps: number): Life {
  const dies = chance.is(0.75);
  return {
    death: dies
      ? {
          step: chance.is(0.5) ? chance.scale(1, steps) : chance.integer(1, steps),
          when: chance.pick(['before', 'midway', 'after']),
          by: chance.is(0.45) ? 'power' : 'kill',
        }
      : null,
    cancelAfterMs: !dies && chance.is(0.5) ? chance.scale(1, 20_000) : null,
    isAttended: chance.is(0.4),
    clockJumpMs: chance.is(0.1) ? chance.pick([-1, 1]) * chance.scale(1000, 400 * 86_400_000) : 0,
  };
}

const drawRequest = (chance: Chance, most: number): FaultyRequest => ({
  at: chance.scale(1, most),
  of: chance.pick(['inserts', 'inserts', 'reads', 'all']),
  kind: chance.pick(weighted),
  times: chance.is(0.7) ? 1 : chance.scale(1, 12),
});

const drawDisk = (chance: Chance): DiskFault => {
  const kind = chance.pick(['full', 'flush_fails', 'held'] as const);
  return { kind, at: chance.scale(1, 120), times: chance.is(0.6) ? 1 : chance.scale(1, 40) };
};

const list = <T>(count: number, item: () => T): T[] => Array.from({ length: count }, item);

const keepsMost = { jobs: 500, days: 90, last: 20 };

/** The plan of a seed. */
export function planOf(seed: number): Plan {
  const chance = new Chance(seed);
  const drawn = drawPlan(chance, seed);
  // They take longer than the others; what is drawn last leaves the plans of other seeds as they are.
  const plan = chance.is(0.05)
    ? drawMirror(chance, drawn)
    : drawn.kind === 'upload'
      ? withOthers(chance, drawn)
      : drawn;
  const retention = chance.is(0.5)
    ? { jobs: chance.integer(1, 3), days: chance.pick([1, 90]), last: 1 }
    : keepsMost;
  const lacks = (plan.kind === 'export' || plan.kind === 'quality') && chance.is(0.2);
  const lacking = { of: 'reads', kind: 'lacking', times: 1 } as const;
  const requests = lacks ? [{ ...lacking, at: chance.scale(1, 20) }, ...plan.requests] : plan.requests;
  return { ...plan, requests, retention };
}

const fileChanges = ['edit', 'hidden_edit', 'append', 'truncate', 'replace', 'delete', 'touch'] as const;

const drawFileChange = (chance: Chance, { lives }: UploadStory): FileChange => ({
  kind: chance.pick(fileChanges),
  after: chance.integer(0, lives.length),
  delayMs: chance.is(0.6) ? 0 : chance.scale(1, 60_000),
});

const drawOther = (chance: Chance, { existing }: UploadStory): OtherUpload => ({
  rows: chance.pick(['same', 'same', 'overlap', 'between', 'values']),
  existing: chance.is(0.8) ? existing : 'insert',
  lives: list(chance.pick([0, 0, 1, 2]), () => drawLife(chance, 300)),
  delayMs: chance.pick([0, chance.scale(1, 5000), chance.scale(1000, 600_000)]),
});

/** An upload with another computer, and with a file that changes. Two processes are enough for others. */
function withOthers(chance: Chance, plan: UploadStory): UploadStory {
  if (plan.isTwice) return plan;
  return {
    ...plan,
    other: chance.is(0.15) ? drawOther(chance, plan) : null,
    fileChange: plan.lives.length > 0 && chance.is(0.2) ? drawFileChange(chance, plan) : null,
    choosesRejects: chance.is(0.4),
  };
}

function drawMirror(chance: Chance, drawn: CommonPlan): MirrorStory {
  const kinds = ['insert', 'insert', 'remove', 'remove', 'move', 'grow', 'well'] as const;
  const form = chance.pick(['mirror', 'mirror', 'mirror', 'mirror', 'export', 'export', 'export'] as const);
  return {
    seed: drawn.seed,
    retention: drawn.retention,
    requests: drawn.requests,
    disk: drawn.disk.map((fault) => ({ ...fault, at: chance.scale(1, 600) })),
    concurrency: drawn.concurrency,
    pageCap: Math.max(30, drawn.pageCap),
    signsIn: drawn.signsIn,
    lagMs: drawn.lagMs,
    kind: 'mirror',
    lives: list(chance.pick([0, 1, 1, 2, 2, 3, 5]), () => drawLife(chance, 1200)),
    form,
    partition: chance.pick([
      ['asset_id', 'day'],
      ['asset_id', 'day'],
      ['month'],
      ['day'],
      ['asset_id'],
    ] as const),
    overlapMs: chance.pick([0, 3_600_000, 7_200_000, 86_400_000]),
    records: chance.scale(1, 400),
    wells: chance.integer(1, 3),
    days: chance.integer(1, 5),
    wrongTimeEvery: chance.is(0.2) ? chance.integer(5, 90) : 0,
    changes: chance.is(0.4) ? list(chance.integer(1, 3), () => drawChange(chance)) : [],
    lateChanges: list(chance.integer(0, 8), () => ({
      at: chance.integer(2, 6),
      kind: chance.pick(kinds),
      place: chance.next(),
      records: chance.scale(1, 40),
    })),
    jobsOfLife: chance.pick([1, 2, 3, 3, 8]),
    pause: chance.is(0.3) ? { at: chance.integer(3, 8), days: chance.integer(7, 20) } : null,
    discards: chance.is(0.3),
    hasFile: chance.is(0.05),
    isTwice: chance.is(0.15),
  };
}

const drawChange = (chance: Chance): Change => ({
  at: chance.scale(1, 40),
  kind: chance.pick(['insert', 'remove', 'move'] as const),
  place: chance.next(),
  records: chance.scale(1, 12),
});

function drawPlan(chance: Chance, seed: number): Exclude<Plan, MirrorStory> {
  const isUpload = chance.is(0.6);
  const common: CommonPlan = {
    seed,
    lives: list(chance.pick([0, 1, 1, 2, 2, 3, 5]), () => drawLife(chance, isUpload ? 300 : 150)),
    requests: list(chance.pick([0, 1, 1, 2, 3, 4, 8]), () => drawRequest(chance, 60)),
    disk: chance.is(0.25) ? list(chance.integer(1, 3), () => drawDisk(chance)) : [],
    concurrency: chance.pick([1, 2, 4, 8]),
    pageCap: chance.pick([5, 10, 30, 100, 10_000]),
    signsIn: chance.is(0.25),
    lagMs: chance.is(0.15) ? chance.scale(10, 100_000) : 0,
    retention: keepsMost,
  };
  if (isUpload) {
    const rows = chance.scale(1, 240);
    const existing = chance.is(0.75) ? 'skip' : 'insert';
    // A file of which all rows are inserted twice is stored twice.
    const isTwice = existing === 'skip' && chance.is(0.15);
    return {
      ...common,
      kind: 'upload',
      rows,
      repeatEvery: chance.is(0.25) ? chance.integer(2, 9) : 0,
      badEvery: chance.is(0.2) ? chance.integer(2, 40) : 0,
      batchRows: chance.scale(1, isTwice ? 6 : 60),
      existing,
      storedBefore: chance.is(0.3) ? chance.integer(1, rows) : 0,
      settleSeconds: chance.pick([10, 10, 60]),
      isTwice,
      other: null,
      fileChange: null,
      choosesRejects: false,
      // A file that is uploaded again before reads show its rows is stored twice: docs/limits.md.
      ...(isTwice && { lagMs: 0, requests: common.requests.filter(({ kind }) => kind !== 'stale') }),
    };
  }
  if (chance.is(0.15))
    return {
      ...common,
      kind: 'journal',
      entries: chance.scale(1, 40),
      lives: list(chance.integer(1, 6), () => drawLife(chance, 60)),
      disk: chance.is(0.5) ? list(chance.integer(1, 3), () => drawDisk(chance)) : [],
    };
  return {
    ...common,
    kind: chance.is(0.8) ? 'export' : 'quality',
    format: chance.pick(['csv', 'ndjson']),
    records: chance.scale(1, 400),
    sameTime: chance.pick([1, 1, 2, 5, 40]),
    changes: chance.is(0.4) ? list(chance.integer(1, 4), () => drawChange(chance)) : [],
    isWindowed: chance.is(0.7),
    hasFile: chance.is(0.1),
    pace: chance.pick([1, 1, 10, 40]),
  };
}
