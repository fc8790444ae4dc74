// Reads files that others collected, and scores or compares the result (test/corpus):
//   npm run corpus -- pollock DIR    a folder of the Pollock benchmark, with `csv` and `clean`
//   npm run corpus -- las DIR        LAS files, compared with lasio value by value; needs Python 3 with venv
//   npm run corpus -- dlis DIR       DLIS files of a folder, and some that dliswriter writes, compared with dlisio
//   npm run corpus -- lis DIR        LIS files, compared with dlisio
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePython, packagesIn } from './lib/python.mjs';
import { run } from './lib/run.mjs';
import { root, runProgram } from './lib/setup.mjs';

const args = process.argv.slice(2);
if (args[0] === 'las') {
  const packages = packagesIn(join(root, 'test', 'interop', 'requirements.txt'));
  const lasio = packages.filter((name) => name.startsWith('lasio=='));
  const { python, missing } = await ensurePython(join(root, 'out', 'corpus'), lasio);
  if (missing.length > 0) throw new Error('lasio couldn’t be installed.');
  args.push(python);
}
if (args[0] === 'dlis' || args[0] === 'lis') {
  const place = join(root, 'out', 'corpus');
  const { python, missing } = await ensurePython(
    place,
    packagesIn(join(root, 'test', 'corpus', 'requirements.txt')),
  );
  if (missing.length > 0) throw new Error(`${missing.join(' and ')} couldn’t be installed.`);
  args.push(python);
  if (args[0] === 'dlis') {
    const written = join(place, 'dlis');
    mkdirSync(written, { recursive: true });
    await run(python, [join(root, 'test', 'corpus', 'dlis_files.py'), written], { quiet: true });
    args.push(written);
  }
}
process.exitCode = await runProgram('test/corpus/corpus.ts', args, { cwd: process.cwd() });
