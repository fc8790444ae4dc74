// Other programs read what Wellbench wrote, and every value is compared with what the service has (test/interop).
//   npm run interop [-- --records N] [--mirror-records N] [--readers a,b] [--report FILE]
// --mirror-records: only a mirror of N records, and its updates with deletions and new columns.
// Needs Python 3.10 or newer with venv, and Java 17 for Spark; Maven and Java 24 for Trino. The readers of test/interop/requirements.txt are installed
// into out/interop; LibreOffice is installed from Debian's packages if this is Debian and the user is root. What can't be
// installed is listed and skipped. Exit code 1: a value differs.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installFromDebian } from './lib/debian.mjs';
import { ensurePython, packagesIn } from './lib/python.mjs';
import { run, say } from './lib/run.mjs';
import { ensureBuild, ensureDependencies, pinnedEnvironment, pinnedNode, root } from './lib/setup.mjs';
import { ensureTrino } from './lib/trino.mjs';

const { values } = parseArgs({
  options: {
    records: { type: 'string' },
    'mirror-records': { type: 'string' },
    readers: { type: 'string' },
    report: { type: 'string' },
  },
});
const place = join(root, 'out', 'interop');
const works = async (program, args) => (await run(program, args, { quiet: true })) === 0;

async function ensureLibreOffice() {
  if (await works('soffice', ['--version'])) return true;
  await installFromDebian('LibreOffice', ['libreoffice-calc']);
  return works('soffice', ['--version']);
}

await ensureDependencies();
if ((await ensureBuild()) !== 0) throw new Error('The build failed.');
const packages = packagesIn(join(root, 'test', 'interop', 'requirements.txt'));
const { python, missing: notInstalled } = await ensurePython(place, packages);
const missing = new Set(notInstalled);
const needs = {
  pyarrow: 'pyarrow',
  pandas: 'pandas',
  polars: 'polars',
  duckdb: 'duckdb',
  openpyxl: 'openpyxl',
  lasio: 'lasio',
  spark: 'pyspark',
  deltalake: 'deltalake',
  'spark-delta': 'delta-spark',
  trino: 'trino',
};
const skipped = Object.keys(needs).filter((reader) => missing.has(needs[reader]));
if (!(await works('java', ['-version']))) skipped.push('spark', 'spark-delta');
const wanted = values.readers?.split(',') ?? [...Object.keys(needs), 'libreoffice'];
if (wanted.includes('libreoffice') && !(await ensureLibreOffice())) skipped.push('libreoffice');
const trino = wanted.includes('trino') ? await ensureTrino(place) : null;
if (trino === null) skipped.push('trino');
const readers = wanted.filter((reader) => !skipped.includes(reader));
for (const reader of wanted.filter((name) => skipped.includes(name)))
  say(`${reader} · skipped: it couldn’t be installed`);
process.exitCode = await run(
  pinnedNode(),
  [
    join(root, 'test', 'interop', 'run.ts'),
    '--python',
    python,
    '--readers',
    readers.join(','),
    ...['records', 'mirror-records', 'report'].flatMap((name) =>
      values[name] ? [`--${name}`, values[name]] : [],
    ),
  ],
  {
    cwd: root,
    env: { ...pinnedEnvironment(), ...trino, WELLBENCH_TEST_CLI: join(root, 'out', 'main', 'cli.js') },
  },
);
