// SQL over a mirror: `node test/bench/sql.ts [ROWS] [ROUNDS]`. The mirror is made by the engine itself, in a folder of its own:
// 20 wells at one record a second, a file for each well and day. Our engine runs in its own process, with a thread for each core.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { maxSqlRows } from '../../src/shared/sql/sql.ts';
import { startProcess } from '../../src/main/world/threads.ts';
import { windowPage, openSqlEngine } from '../../src/main/core/duckdb/sql-engine.ts';
import { parquetFilesOf } from '../../src/main/core/write/write.ts';
import { attempt, median, printFigure } from './support/figures.ts';
import { withFolder } from './support/folder.ts';

const rows = Number(process.argv[2] ?? 10_000_000);
const rounds = Number(process.argv[3] ?? 3);
const wells = 20;

async function makeMirror(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const channels = ['rop', 'weight_on_bit', 'hook_load', 'rotary_rpm', 'standpipe_pressure', 'gas'];
  const values = channels.map((name, at) => `round(random() * 100, 2) + ${at} AS "data.${name}"`);
  await connection.run(`COPY (
    SELECT printf('%024x', i) AS _id, to_timestamp(1767225600 + i // ${wells}) AS timestamp, ${values.join(', ')},
      5001 + i % ${wells} AS asset_id, strftime(make_timestamp((1767225600 + i // ${wells}) * 1000000), '%Y-%m-%d') AS day
    FROM range(${rows}) AS r(i)
  ) TO '${folder}' (FORMAT parquet, PARTITION_BY (asset_id, day), COMPRESSION zstd, OVERWRITE_OR_IGNORE)`);
  connection.closeSync();
}

await withFolder(async (folder) => {
  const mirror = join(folder, 'mirror');
  await makeMirror(mirror);
  const filesOf = async (path: string) => parquetFilesOf(path, async () => []);
  const engine = openSqlEngine({
    folder: join(folder, 'engine'),
    memoryMb: async () => 2048,
    filesOf,
    start: startProcess,
  });
  const table = {
    name: 'wits',
    files: await filesOf(mirror),
    isPartitioned: true,
    units: {},
  };
  const run = async (sql: string): Promise<number> => {
    const before = performance.now();
    // The window shows the first page.
    for await (const { count } of engine.run(sql, windowPage(maxSqlRows), undefined)) if (count > 0) break;
    return Math.round(performance.now() - before);
  };
  const millions = `${rows / 1e6} million rows`;
  await attempt('SQL: first use', async () => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      engine.close();
      const before = performance.now();
      await engine.open([]);
      times.push(Math.round(performance.now() - before));
    }
    printFigure({ name: 'SQL: first use', ours: median(times), floor: null, unit: 'ms', goal: '≤ 300' });
  });
  const name = `SQL: ${millions} of a mirror by well and minute`;
  await attempt(name, async () => {
    await engine.open([{ table, folder: mirror }]);
    const sql =
      'SELECT asset_id, time_bucket(INTERVAL 1 minute, timestamp) AS minute, avg(data_rop) AS rop, max(data_gas) AS gas FROM wits GROUP BY ALL ORDER BY ALL';
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await run(sql));
    printFigure({ name, ours: median(times), floor: null, unit: 'ms', goal: '≤ 2000' });
  });
  engine.close();
});
