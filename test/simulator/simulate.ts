import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { planOf, type Plan } from './plan.ts';

// Runs histories:
//   --seed N             one, in words; if the oracle objects, the smallest one for the same reason; with --steps each step
//   --from N --count M   many
//   --seeds N,M          some
//   --for SECONDS        as many as there is time for
//   --until-failure      until the oracle objects to one

await import('./hooks.ts');
const { load } = await import('./application.ts');
const { runUpload } = await import('./stories/upload.ts');
const { runJournal } = await import('./stories/journal.ts');
const { runRead } = await import('./stories/read.ts');
const { runMirror } = await import('./stories/mirror.ts');
const { World } = await import('./world/machine.ts');

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
    for: { type: 'string' },
    json: { type: 'boolean', default: false },
    'until-failure': { type: 'boolean', default: false },
    /** Only those of a kind; the others are skipped. */
    kind: { type: 'string' },
    steps: { type: 'boolean', default: false },
  },
});

await load();

/** Runs a plan. @returns objections of the oracle, or what it threw */
async function run(plan: Plan): Promise<string[]> {
  try {
    switch (plan.kind) {
      case 'upload':
        return await runUpload(plan);
      case 'journal':
        return await runJournal(plan);
      case 'mirror':
        return await runMirror(plan);
      case 'export':
      case 'quality':
        return await runRead(plan);
    }
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}

function tell(): void {
  for (const { ms, who, what } of World.current?.lines ?? [])
    console.log(`${(ms / 1000).toFixed(3).padStart(12)} s  ${who}: ${what}`);
}

/** Plans with a part left out. */
function* smaller(plan: Plan): Generator<Plan> {
  const without = <T>(items: readonly T[], at: number): T[] => items.filter((_, place) => place !== at);
  for (const at of plan.lives.keys()) yield { ...plan, lives: without(plan.lives, at) };
  for (const at of plan.requests.keys()) yield { ...plan, requests: without(plan.requests, at) };
  for (const at of plan.disk.keys()) yield { ...plan, disk: without(plan.disk, at) };
  if (plan.kind === 'upload') {
    for (const rows of [1, 2, 5, Math.floor(plan.rows / 2), plan.rows - 1])
      if (rows > 0 && rows < plan.rows)
        yield { ...plan, rows, storedBefore: Math.min(rows, plan.storedBefore) };
    if (plan.repeatEvery > 0) yield { ...plan, repeatEvery: 0 };
    if (plan.badEvery > 0) yield { ...plan, badEvery: 0 };
    if (plan.storedBefore > 0) yield { ...plan, storedBefore: 0 };
    if (plan.concurrency > 1) yield { ...plan, concurrency: 1 };
    if (plan.fileChange) yield { ...plan, fileChange: null };
    if (plan.choosesRejects) yield { ...plan, choosesRejects: false };
    const { other } = plan;
    if (!other) return;
    yield { ...plan, other: null };
    for (const at of other.lives.keys())
      yield { ...plan, other: { ...other, lives: without(other.lives, at) } };
    if (other.delayMs > 0) yield { ...plan, other: { ...other, delayMs: 0 } };
  } else if (plan.kind === 'journal') {
    for (const entries of [1, 2, Math.floor(plan.entries / 2)])
      if (entries > 0 && entries < plan.entries) yield { ...plan, entries };
  } else {
    if (plan.kind !== 'mirror' && plan.pace > 1) yield { ...plan, pace: 1 };
    for (const at of plan.changes.keys()) yield { ...plan, changes: without(plan.changes, at) };
    for (const records of [1, 5, Math.floor(plan.records / 2)])
      if (records > 0 && records < plan.records) yield { ...plan, records };
  }
  if (plan.kind !== 'mirror') return;
  for (const at of plan.lateChanges.keys()) yield { ...plan, lateChanges: without(plan.lateChanges, at) };
  if (plan.isTwice) yield { ...plan, isTwice: false };
  if (plan.pause) yield { ...plan, pause: null };
  if (plan.wrongTimeEvery > 0) yield { ...plan, wrongTimeEvery: 0 };
  if (plan.wells > 1) yield { ...plan, wells: 1 };
  if (plan.days > 1) yield { ...plan, days: 1 };
  if (plan.jobsOfLife > 1) yield { ...plan, jobsOfLife: plan.jobsOfLife - 1 };
}

/** What an objection is about, whatever its numbers are. */
const kindOf = (objection = ''): string => objection.split('\n')[0]?.replaceAll(/\d[\w-]*/g, '#') ?? '';

/** The smallest plan to which the oracle objects for the same reason. */
async function shrink(plan: Plan, kind: string): Promise<Plan> {
  for (const part of smaller(plan))
    if ((await run(part)).some((objection) => kindOf(objection) === kind)) return shrink(part, kind);
  return plan;
}

/** All seeds from one up to another, without it. */
function* seedsOf(first: number, last: number): Generator<number> {
  for (let seed = first; seed < last; seed += 1) yield seed;
}

if (options.seed !== undefined) {
  const plan = planOf(Number(options.seed));
  const objections = await run(plan);
  const smallest = objections.length > 0 ? await shrink(plan, kindOf(objections[0])) : plan;
  World.isVerbose = options.steps;
  const last = objections.length > 0 ? await run(smallest) : objections;
  console.log(JSON.stringify(smallest, null, 1));
  tell();
  for (const objection of last) console.log(`✗ ${objection}`);
  if (last.length === 0) console.log('✓ the oracle has no objection');
  process.exitCode = last.length > 0 ? 1 : 0;
} else {
  // Making the stack of each error that an engine handles takes time, and only its name counts here.
  Error.stackTraceLimit = 3;
  const startedAt = performance.now();
  const seconds = options.for === undefined ? Number.POSITIVE_INFINITY : Number(options.for);
  const first = Number(options.from);
  const last = options.for === undefined ? first + Number(options.count) : Number.POSITIVE_INFINITY;
  const failed: { readonly seed: number; readonly objection: string }[] = [];
  const digest = createHash('sha256');
  let histories = 0;
  for (const seed of options.seeds?.split(',').map(Number) ?? seedsOf(first, last)) {
    if (performance.now() - startedAt >= seconds * 1000) break;
    const plan = planOf(seed);
    if (options.kind !== undefined && options.kind !== plan.kind) continue;
    const [objection] = await run(plan);
    histories += 1;
    digest.update(JSON.stringify(World.current?.lines));
    if (objection === undefined) continue;
    failed.push({ seed, objection: objection.split('\n').slice(0, 3).join(' | ') });
    if (options['until-failure']) break;
  }
  const perSecond = histories / ((performance.now() - startedAt) / 1000);
  if (options.json)
    console.log(JSON.stringify({ histories, failed, perSecond, digest: digest.digest('hex') }));
  else {
    for (const { seed, objection } of failed) console.log(`✗ seed ${seed}: ${objection}`);
    console.log(`${histories} histories, ${failed.length} failed, ${perSecond.toFixed(1)} a second`);
  }
  process.exitCode = failed.length > 0 ? 1 : 0;
}
