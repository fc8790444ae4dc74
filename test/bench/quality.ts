// Checking records in memory: `node test/bench/quality.ts [RECORDS] [ROUNDS]`. The rate is of CPU time on one core,
// without the preparation of the records.
import { createBatchBuilder } from '../../src/shared/quality/batch.ts';
import { defaultMinFlatRecords, defaultSpikeThreshold } from '../../src/shared/settings/settings.ts';
import { createQualityCheck } from '../../src/shared/quality/engine.ts';
import { attempt, median, printFigure } from './support/figures.ts';

const records = Number(process.argv[2] ?? 2_000_000);
const rounds = Number(process.argv[3] ?? 3);
const fields = 15;
const batchRows = 10_000;
const start = Date.UTC(2026, 0, 1);

/** Records per second of CPU time. */
function check(): number {
  const quality = createQualityCheck({
    index: { field: 'timestamp', kind: 'time', unit: 's' },
    step: null,
    range: { from: null, to: null, excludesFrom: false, includesTo: false },
    wells: [],
    limitsOf: () => ({ min: -1e6, max: 1e6 }),
    unitOf: () => null,
    checks: { spikeThreshold: defaultSpikeThreshold, minFlatRecords: defaultMinFlatRecords },
  });
  const builder = createBatchBuilder(batchRows);
  const columns = Array.from({ length: fields }, (_, at) => builder.column(`data.channel_${at}`));
  const series = builder.series('5001');
  const values = columns.map(() => 50);
  let seed = 1;
  let micros = 0;
  const timed = (work: () => void): void => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    micros += user + system;
  };
  for (let row = 0; row < records; row += batchRows) {
    builder.clear();
    for (let at = row; at < row + batchRows; at += 1) {
      for (const column of columns) {
        seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff;
        values[column] = (values[column] ?? 0) * 0.99 + seed / 0x7fff_ffff;
        builder.number(column, Math.round((values[column] ?? 0) * 100) / 100);
      }
      builder.endRow(start + at * 1000, series);
    }
    timed(() => quality.add(builder.batch(), builder.seriesNames));
  }
  timed(() => void quality.report());
  return records / (micros / 1e6);
}

const name = `quality of ${fields} fields, one core`;
await attempt(name, async () => {
  const rates = Array.from({ length: rounds }, check);
  printFigure({ name, ours: median(rates), floor: null, unit: 'records/s', goal: '≥ 500000' });
});
