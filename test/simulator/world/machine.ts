import { AsyncLocalStorage } from 'node:async_hooks';
import { Chance } from './chance.ts';
import { Disk } from './disk.ts';

// Time, computers, and processes. All of them share one thread: whatever an engine waits for is an event of the world, and
// the next event happens when nothing more can be done before it. So a history follows from its seed.

const turn = setImmediate;

/** What a call of a process fails with once the process is dead: it undoes nothing and starts nothing. */
class Dead extends Error {
  constructor() {
    super('the process is dead');
    this.name = 'Dead';
  }
}

/** Something that will happen, or a timer of a process. */
export class Coming {
  at: number;
  readonly order: number;
  readonly owner: Process | null;
  run: (() => void) | null;

  constructor(at: number, order: number, owner: Process | null, run: () => void) {
    this.at = at;
    this.order = order;
    this.owner = owner;
    this.run = run;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    throw new Error('a simulated timer can’t begin again');
  }

  close(): this {
    this.run = null;
    return this;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  [Symbol.toPrimitive](): number {
    return this.order;
  }
}

/** A history that doesn’t end, or whose engines wait for nothing that will happen. */
export class Endless extends Error {}

/** Limits of a history: none that is sound comes near them. */
const limits = { events: 400_000, ms: 30 * 86_400_000 };

export interface Line {
  readonly ms: number;
  readonly who: string;
  readonly what: string;
}

/** One history: its time, its chance, its events. */
export class World {
  /** Milliseconds since the start. */
  now = 0;
  /** Wall time at the start, in Unix milliseconds. */
  readonly epoch: number;
  readonly chance: Chance;
  readonly lines: Line[] = [];
  readonly #coming: Coming[] = [];
  #order = 0;
  #events = 0;
  /** Calls outside of this thread, for which time stands still. */
  #outside = 0;
  #arrived: (() => void) | null = null;

  /** Whether each step of a process is noted. */
  static isVerbose = false;
  /** The world of the history that runs. */
  static current: World | null = null;

  constructor(seed: number) {
    World.current = this;
    this.chance = new Chance(seed);
    this.epoch = Date.UTC(2026, 10, 28) + this.chance.integer(0, 86_400_000);
  }

  note(what: string, who = Process.current()?.name ?? ''): void {
    // The number of this process isn't part of the history.
    this.lines.push({ ms: this.now, who, what: what.replace(`.${process.pid}-`, '.') });
  }

  /** Lets something happen after some milliseconds; nothing does once its process is dead. */
  after(ms: number, run: () => void, owner: Process | null = Process.current() ?? null): Coming {
    const coming = new Coming(this.now + Math.max(0, ms), (this.#order += 1), owner, run);
    this.#push(coming);
    return coming;
  }

  /** Waits some milliseconds outside of any process. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve, null));
  }

  /** Waits for work that this thread doesn’t do. The time of the world stands still meanwhile. */
  async outside<T>(work: Promise<T>): Promise<T> {
    this.#outside += 1;
    try {
      return await work;
    } finally {
      this.#outside -= 1;
      this.#arrived?.();
    }
  }

  /** Lets everything happen until a promise settles. @throws Endless */
  async run<T>(main: Promise<T>): Promise<T> {
    let isSettled = false;
    const settle = (): void => void (isSettled = true);
    main.then(settle, settle);
    for (;;) {
      await new Promise<void>((resolve) => void turn(resolve));
      if (isSettled) return main;
      if (this.#outside > 0) {
        await new Promise<void>((resolve) => (this.#arrived = resolve));
        continue;
      }
      const next = this.#pop();
      if (!next) throw new Endless('nothing will happen any more');
      this.now = next.at;
      if (!next.run || next.owner?.isDead === true) continue;
      this.#events += 1;
      if (this.#events > limits.events) throw new Endless(`more than ${limits.events} events`);
      if (this.now > limits.ms) throw new Endless('more than a month');
      const { run } = next;
      next.run = null;
      if (next.owner) next.owner.enter(run);
      else Process.outside(run);
    }
  }

  #push(coming: Coming): void {
    const heap = this.#coming;
    let at = heap.push(coming) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (!parent || isBefore(parent, coming)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = coming;
  }

  #pop(): Coming | undefined {
    const heap = this.#coming;
    const [first] = heap;
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const one = heap[left];
      if (!one) break;
      const other = heap[left + 1];
      const [below, place] = other && isBefore(other, one) ? [other, left + 1] : [one, left];
      if (isBefore(last, below)) break;
      heap[at] = below;
      at = place;
    }
    heap[at] = last;
    return first;
  }
}

const isBefore = (one: Coming, other: Coming): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** A disk, a clock, and the processes that use them. */
export class Computer {
  readonly name: string;
  readonly world: World;
  readonly disk: Disk;
  /** How far its clock is off, in milliseconds. */
  clockOffset = 0;
  readonly processes = new Set<Process>();

  constructor(name: string, world: World) {
    this.name = name;
    this.world = world;
    this.disk = new Disk(world);
  }

  /** Kills all processes, and makes of the disk what a power loss leaves. */
  losePower(): void {
    this.world.note('loses power', this.name);
    for (const process of this.processes) process.die('power loss');
    this.disk.losePower();
  }
}

/** How a process dies: at one of its steps, before it is done, when a part of it is, or after it. */
export interface Death {
  readonly step: number;
  readonly when: 'before' | 'midway' | 'after';
  readonly by: 'kill' | 'power';
}

const running = new AsyncLocalStorage<Process | undefined>();

/** A process of the application. What it does carries it along, so that each call knows whose it is. */
export class Process {
  readonly name: string;
  readonly computer: Computer;
  isDead = false;
  /** Calls of files and requests so far. */
  steps = 0;
  death: Death | null;
  readonly died = Promise.withResolvers<void>();
  readonly #pending = new Set<(error: Error) => void>();

  constructor(name: string, computer: Computer, death: Death | null) {
    this.name = name;
    this.computer = computer;
    this.death = death;
    computer.processes.add(this);
  }

  static current(): Process | undefined {
    return running.getStore();
  }

  /** The process that makes a call. @throws Error for a call from outside of all processes */
  static caller(): Process {
    const process = running.getStore();
    if (!process) throw new Error('a call of no process');
    return process;
  }

  static outside<T>(work: () => T): T {
    return running.run(undefined, work);
  }

  enter<T>(work: () => T): T {
    return running.run(this, work);
  }

  die(why: string): void {
    if (this.isDead) return;
    this.isDead = true;
    this.computer.world.note(`dies (${why}) at step ${this.steps}`, this.name);
    this.computer.processes.delete(this);
    this.computer.disk.closeFilesOf(this);
    // What waits is told, so that nothing that all processes of this thread share waits for a dead one.
    const waiting = [...this.#pending];
    this.#pending.clear();
    for (const reject of waiting) reject(new Dead());
    this.died.resolve();
  }

  /** Counts a step, and does it unless the process dies at it. */
  #do<T>(work: () => T, part: (() => void) | undefined, what: string): { readonly value: T } | null {
    this.steps += 1;
    const { death } = this;
    if (World.isVerbose) this.computer.world.note(`step ${this.steps}: ${what}`, this.name);
    if (death?.step !== this.steps) return { value: work() };
    this.computer.world.note(`is ended ${death.when} ${what}`, this.name);
    try {
      if (death.when === 'midway') part?.();
      else if (death.when === 'after') work();
    } catch {
      // It would have failed.
    }
    if (death.by === 'power') this.computer.losePower();
    else this.die('kill');
    return null;
  }

  /** A call that blocks. @throws Dead when the process is dead */
  doNow<T>(work: () => T, what: string, part?: () => void): T {
    if (this.isDead) throw new Dead();
    const done = this.#do(work, part, what);
    if (!done) throw new Dead();
    return done.value;
  }

  /** A call that takes some time. @throws Dead when the process is dead */
  do<T>(ms: number, work: () => T, what: string, part?: () => void): Promise<T> {
    if (this.isDead) return Promise.reject(new Dead());
    return new Promise((resolve, reject) => {
      this.#pending.add(reject);
      this.computer.world.after(
        ms,
        () => {
          let done: { readonly value: T } | null;
          try {
            done = this.#do(work, part, what);
          } catch (error) {
            this.#pending.delete(reject);
            reject(error instanceof Error ? error : new Error(String(error)));
            return;
          }
          if (!done) return;
          this.#pending.delete(reject);
          resolve(done.value);
        },
        this,
      );
    });
  }

  /** Waits some milliseconds. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (this.isDead) return new Promise(() => undefined);
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        end();
        reject(
          Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' }),
        );
      };
      const timer = this.computer.world.after(
        ms,
        () => {
          end();
          resolve();
        },
        this,
      );
      const end = (): void => {
        timer.close();
        this.#pending.delete(reject);
        signal?.removeEventListener('abort', abort);
      };
      this.#pending.add(reject);
      if (signal?.aborted === true) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  }
}
