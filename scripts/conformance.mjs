// Runs the conformance suite against any pair of services:
//   npm run conformance -- --data-url URL [--platform-url URL] [--write time=P/D,depth=P/D,…]
// WELLBENCH_API_KEY has the key, WELLBENCH_READ_KEY a second one with read access, WELLBENCH_EMAIL and WELLBENCH_PASSWORD
// the sign-in. Without an address, it tests the demo. Records are inserted only into the datasets of --write.
import { parseArgs } from 'node:util';
import { pinnedEnvironment, runTool } from './lib/setup.mjs';

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
const env = pinnedEnvironment();
if (values['data-url']) env['WELLBENCH_CONFORMANCE_DATA_URL'] = values['data-url'];
if (values['platform-url']) env['WELLBENCH_PLATFORM_URL'] = values['platform-url'];
if (values.write) env['WELLBENCH_WRITE'] = values.write;
process.exitCode = await runTool('vitest/vitest.mjs', ['run', 'test/conformance'], { env });
