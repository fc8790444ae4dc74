import { mkdir, rm } from 'node:fs/promises';
import { tableCalls } from '../../src/main/core/duckdb/table-calls.ts';
import type { StartTableEngine } from '../../src/main/core/duckdb/table-engine.ts';

/** Starts engines of tables in this process. */
export const startTablesHere: StartTableEngine = () => {
  const calls = tableCalls();
  let folder: string | undefined;
  async function rest(): Promise<void> {
    await calls.closeFiles();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
  return {
    load: calls.load,
    async open(files) {
      folder = files.folder;
      await mkdir(folder, { recursive: true });
      await calls.openFiles(files);
    },
    run: async (sql) => calls.run({ sql }),
    rest,
    close: rest,
  };
};
