import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { tableEngines } from '../../../../src/main/core/duckdb/table-engine.ts';
import { adapters as allAdapters } from '../../../../src/main/core/tables/sources/readers.ts';
import { createExportEngine } from '../../../../src/main/features/export/run.ts';
import { startProcess, type StartProcess } from '../../../../src/main/world/threads.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { openSqlEngine } from '../../../../src/main/core/duckdb/sql-engine.ts';
import { useFolders } from '../../../support/folders.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import { folderPlanFor } from '../../features/export/support/folders.ts';
import { planFor, runExport } from '../../features/export/support/jobs.ts';
import { Rows } from '../../features/export/support/rows.ts';
import { recordsService } from '../../features/export/support/service.ts';

const folder = useFolders();
const servers = useServers();
const open = useServices();

const hook = pathToFileURL(join(import.meta.dirname, 'support/hidden-library.mjs')).href;
/** Processes that don't find the library. */
const start: StartProcess = (name, env) => startProcess(name, { ...env, NODE_OPTIONS: `--import ${hook}` });

const missing = new AppError('sql_unavailable', { reason: 'missing' }).toBody();

describe('a computer without the library of DuckDB', () => {
  const rows = new Rows(['{"_id":"a","timestamp":1}', '{"_id":"b","timestamp":2}']);
  const engine = createExportEngine(async () => tableEngines({ start }));

  it.each([
    ['a Parquet file', (path: string) => Promise.resolve(planFor(path, { format: 'parquet' }))],
    ['a folder', (path: string) => folderPlanFor(join(path, 'folder'), rows, { partition: ['day'] })],
    ['a mirror', (path: string) => folderPlanFor(join(path, 'mirror'), rows, { mirror: { overlapMs: 1 } })],
  ])('gets an error that says so when it exports to %s', async (_, planOf) => {
    const server = await servers.http(recordsService(rows));
    const plan = await planOf(await folder());
    const run = runExport(open(server.url), await folder(), plan, {}, engine);
    await expect(run).rejects.toMatchObject(missing);
  });

  it('gets an error that says so from SQL', async () => {
    const filesOf = async () => [];
    const sql = openSqlEngine({ folder: await folder(), memoryMb: async () => 256, start, filesOf });
    await expect(sql.open([])).rejects.toMatchObject(missing);
    sql.close();
  });

  it('reads tables of other formats, and gets an error that says so from a Parquet file', async () => {
    const adapters = new URL('../../../../src/main/core/tables/sources/readers.ts', import.meta.url).href;
    const file = join(await folder(), 'a.parquet');
    writeFileSync(file, 'PAR1');
    const script = `
      const { adapters } = await import(${JSON.stringify(adapters)});
      const { signal } = new AbortController();
      const parquet = adapters.find(({ format }) => format === 'parquet');
      const error = await parquet.open(${JSON.stringify(file)}, { fileName: 'a.parquet', signal }).catch((failure) => failure);
      console.log(JSON.stringify({ count: adapters.length, error: error.toBody() }));`;
    const args = ['--import', hook, '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(JSON.parse(stdout)).toMatchObject({ count: allAdapters.length, error: missing });
  });

  it('exports to other formats', async () => {
    const server = await servers.http(recordsService(rows));
    const place = await folder();
    await runExport(open(server.url), await folder(), planFor(place, { format: 'ndjson' }), {}, engine);
    expect(readFileSync(join(place, 'out.ndjson'), 'utf8').split('\n')).toHaveLength(3);
  });
});
