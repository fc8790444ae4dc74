// Scores the reading of files that others collected (test/corpus): `npm run corpus -- pollock DIR`.
import { join } from 'node:path';
import { run } from './lib/run.mjs';
import { pinnedNode, root } from './lib/setup.mjs';

const corpus = join(root, 'test', 'corpus', 'corpus.ts');
process.exitCode = await run(pinnedNode(), [corpus, ...process.argv.slice(2)], { cwd: process.cwd() });
