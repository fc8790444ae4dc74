// Reads files that others collected, and scores or compares the result (test/corpus):
//   npm run corpus -- pollock DIR    a folder of the Pollock benchmark, with `csv` and `clean`
//   npm run corpus -- las DIR        LAS files, compared with lasio value by value; needs Python 3 with venv
import { join } from 'node:path';
import { ensurePython, packagesIn } from './lib/python.mjs';
import { root, runProgram } from './lib/setup.mjs';

const args = process.argv.slice(2);
if (args[0] === 'las') {
  const packages = packagesIn(join(root, 'test', 'interop', 'requirements.txt'));
  const lasio = packages.filter((name) => name.startsWith('lasio=='));
  const { python, missing } = await ensurePython(join(root, 'out', 'corpus'), lasio);
  if (missing.length > 0) throw new Error('lasio couldn’t be installed.');
  args.push(python);
}
process.exitCode = await runProgram('test/corpus/corpus.ts', args, { cwd: process.cwd() });
