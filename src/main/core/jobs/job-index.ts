import { createHash } from 'node:crypto';
import { writeWhole } from '../files/disk.ts';
import { open, readFile } from '../../world/files.ts';

/** What jobs are looked up by: the work that they claimed, the name of their file of rejected rows, or their original. */
export type LookUp = 'claim' | 'rejects' | 'parent';

/** The key that a line has of what its job is looked up by. */
export const keyOf = (by: LookUp, text: string): string =>
  createHash('sha256').update(`${by} ${text}`).digest('base64url').slice(0, 12);

/**
 * A line of the index, of a job that is done: its id, when its summary was written and the job ended, in Unix milliseconds,
 * whether it can be removed (`r`) or is kept (`k`), and what it is looked up by. Nothing that a kill, a power loss, or two
 * processes make of two lines is one.
 */
const linePattern = /^\d{8}-\d{9}-[\da-f]{6} \d+ \d+ [rk](?: [\w-]{12})*$/;
/** The id of the job of a line. */
export const idOf = (line: string): string => line.slice(0, line.indexOf(' '));
/** The facts of a line. Lines are taken apart one by one: thousands take longer than to read them. */
export function factsOf(line: string) {
  const [, written, ended, mark] = line.split(' ');
  return { writtenMs: Number(written), endedMs: Number(ended), canRemove: mark === 'r' };
}

/** Whether its job is looked up by anything. */
export const hasKeys = (line: string): boolean => line.split(' ').length > 4;

/** The line of a job. */
export const lineOf = (
  id: string,
  { writtenMs, endedMs, canRemove }: ReturnType<typeof factsOf>,
  keys: readonly string[],
): string => [id, writtenMs, endedMs, canRemove ? 'r' : 'k', ...keys].join(' ');

/** Lines of removed jobs that the index may have before it is written again. */
const maxDeadLines = 1000;

/**
 * The index of jobs: a line for each job that is done, which nothing changes any more: what it is looked up by, and whether
 * it can be removed. All other jobs are read from their folders, so that a line that is missing costs a read, and hides
 * nothing. The file is never flushed, and needs no lock: a line that another process adds while this one replaces them is
 * lost, so that its job is read from its folder and gets a new one. Nothing that it does fails.
 */
export class JobIndex {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** The lines of the jobs that the index has, and the ids of the others. @param ids of all jobs, in their order */
  async split(ids: readonly string[]) {
    const lines = await this.#read();
    const lineById = new Map(lines.map((line) => [idOf(line), line]));
    const finished = ids.flatMap((id) => lineById.get(id) ?? []);
    const otherIds = ids.filter((id) => !lineById.has(id));
    if (lines.length - finished.length > maxDeadLines) await this.#replace(finished);
    return { finished, otherIds };
  }

  async add(lines: readonly string[]): Promise<void> {
    // A job whose name isn't one of this version is always read.
    const text = textOf(lines.filter((line) => linePattern.test(line)));
    if (text === '') return;
    try {
      const file = await open(this.#path, 'a', 0o600);
      try {
        await file.appendFile(text);
      } finally {
        await file.close();
      }
    } catch {
      // The disk is full, or another program holds the file.
    }
  }

  async drop(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#replace((await this.#read()).filter((line) => !ids.includes(idOf(line))));
  }

  /** Sorted by id. */
  async #read(): Promise<string[]> {
    const text = await readFile(this.#path, 'utf8').catch(() => '');
    const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
    return lines.filter((line) => linePattern.test(line)).sort();
  }

  #replace(lines: readonly string[]): Promise<void> {
    return writeWhole(this.#path, textOf(lines)).catch(() => undefined);
  }
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
