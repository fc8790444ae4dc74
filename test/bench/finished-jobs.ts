import { parseArgs } from 'node:util';
import { writeJobs } from '../support/finished-jobs.ts';

// Fills a data folder with jobs that are done, to measure what commands cost with them:
//   node test/bench/finished-jobs.ts --folder DIR [--count 10000]

const { values } = parseArgs({
  options: { folder: { type: 'string' }, count: { type: 'string', default: '10000' } },
});
if (values.folder === undefined) throw new Error('name the data folder with --folder');
const count = Number(values.count);
const result = { rows: 949, bytes: 52_000, sha256: 'a'.repeat(64), expected: 949, warnings: [] };
writeJobs(values.folder, count, Date.now() - count * 60_000, { summary: { result } });
