// Runs the conformance suite against any pair of services:
//   npm run conformance -- --data-url URL [--platform-url URL] [--write time=P/D,depth=P/D,…]
// WELLBENCH_API_KEY has the key, WELLBENCH_READ_KEY a second one with read access, WELLBENCH_EMAIL and WELLBENCH_PASSWORD
// the sign-in. Without an address, it tests the demo. Records are inserted only into the datasets of --write.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    'data-url': { type: 'string' },
    'platform-url': { type: 'string' },
    write: { type: 'string' },
  },
});
if (values['data-url'] && !process.env['WELLBENCH_API_KEY']) {
  console.error('Set the variable WELLBENCH_API_KEY to the API key.');
  process.exit(2);
}
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { resolve } = createRequire(import.meta.url);
const vitest = join(dirname(resolve('vitest/package.json')), 'vitest.mjs');
const env = { ...process.env };
if (values['data-url']) env['WELLBENCH_CONFORMANCE_DATA_URL'] = values['data-url'];
if (values['platform-url']) env['WELLBENCH_PLATFORM_URL'] = values['platform-url'];
if (values.write) env['WELLBENCH_WRITE'] = values.write;
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/conformance'], {
  cwd: root,
  env,
  stdio: 'inherit',
});
process.exit(status ?? 1);
