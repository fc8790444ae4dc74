// The upload of a workbook over the whole path, from the file to the service: `node test/bench/upload-workbook.ts
// [ROWS] [ROUNDS]`, after a build.
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { writeXlsxStream } from 'hucre';
import { printCost } from './support/cost.ts';
import { attempt, median, printFigure } from './support/figures.ts';
import { runCommand, requireAll, startService, type Observed } from './support/processes.ts';
import { firstTime, stepMs } from './support/records.ts';

const rows = Number(process.argv[2] ?? 300_000);
const rounds = Number(process.argv[3] ?? 3);
const columns = 12;
const names = ['timestamp', 'asset_id', ...Array.from({ length: columns - 2 }, (_, at) => `channel_${at}`)];
const runs: Observed[] = [];

function* rowsOf(): Generator<number[]> {
  for (let row = 0; row < rows; row++) {
    const channels = names.slice(2).map((_, at) => Math.round(Math.sin(row * (at + 1)) * 1e6) / 1000);
    yield [firstTime + row * stepMs, 5001 + (row % 7), ...channels];
  }
}

const folder = await mkdtemp(join(tmpdir(), 'wellbench-bench-'));
const file = join(folder, 'rows.xlsx');
const headers = names.map((header) => ({ header }));
await pipeline(
  Readable.from(writeXlsxStream(rowsOf(), { name: 'Data', columns: headers })),
  createWriteStream(file),
);
const service = await startService(0);
try {
  await attempt('upload of .xlsx', async () => {
    for (let round = 0; round < rounds; round++)
      runs.push(
        requireAll(
          await runCommand(service.port, ['upload', 'bench/time', file, '--json']),
          'accepted',
          rows,
        ),
      );
    const name = `upload of .xlsx, rows × ${columns}, whole path`;
    printFigure({
      name,
      ours: median(runs.map(({ ms }) => rows / (ms / 1000))),
      floor: null,
      unit: 'rows/s',
      goal: '',
    });
    const work = median(runs.map(({ processorMs }) => rows / (processorMs / 1000)));
    printFigure({
      name: `${name}, in a second of processor time`,
      ours: work,
      floor: null,
      unit: 'rows/s',
      goal: '',
    });
  });
  await printCost('upload of .xlsx', runs, () => runCommand(service.port, ['datasets']));
} finally {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}
