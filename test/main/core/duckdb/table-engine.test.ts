import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tableEngines } from '../../../../src/main/core/duckdb/table-engine.ts';
import { reusedProcesses } from '../../../../src/main/core/processes/idle-process.ts';
import { createMemoryBudget } from '../../../../src/main/core/processes/memory-budget.ts';
import { startProcess, type ProcessPort } from '../../../../src/main/world/threads.ts';
import { useFolders } from '../../../support/folders.ts';

const newFolder = useFolders();
const endless =
  'SELECT count(*) FROM range(1000000000000) a, range(1000000000000) b WHERE hash(a.range, b.range) = 1';

/** Processes that tests use one after another. */
const processes = reusedProcesses(startProcess);

/** Two engines, each with its folder and a file that it may read. */
async function openEngines(signal?: AbortSignal, startEngine = processes) {
  const start = tableEngines({ start: startEngine });
  const home = await newFolder();
  const openOne = async (name: string) => {
    const engine = start(signal);
    const path = join(home, `${name}.csv`);
    await writeFile(path, 'a\n1\n');
    await mkdir(join(home, name), { recursive: true });
    await engine.open({ folder: join(home, name), reads: [{ path, name }], name, memoryMb: 64 });
    return { engine, path, folder: join(home, name) };
  };
  const [first, second] = [await openOne('first'), await openOne('second')];
  return { start, home, first, second };
}

describe('the engine of a job', () => {
  it('reads its files, and writes into its folder', async () => {
    const { first, second } = await openEngines();
    const out = join(first.folder, 'out.parquet');
    expect(await first.engine.run(`COPY (FROM read_csv('${first.path}')) TO '${out}'`)).toEqual([['1']]);
    expect(await readdir(first.folder)).toContain('out.parquet');
    await first.engine.close();
    await second.engine.close();
    expect(existsSync(first.folder)).toBe(false);
  });

  it('reads each file anew that takes the place of another, also one of the same size and time', async () => {
    const { first, second } = await openEngines();
    const place = join(first.folder, 'part.parquet');
    const time = new Date();
    for (const value of [1001, 1002]) {
      const written = join(first.folder, `${value}.parquet`);
      await first.engine.run(`COPY (SELECT ${value} AS a) TO '${written}' (FORMAT parquet)`);
      // File systems give the next file the number of a removed one; here, the file itself stays.
      await writeFile(place, await readFile(written));
      await utimes(place, time, time);
      expect(await first.engine.run(`SELECT min(a) FROM read_parquet('${place}')`)).toEqual([[value]]);
    }
    await first.engine.close();
    await second.engine.close();
  });

  it('reaches no other file, and stays locked', async () => {
    const { first, second, home } = await openEngines();
    const outside = join(home, 'outside.parquet');
    for (const sql of [
      `FROM read_csv('${second.path}')`,
      `COPY (SELECT 1) TO '${outside}'`,
      `COPY (SELECT 1) TO '${join(second.folder, 'x.parquet')}'`,
      `SET enable_external_access = true`,
      `SET allowed_directories = ['/']`,
      `INSTALL httpfs`,
    ])
      await expect(first.engine.run(sql), sql).rejects.toMatchObject({ code: expect.any(String) });
    expect(existsSync(outside)).toBe(false);
    await first.engine.close();
    await second.engine.close();
  });

  it('names a damaged file and a missing one, without paths', async () => {
    const { first, second, home } = await openEngines();
    const failure = { code: 'file_unreadable', details: { file: 'first', reason: 'it is damaged' } };
    const run = first.engine.run(`FROM read_parquet('${first.path}')`);
    await expect(run).rejects.toMatchObject(failure);
    await expect(run).rejects.toThrow(expect.not.stringContaining(home));
    await first.engine.close();
    await second.engine.close();
  });

  it('ends with its job, whose cancel concerns no other', async () => {
    const stop = new AbortController();
    const { first, start, home } = await openEngines(stop.signal);
    const other = start(undefined);
    await other.open({ folder: join(home, 'other'), reads: [], name: 'other', memoryMb: 64 });
    const running = first.engine.run(endless);
    setTimeout(() => stop.abort(), 50);
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    await expect(first.engine.run('SELECT 1')).rejects.toMatchObject({ code: 'cancelled' });
    expect(await other.run('SELECT 1')).toEqual([[1]]);
    await other.close();
  });

  it('reports that its process ended, and the next job has another one', async () => {
    const ports: ProcessPort[] = [];
    const counted = reusedProcesses((...process) => {
      const port = startProcess(...process);
      ports.push(port);
      return port;
    });
    const { first, second, start } = await openEngines(undefined, counted);
    const running = first.engine.run(endless);
    setTimeout(() => ports[0]?.close(), 50);
    await expect(running).rejects.toMatchObject({ code: 'sql_unavailable', details: { reason: 'stopped' } });
    await first.engine.close();
    expect(await second.engine.run('SELECT 2')).toEqual([[2]]);
    await second.engine.close();
    await start(undefined).load();
    await start(undefined).load();
    expect(ports).toHaveLength(3);
  });

  it('waits for memory while others use theirs, and frees it when it closes or ends', async () => {
    const { reserve } = createMemoryBudget(async () => 600);
    const start = tableEngines({ start: processes, reserve });
    const home = await newFolder();
    const files = (name: string) => ({ folder: join(home, name), reads: [], name, memoryMb: 100 });
    const stop = new AbortController();
    const [first, second, third] = [start(undefined), start(stop.signal), start(undefined)];
    await first.open(files('first'));
    await second.open(files('second'));
    let isOpen = false;
    const opening = third.open(files('third')).then(() => (isOpen = true));
    expect(await second.run('SELECT 1')).toEqual([[1]]);
    expect(isOpen).toBe(false);
    stop.abort();
    await second.close();
    await opening;
    expect(await third.run('SELECT 3')).toEqual([[3]]);
    await Promise.all([first.close(), third.close()]);
    await start(undefined).open({ ...files('alone'), memoryMb: 256 });
  });
});
