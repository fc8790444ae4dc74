import { compareLas } from './las.ts';
import { scorePollock } from './pollock.ts';
import { compareTapes } from './tapes.ts';

// Reads files that others collected, which aren't part of this project:
//   pollock DIR      a folder of the Pollock benchmark, with `csv` and `clean`
//   las DIR PYTHON   LAS files, and a Python that has lasio
//   dlis DIR PYTHON FURTHER, lis DIR PYTHON   files of these formats, a Python that has dlisio, and a further folder

const [kind, folder, python, written] = process.argv.slice(2);
if (kind === 'pollock' && folder !== undefined) await scorePollock(folder);
else if (kind === 'las' && folder !== undefined && python !== undefined)
  process.exitCode = await compareLas(folder, python);
else if ((kind === 'dlis' || kind === 'lis') && folder !== undefined && python !== undefined)
  process.exitCode = await compareTapes(kind, written === undefined ? [folder] : [folder, written], python);
else {
  console.error('Usage: npm run corpus -- pollock|las|dlis|lis DIR');
  process.exitCode = 2;
}
