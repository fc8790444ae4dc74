import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WorkerName } from '../../src/main/world/workers.ts';

/**
 * Where the built worker of a name is. It takes the place of the module of the same function when `npm test` has built the
 * application: a thread from source costs 60 ms more of CPU time, a process 90 ms, and tests start thousands.
 */
export const workerUrl = (name: WorkerName): URL =>
  pathToFileURL(join(dirname(process.env['WELLBENCH_TEST_CLI'] ?? ''), `worker-${name}.js`));
