import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../shared/settings/settings.ts';
import { randomBytes } from '../world/random.ts';
import { startProcess, type StartProcess } from '../world/threads.ts';
import { openSqlEngine, type SqlEngine, type StartTableEngine, tableEngines } from './duckdb/duckdb.ts';
import { reusedProcesses } from './processes/idle-process.ts';
import { createMemoryBudget, type ReserveMemory } from './processes/memory-budget.ts';
import { checkpointReader, parquetFilesOf, type ReadCheckpoint } from './write/write.ts';

/** The engine of statements doesn't start with less than two thirds of this. */
const minMemoryMb = 384;

function memoryMbOf(limit: Settings['sqlMemory']): number {
  const all = totalmem() / 2 ** 20;
  if (limit !== 'quarter' && limit !== 'half') return Number(limit) * 1024;
  return Math.max(minMemoryMb, Math.floor(limit === 'half' ? all / 2 : all / 4));
}

interface EngineOptions {
  readonly dataFolder: string;
  readonly memory: () => Promise<Settings['sqlMemory']>;
  readonly startProcess?: StartProcess | undefined;
  readonly warn?: ((sentence: string) => void) | undefined;
}

/** The folder that has a folder for each running process of Wellbench that uses the engine. */
export const enginesFolder = (dataFolder: string): string => join(dataFolder, 'sql');

/** All engines share the processes that are idle. */
const reusedStart = reusedProcesses(startProcess);

/** The engines of this process, whose memory has one limit. */
export interface OpenedEngines {
  readonly engine: SqlEngine;
  readonly folder: string;
  readonly startTables: StartTableEngine;
  readonly readCheckpoint: ReadCheckpoint;
  /** The Parquet files of a folder, in order. @throws AppError as {@link parquetFilesOf} */
  readonly filesOf: (folder: string) => Promise<string[]>;
  /** Takes memory for reading a Parquet file. */
  readonly reserve: ReserveMemory;
}

/** Opens the engines of this process. */
export function openEngines({
  dataFolder,
  memory,
  startProcess: startOne,
  warn,
}: EngineOptions): OpenedEngines {
  const name = `${process.pid}-${randomBytes(6).toString('hex')}`;
  const folder = join(enginesFolder(dataFolder), name);
  const { statementMb, reserve } = createMemoryBudget(async () => memoryMbOf(await memory()));
  const start = startOne ? reusedProcesses(startOne) : reusedStart;
  const startTables = tableEngines({ start, reserve });
  const readCheckpoint = checkpointReader({ startTables, folder: join(folder, 'logs') });
  const filesOf = async (path: string): Promise<string[]> => parquetFilesOf(path, readCheckpoint);
  return {
    folder,
    engine: openSqlEngine({ folder, memoryMb: statementMb, start, warn, filesOf }),
    startTables,
    readCheckpoint,
    filesOf,
    reserve,
  };
}
