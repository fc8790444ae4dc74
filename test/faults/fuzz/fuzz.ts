import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Random } from './random.ts';
import { entries, type Entry } from './calls.ts';
import { valueFor } from './from-schema.ts';
import { prepareWorkspace, type Workspace } from './ground.ts';
import { hostileFrame } from './frames.ts';
import { learn } from './known.ts';
import { frameText, payloadText } from './payload.ts';
import type { Outcome, Wire } from './wire.ts';

export interface FuzzOptions {
  readonly calls: number;
  readonly seed: number;
  readonly dataFolder: string;
  readonly progress: (sentence: string) => void;
}

export interface FuzzReport {
  readonly calls: number;
  /** The number of calls by outcome: `value`, `error`, `stopped`, `closed`, `untyped`. */
  readonly outcomes: Record<string, number>;
  /** The number of errors of each code. */
  readonly codes: Record<string, number>;
  /** Procedures of the contract that never returned a value. */
  readonly unanswered: readonly string[];
  /** The longest block of the application's thread, in milliseconds. */
  readonly maxDelayMs: number;
  /** Violations, with the frames that caused them. */
  readonly problems: readonly string[];
}

/** Concurrent calls. */
const atOnce = 32;
const batch = 250;
/** A slower call is canceled by the caller, in milliseconds; events may have nothing to report. */
const timeoutMs = { call: 3000, event: 100 };

/** The core's message when Node's permission model denied it access. */
const refusedBySystem = /ERR_ACCESS_DENIED|Access to this API has been restricted/;
/**
 * Access that Node's permission model always denies, for any file: the thread that writes files can't flush them
 * here.
 */
const neverAllowed = /fdatasync API is disabled when Permission Model is enabled/;

/** Sends calls of the whole contract to the real application, and reports violations. */
export async function fuzz({ calls, seed, dataFolder, progress }: FuzzOptions): Promise<FuzzReport> {
  const problems: string[] = [];
  const outcomes: Record<string, number> = {};
  const codes: Record<string, number> = {};
  const answered = new Set<string>();
  const note = (what: string): void => {
    if (problems.length >= 50) return;
    problems.push(what.slice(0, 1500));
    progress(what.slice(0, 1500));
  };
  process.on('unhandledRejection', (reason) =>
    note(`unhandled rejection: ${String((reason as Error)?.stack ?? reason)}`),
  );
  process.on('uncaughtException', (error) => note(`uncaught exception: ${error.stack ?? error.message}`));
  const delay = monitorEventLoopDelay();
  const prototypes = [Object.prototype, Array.prototype, Function.prototype].map(
    (one) => Reflect.ownKeys(one).length,
  );

  const ground = await prepareWorkspace(dataFolder);
  delay.enable();
  let wire: Wire | null = null;
  for (let sent = 0; sent < calls; sent += batch) {
    await ground.tidy();
    const work = Array.from({ length: Math.min(batch, calls - sent) }, (_, index) => sent + index);
    const worker = async (): Promise<void> => {
      for (let index = work.shift(); index !== undefined; index = work.shift()) {
        // Each call has its own random sequence, so that one can be repeated alone.
        const random = new Random(seed * 1_000_003 + index);
        if (!wire?.open) wire = await ground.wire();
        await one(ground, wire, random, index);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    progress(`${Math.min(sent + batch, calls)} calls: ${JSON.stringify(outcomes)}`);
    if (!(await ground.answers())) note('the application does not answer any more');
  }

  async function one(on: Workspace, over: Wire, random: Random, index: number): Promise<void> {
    const entry = random.pick(entries as [Entry, ...Entry[]]);
    const value = entry.input
      ? valueFor(entry.input, { random, known: on.known, sense: random.pick([1, 1, 1, 0.6]) })
      : {};
    const frame = frameText(String(index), entry.path, payloadText(value, random), random);
    const outcome = await over.call(
      String(index),
      frame,
      entry.path.startsWith('/events/') ? timeoutMs.event : timeoutMs.call,
    );
    outcomes[outcome.kind] = (outcomes[outcome.kind] ?? 0) + 1;
    if (outcome.kind === 'value') answered.add(entry.path);
    if (outcome.code) codes[outcome.code] = (codes[outcome.code] ?? 0) + 1;
    const wrong = wrongWith(outcome);
    if (wrong) note(`${wrong}: ${frame.slice(0, 500)} -> ${outcome.text}`);
    const [, job] = /"job":"([a-z0-9-]{8,64})"/.exec(outcome.text) ?? [];
    if (job && outcome.kind === 'value') learn(on.known, 'job', job);
  }

  const frames = await hostileFrames(ground, seed, Math.ceil(calls / 20), note);
  outcomes['hostile frames refused'] = frames;
  for (const fault of ground.faults.filter(({ message }) => !neverAllowed.test(message)))
    note(`a fault of our own: ${fault.message} ${String((fault.cause as Error)?.stack)}`);
  const after = [Object.prototype, Array.prototype, Function.prototype].map(
    (one) => Reflect.ownKeys(one).length,
  );
  if (String(after) !== String(prototypes) || 'polluted' in {}) note('a prototype was polluted');
  delay.disable();
  const wireToClose = wire as Wire | null;
  wireToClose?.close();
  await ground.tidy();
  await ground.close();
  return {
    calls,
    outcomes,
    codes,
    unanswered: entries.map(({ path }) => path).filter((path) => !answered.has(path)),
    maxDelayMs: Math.round(delay.max / 1e6),
    problems,
  };
}

/** The violation in an outcome; null: none. An internal error is always one, however it was caused. */
function wrongWith({ kind, code, text }: Outcome): string | null {
  if (kind === 'untyped') return 'an answer of unknown form';
  if (kind === 'closed') return 'the socket was closed by a well-formed frame';
  if (code === 'internal' && !neverAllowed.test(text)) return 'a fault of our own';
  if (refusedBySystem.test(text)) return 'something outside was touched';
  return null;
}

/** Malformed frames: each must close its socket or get an error, without other effects. */
async function hostileFrames(
  ground: Workspace,
  seed: number,
  count: number,
  note: (what: string) => void,
): Promise<number> {
  let refused = 0;
  for (let index = 0; index < count; index++) {
    const random = new Random(seed * 7_000_003 + index);
    const wire = await ground.wire();
    const frame = hostileFrame(random);
    const outcome = await wire.call('1', frame, timeoutMs.event * 5);
    wire.close();
    if (outcome.kind === 'closed' || outcome.kind === 'error' || outcome.kind === 'stopped') refused++;
    else if (outcome.kind !== 'value') note(`${outcome.kind}: ${frame.slice(0, 500)} -> ${outcome.text}`);
  }
  if (!(await ground.answers())) note('the application does not answer after hostile frames');
  return refused;
}
