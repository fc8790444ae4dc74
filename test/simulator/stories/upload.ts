import type { UploadJob } from '../../../src/shared/jobs/jobs.ts';
import { uploadRequest } from '../../../src/shared/upload/upload.ts';
import type { JsonObject } from '../../../src/shared/json.ts';
import type { Application } from '../application.ts';
import { homeFolder, openStage, runLives, type Ending } from '../history.ts';
import type { UploadStory } from '../plan.ts';
import type { Stored } from '../world/link.ts';

// A file is uploaded, whatever happens meanwhile. The oracle knows the file, what the service stored, and what the job says
// at its end; it reads nothing else, and uses nothing of the engines.

const dataset = { provider: 'demo', dataset: 'uploads.time' };
const address = 'demo/uploads.time';
const well = 5001;
const start = Date.UTC(2020, 0, 1);
const path = `${homeFolder}/rig 7.csv`;

interface FileRow {
  readonly line: number;
  readonly time: number;
  readonly value: number;
  /** Whether its time can't be read. */
  readonly isBad: boolean;
}

function rowsOf({ rows, repeatEvery, badEvery }: UploadStory): FileRow[] {
  const all: FileRow[] = [];
  for (let n = 0; n < rows; n += 1) {
    const before = all.at(-1);
    const repeats = before && repeatEvery > 0 && n % repeatEvery === 0;
    all.push({
      line: n + 2,
      time: repeats ? before.time : start + n * 1000,
      value: repeats ? before.value : n,
      isBad: badEvery > 0 && n % badEvery === badEvery - 1,
    });
  }
  return all;
}

const textOf = (rows: readonly FileRow[]): string =>
  `asset_id,timestamp,version,data.n\n${rows.map(({ time, value, isBad }) => `${well},${isBad ? 'soon' : time},1,${value}\n`).join('')}`;

const recordOf = ({ time, value }: FileRow): JsonObject => ({
  asset_id: well,
  timestamp: time,
  version: 1,
  data: { n: value },
});

/** What makes records equal. */
const keyOf = (time: unknown, value: unknown): string => `${String(time)} ${String(value)}`;
const keyOfStored = ({ record }: Stored): string => {
  const data = record['data'];
  return keyOf(
    record['timestamp'],
    typeof data === 'object' && data !== null && 'n' in data ? data['n'] : null,
  );
};

function countsOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Runs the history. @returns what the oracle objects to; empty: nothing */
export async function runUpload(plan: UploadStory): Promise<string[]> {
  const stage = openStage(plan);
  const { link, computer } = stage;
  const rows = rowsOf(plan);
  const file = Buffer.from(textOf(rows));
  computer.disk.place(path, file);
  const readable = rows.filter(({ isBad }) => !isBad);
  link.put(address, readable.slice(0, plan.storedBefore).map(recordOf));
  const objections: string[] = [];
  const begin = async (app: Application) =>
    app.upload.start(
      uploadRequest.parse({
        connection: 'simulated',
        ...dataset,
        source: await app.source(path),
        existing: plan.existing,
        settleSeconds: plan.settleSeconds,
        concurrency: plan.concurrency,
      }),
      {},
    );
  const ending = await stage.world.run(
    runLives({
      plan,
      stage,
      batchRows: plan.batchRows,
      isTwice: plan.isTwice,
      start: begin,
      onStop: (job) => {
        if (job.kind === 'upload') objections.push(...objectionsToLedger(job, rows.length));
      },
    }),
  );
  const after = computer.disk.contentOf(path);
  if (!after?.equals(file)) objections.push('the file of the user has changed');
  objections.push(...judge(plan, rows, ending, link.present(address)));
  return objections;
}

/** What a ledger says is always the whole file. */
function objectionsToLedger({ result, state }: UploadJob, rows: number): string[] {
  if (!result) return state === 'done' ? ['a job that is done has no result'] : [];
  const { accepted, rejected, unknown, pending } = result.ledger;
  const sum = accepted + rejected + unknown + pending;
  return sum === rows ? [] : [`the ledger has ${sum} of ${rows} rows`];
}

/** Whether an answer or a process was lost, or lied: without that, nothing may be unknown. */
const mayStayUnknown = ({ requests, lives, disk }: UploadStory): boolean =>
  requests.length > 0 ||
  disk.length > 0 ||
  lives.some(({ death, cancelAfterMs }) => death !== null || cancelAfterMs !== null);

function judge(
  plan: UploadStory,
  rows: readonly FileRow[],
  { job, all, refused }: Ending,
  present: readonly Stored[],
): string[] {
  const objections: string[] = [];
  const before = present.filter(({ by }) => by === 'somebody else').length;
  const stored = countsOf(present.map(keyOfStored));
  const wanted = countsOf(rows.filter(({ isBad }) => !isBad).map(({ time, value }) => keyOf(time, value)));
  const earlier = countsOf(present.filter(({ by }) => by === 'somebody else').map(keyOfStored));
  for (const [key, count] of stored) {
    const inFile = wanted.get(key) ?? 0;
    const most =
      plan.existing === 'skip' ? Math.max(inFile, earlier.get(key) ?? 0) : inFile + (earlier.get(key) ?? 0);
    if (count > most) objections.push(`stored ${count} times, at most ${most} expected: ${key}`);
  }
  if (job?.kind !== 'upload') return [...objections, `there is no job at the end: ${refused ?? 'no reason'}`];
  const { result, state, error } = job;
  if (!result) return [...objections, `the job has no result: ${state} ${error?.message ?? ''}`];
  const { rejected, unknown, pending } = result.ledger;
  const own = present.length - before;
  // Two processes can have a job each.
  const ledgers = all.flatMap((one) => (one.kind === 'upload' && one.result ? [one.result.ledger] : []));
  const sent = ledgers.reduce((sum, { accepted, skipped }) => sum + accepted - skipped, 0);
  const unknownOfAll = ledgers.reduce((sum, ledger) => sum + ledger.unknown, 0);
  if (own < sent) objections.push(`${sent} rows are said to be stored, and ${own} are`);
  // A job that another one replaced isn't resumed, and can't know of its last rows.
  const isReplaced = plan.isTwice && all.some(({ state: one }) => one !== 'done');
  if (own > sent + unknownOfAll && !isReplaced)
    objections.push(
      `${own} rows are stored, and the job knows of ${sent}, and of ${unknownOfAll} unknown ones`,
    );
  if (state === 'done') {
    // Rows of which nothing is known stay so, and are shown; everything else comes to its end.
    if (pending > 0) objections.push(`a job that is done has ${pending} pending rows`);
    let missing = 0;
    for (const [key, count] of wanted) missing += Math.max(0, count - (stored.get(key) ?? 0));
    const bad = rows.filter(({ isBad }) => isBad).length;
    if (missing > rejected - bad + unknown)
      objections.push(
        `${missing} rows are not stored, and ${rejected - bad + unknown} of them are said to be rejected or unknown`,
      );
    if (unknown > 0 && !mayStayUnknown(plan)) objections.push(`${unknown} rows are unknown without a reason`);
  } else if (state !== 'failed' || (unknown === 0 && rejected === 0))
    objections.push(
      `the job doesn’t end although all goes well: ${state} ${error?.code ?? ''} ${error?.message ?? ''}`,
    );
  return objections;
}
