import { randomBytes } from 'node:crypto';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../../shared/settings/settings.ts';
import type { StartProcess } from '../processes/start-process.ts';
import { openSqlEngine, type SqlEngine } from './sql-engine.ts';

/** The engine doesn't start with less. */
const minMemoryMb = 256;

/** A memory limit in MB. */
function memoryMbOf(limit: Settings['sqlMemory']): number {
  const all = totalmem() / 2 ** 20;
  if (limit !== 'quarter' && limit !== 'half') return Number(limit) * 1024;
  return Math.max(minMemoryMb, Math.floor(limit === 'half' ? all / 2 : all / 4));
}

interface EngineOptions {
  readonly dataFolder: string;
  readonly memory: () => Promise<Settings['sqlMemory']>;
  readonly startProcess?: StartProcess | undefined;
  /** Writes to the log. */
  readonly warn?: ((sentence: string) => void) | undefined;
}

/** The folder that has a folder for each running process of Wellbench that uses the engine. */
export const enginesFolder = (dataFolder: string): string => join(dataFolder, 'sql');

/** The engine of this process, and the folder of its files. */
export interface OpenedEngine {
  readonly engine: SqlEngine;
  readonly folder: string;
}

/** Opens the SQL engine of this process; statements and jobs share it. */
export function openEngine({ dataFolder, memory, startProcess, warn }: EngineOptions): OpenedEngine {
  const name = `${process.pid}-${randomBytes(6).toString('hex')}`;
  const folder = join(enginesFolder(dataFolder), name);
  const memoryMb = async (): Promise<number> => memoryMbOf(await memory());
  return { folder, engine: openSqlEngine({ folder, memoryMb, start: startProcess, warn }) };
}
