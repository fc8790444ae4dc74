import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { DuckDBInstance } from '@duckdb/node-api';
import { openInstance } from './locked.ts';
import { mkdir } from '../../world/files.ts';

export interface EngineLimits {
  /** The folder of this process for what doesn't fit into memory. */
  readonly spillFolder: string;
  /** The memory of all instances of the process together. */
  readonly memoryMb: number;
}

/** An open database of the engine, with memory and a folder of its own. */
export interface Instance {
  readonly duckdb: DuckDBInstance;
  readonly memoryMb: number;
  /** Its connections must be closed: closing it while a statement runs crashes the process. */
  close(): void;
}

/**
 * The instances of jobs, which all jobs of a kind share. `files`: conversions, which read and write in order; each thread has
 * buffers of its own, of up to 32 MB. `places`: sorting and counting, which take all the memory that they may.
 */
const jobLimits = { files: { memoryMb: 256, threads: 4 }, places: { memoryMb: 96, threads: 1 } } as const;
export type JobKind = keyof typeof jobLimits;
/** An instance can't work with less. */
const minShareMb = 64;
/** How much of the free memory an instance for statements gets, so that the next one can open before it closes. */
const statementShare = 2 / 3;

const jobMb = (kind: JobKind, memoryMb: number): number =>
  Math.min(jobLimits[kind].memoryMb, Math.floor(memoryMb / 2));

export type Instances = ReturnType<typeof createInstances>;

/** The instances of a process. Each has its part of the memory limit, which the process can't exceed together. */
export function createInstances() {
  const statementMb: number[] = [];
  let lastNumber = 0;

  async function open(
    { spillFolder }: EngineLimits,
    memoryMb: number,
    threads: number,
  ): Promise<DuckDBInstance> {
    await mkdir(spillFolder, { recursive: true, mode: 0o700 });
    lastNumber += 1;
    return openInstance({
      memory_limit: `${memoryMb}MB`,
      threads: String(threads),
      // Instances that share a folder write into each other's files, and crash.
      temp_directory: join(spillFolder, String(lastNumber)),
    });
  }

  /** The memory for the next instance for statements. */
  function nextShare({ memoryMb }: EngineLimits): number {
    const ofJobs = jobMb('files', memoryMb) + jobMb('places', memoryMb);
    const free = memoryMb - ofJobs - statementMb.reduce((sum, mb) => sum + mb, 0);
    return Math.max(minShareMb, Math.floor(free * statementShare));
  }

  return {
    nextShare,
    /** Opens an instance for statements. Those that still run in an earlier instance keep their part of the memory. */
    async openForStatements(limits: EngineLimits): Promise<Instance> {
      const memoryMb = nextShare(limits);
      statementMb.push(memoryMb);
      const close = (): void => void statementMb.splice(statementMb.indexOf(memoryMb), 1);
      try {
        const duckdb = await open(limits, memoryMb, availableParallelism());
        return {
          duckdb,
          memoryMb,
          close() {
            duckdb.closeSync();
            close();
          },
        };
      } catch (error) {
        close();
        throw error;
      }
    },
    /** Opens the instance of all jobs of a kind. */
    async openForJobs(limits: EngineLimits, kind: JobKind): Promise<Instance> {
      const memoryMb = jobMb(kind, limits.memoryMb);
      const duckdb = await open(limits, memoryMb, Math.min(jobLimits[kind].threads, availableParallelism()));
      return { duckdb, memoryMb, close: () => duckdb.closeSync() };
    },
  };
}
