import { scorePollock } from './pollock.ts';

// Scores the reading of files that others collected, which aren't part of this project:
//   pollock DIR   a folder of the Pollock benchmark, with `csv` and `clean`

const [kind, folder] = process.argv.slice(2);
if (kind === 'pollock' && folder !== undefined) await scorePollock(folder);
else {
  console.error('Usage: npm run corpus -- pollock DIR');
  process.exitCode = 2;
}
