import type { Job } from '../../src/shared/jobs/jobs.ts';
import { appErrorFrom } from '../../src/main/core/files/file-errors.ts';
import { openApplication, type Application } from './application.ts';
import type { Life, Plan } from './plan.ts';
import { Link, staleMs } from './world/link.ts';
import { Computer, Process, World } from './world/machine.ts';

// What all histories have in common: lives of the application, one after the other, until the last one, in which nothing
// goes wrong any more and everything has to come to its end.

export interface Stage {
  readonly world: World;
  readonly link: Link;
  readonly computer: Computer;
  /** What its processes are called. */
  readonly process: string;
  /** The computers whose troubles aren’t over. */
  readonly troubled: Set<Computer>;
  /** Its jobs as they were listed last. */
  readonly jobs: Map<string, Job>;
  /** Those that ran: what was left of a creation, a power loss may take. */
  readonly started: Set<string>;
  /** The jobs that a person discarded. */
  readonly discarded: Set<string>;
  /** What the oracle objects to about jobs that are gone. */
  readonly losses: Set<string>;
}

export const dataFolder = '/home/engineer/.wellbench';
export const homeFolder = '/home/engineer/files';

/** The last life: nothing goes wrong, and nobody cancels. */
const calm: Life = { death: null, cancelAfterMs: null, isAttended: false, clockJumpMs: 0 };
/** How often the last life starts the job again, if it stops. */
const calmTries = 4;
/** How long a job waits for somebody to sign in before it is canceled, in milliseconds. */
const patienceMs = 3_600_000;

const noJobs = (): Pick<Stage, 'jobs' | 'started' | 'discarded' | 'losses'> => ({
  jobs: new Map(),
  started: new Set(),
  discarded: new Set(),
  losses: new Set(),
});

/** @param first a stage beside whose computer there is a second one, at the same link */
export function openStage(plan: Plan, first?: Stage): Stage {
  if (first) {
    const computer = new Computer('other computer', first.world);
    first.troubled.add(computer);
    return { ...first, computer, process: 'other process', ...noJobs() };
  }
  const world = new World(plan.seed);
  const link = new Link(world);
  link.faults = plan.requests;
  link.pageCap = plan.pageCap;
  link.lagMs = plan.lagMs;
  const computer = new Computer('computer', world);
  computer.disk.faults = plan.disk;
  computer.disk.place(`${homeFolder}/notes.txt`, Buffer.from('notes of the engineer'));
  return { world, link, computer, process: 'process', troubled: new Set([computer]), ...noJobs() };
}

/** A job is started, or one is resumed, or all is done. */
export type NextStep = 'start' | 'end' | { readonly resume: string };

interface LivesOptions {
  readonly plan: Plan;
  readonly stage: Stage;
  readonly batchRows?: number;
  /** Starts the job, in the process of the application; also after a life that left none. */
  readonly start: (app: Application) => Promise<{ readonly job: string }>;
  /** What is done next with all jobs; absent: one job is brought to its end. */
  readonly next?: (app: Application, all: readonly Job[]) => Promise<NextStep>;
  /** Called with a job that a process runs from now on. */
  readonly onRun?: (id: string, process: string) => void;
  /** Called with the job at each stop of it. */
  readonly onStop?: (job: Job) => void | Promise<void>;
  /** Whether the person discards a job that stopped, and starts another a while later. */
  readonly abandons?: (job: Job) => boolean;
  /** Called in the last life when nothing is left to do. */
  readonly afterEnd?: (app: Application) => Promise<void>;
  /** Called before the first life, and after each. */
  readonly onEnd?: () => void;
  /** Whether a second process of the computer does the same at the same time. */
  readonly isTwice?: boolean;
}

/** The jobs of the history, and what its last life said. */
export interface Ending {
  /** The last job that wasn't refused; null: there never was one. */
  readonly job: Job | null;
  /** All of them, as they are at the end. */
  readonly all: readonly Job[];
  /** Why it can't be started, if it can't. */
  readonly refused: string | null;
  /** Whether nothing is left to do. */
  readonly isEnd: boolean;
}

/** Runs all lives. @throws Error of the application that none of its calls should have */
export async function runLives(options: LivesOptions): Promise<Ending> {
  const { plan, stage } = options;
  const { world, link, computer } = stage;
  // What was stored before is older than what any read may lack.
  await world.wait(3_600_000);
  options.onEnd?.();
  let ending: Ending = { job: null, all: [], refused: null, isEnd: false };
  const lives = [...plan.lives, ...Array.from({ length: calmTries }, () => calm)];
  for (const [number, life] of lives.entries()) {
    if (life === calm && stage.troubled.delete(computer)) {
      computer.disk.faults = [];
      while (stage.troubled.size > 0) await world.wait(1000);
      link.isCalm = true;
      // The link comes back, and what is late arrives.
      await world.wait(1_000_000);
    }
    computer.clockOffset += life.clockJumpMs;
    const isTwice = options.isTwice === true && life !== calm;
    const names = (isTwice ? ['', 'b'] : ['']).map((end) => `${stage.process} ${number + 1}${end}`);
    const outcomes = await Promise.all(
      names.map(async (name, at) => {
        const process = new Process(name, computer, at === 0 ? life.death : null);
        world.note(`starts${life === calm ? ', and all goes well from now on' : ''}`, name);
        const lived = process.enter(() => live(process, life, options));
        lived.catch(() => undefined);
        const outcome = await Promise.race([lived, process.died.promise.then(() => null)]);
        process.die('end of the life');
        return outcome;
      }),
    );
    options.onEnd?.();
    ending =
      outcomes.findLast((outcome) => outcome?.job?.state === 'done') ??
      outcomes.findLast((outcome) => outcome) ??
      ending;
    if (life === calm && ending.isEnd) break;
    await world.wait(world.chance.scale(10, 100_000));
  }
  return ending;
}

/** A job that was refused because another does its work is of no interest. */
const isRefused = ({ error }: Job): boolean => error?.code === 'upload_repeated';

/** Whether something is lost with a job: it can be resumed, or has rows that nothing else has. */
const isNeeded = (job: Job, plan: Plan): boolean =>
  job.state !== 'done' ||
  (job.kind === 'upload' &&
    (job.result === null ||
      job.result.ledger.unknown > 0 ||
      (job.result.ledger.rejected > 0 && !(plan.kind === 'upload' && plan.choosesRejects))));

/** The jobs that are listed. None that is needed may be gone. */
async function listJobs(app: Application, { stage, plan, isTwice = false }: LivesOptions): Promise<Job[]> {
  const { jobs: all } = await app.runner.list();
  // What a dead process is told means nothing.
  if (Process.caller().isDead) return all;
  const ids = new Set(all.map(({ id }) => id));
  // Another process may have ended a job, and removed it as old, since it was listed.
  for (const job of isTwice ? [] : stage.jobs.values())
    if (!ids.has(job.id) && stage.started.has(job.id) && !stage.discarded.has(job.id) && isNeeded(job, plan))
      stage.losses.add(
        job.state === 'done'
          ? 'a job is gone that has rows which nothing else has'
          : `a job is gone that is ${job.state}`,
      );
  for (const job of all) stage.jobs.set(job.id, job);
  return all;
}

async function endingOf(app: Application, refused: string | null, options: LivesOptions): Promise<Ending> {
  const all = await listJobs(app, options);
  const job =
    all.findLast(({ state }) => state === 'done') ??
    all.findLast((one) => !isRefused(one)) ??
    all.at(-1) ??
    null;
  return { job, all, refused, isEnd: job?.state === 'done' };
}

/** One job is brought to its end. */
async function bringToEnd(app: Application, options: LivesOptions): Promise<NextStep> {
  const { abandons, stage } = options;
  const { job } = await endingOf(app, null, options);
  if (job?.state === 'done') return 'end';
  if (job && abandons?.(job) === true) {
    stage.discarded.add(job.id);
    await app.runner.discard(job.id);
    // Until reads show all that it stored.
    await Process.caller().sleep(staleMs);
    return 'start';
  }
  return !job || isRefused(job) ? 'start' : { resume: job.id };
}

async function live(process: Process, life: Life, options: LivesOptions): Promise<Ending> {
  const { world } = options.stage;
  const { batchRows = 20, plan } = options;
  const { signsIn, retention } = plan;
  const app = openApplication({ dataFolder, isAttended: life.isAttended, batchRows, signsIn, retention });
  if (life.isAttended) void app.runner.tidy({ isStart: true });
  for (;;) {
    let id: string;
    try {
      const next = await (options.next?.(app, await listJobs(app, options)) ?? bringToEnd(app, options));
      if (next === 'end') {
        const ending = { ...(await endingOf(app, null, options)), isEnd: true };
        await options.afterEnd?.(app);
        await listJobs(app, options);
        return ending;
      }
      if (next === 'start') {
        id = (await options.start(app)).job;
        if (!process.isDead) options.stage.started.add(id);
      } else {
        id = next.resume;
        await app.runner.resume(id);
      }
    } catch (error) {
      const { message, code } = appErrorFrom(error);
      world.note(`can’t start: ${code}: ${message}`, process.name);
      if (code === 'internal' && !(error instanceof Error && 'syscall' in error)) throw error;
      return {
        ...(await endingOf(app, `${code}: ${message}`, options)),
        ...(options.next && { isEnd: false }),
      };
    }
    options.onRun?.(id, process.name);
    const job = await follow(app, id, life, process);
    world.note(
      `the job is ${job.state}${job.error ? `: ${job.error.code}: ${job.error.message}` : ''}`,
      process.name,
    );
    if (!process.isDead) {
      options.stage.started.add(id);
      options.stage.jobs.set(id, job);
    }
    await options.onStop?.(job);
    if (options.next && job.state === 'done') continue;
    const ending = await endingOf(app, null, options);
    await app.close();
    return options.next ? { ...ending, isEnd: false } : ending;
  }
}

/** Waits until the job stops; answers its questions, and cancels it when the life says so. */
async function follow(
  app: Application,
  id: string,
  { cancelAfterMs, isAttended }: Life,
  process: Process,
): Promise<Job> {
  const { world } = process.computer;
  let isStopped = false;
  const stopped = app.runner.waitUntilStopped(id).finally(() => (isStopped = true));
  if (cancelAfterMs !== null)
    world.after(cancelAfterMs, () => {
      world.note('the person cancels the job', process.name);
      void app.runner.cancel(id).catch(() => undefined);
    });
  let waitedMs = 0;
  const look = async (): Promise<void> => {
    if (isStopped || process.isDead) return;
    const job = await app.runner.show(id);
    if (job.waitsFor?.for === 'answer') app.runner.answer(id, 'go_on');
    else if (job.state === 'waiting' && (waitedMs += 10_000) > patienceMs) await app.runner.cancel(id);
    world.after(10_000, () => void look().catch(() => undefined));
  };
  if (isAttended) world.after(10_000, () => void look().catch(() => undefined));
  return stopped;
}
