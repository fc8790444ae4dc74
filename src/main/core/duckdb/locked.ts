import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { allowedPaths, list } from './sql-text.ts';

/** Opens an engine that loads no extensions. @param settings those of the engine, by their names */
export const openInstance = async (settings: Readonly<Record<string, string>>): Promise<DuckDBInstance> =>
  DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    ...settings,
  });

interface Reachable {
  readonly files: readonly string[];
  /** The folders in which it reads and writes. */
  readonly folders: readonly string[];
}

/** From here on, the engine reaches nothing else. Its times are in UTC. */
export async function restrict(connection: DuckDBConnection, { files, folders }: Reachable): Promise<void> {
  for (const setting of [
    `TimeZone = 'UTC'`,
    `allowed_paths = ${list(allowedPaths(files))}`,
    `allowed_directories = ${list(folders)}`,
    'enable_external_access = false',
  ])
    await connection.run(`SET ${setting}`);
}

/** From here on, no statement changes a setting. */
export const lockSettings = async (connection: DuckDBConnection): Promise<void> => {
  await connection.run('SET lock_configuration = true');
};

/** An engine that reaches nothing but some files and folders. */
export interface LockedEngine {
  readonly connection: DuckDBConnection;
  close(): void;
}

/** Opens an engine that is restricted from its start. @param settings those of the engine, and of its connection */
export async function openLocked(
  settings: Readonly<Record<string, string>>,
  reachable: Reachable,
  connectionSettings: readonly string[] = [],
): Promise<LockedEngine> {
  const instance = await openInstance(settings);
  const connection = await instance.connect();
  for (const setting of connectionSettings) await connection.run(`SET ${setting}`);
  await restrict(connection, reachable);
  await lockSettings(connection);
  return {
    connection,
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
