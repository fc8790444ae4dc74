import { globSync, readFileSync } from 'node:fs';
import { stat, utimes, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scanRepeatedTimes } from '../../../../../src/main/core/mapping/times.ts';
import { createCsvService } from '../../../../../src/main/core/mapping/csv-worker.ts';
import { scanGroups } from '../../../../../src/main/core/mapping/preparation.ts';
import { scan } from '../../../../../src/main/core/tables/reading/scan.ts';
import { checkFile } from '../../../../../src/main/features/quality/check-file.ts';
import { fileWith } from '../../../features/upload/support/files.ts';

const text = 'time,well,rop\n2026-01-01T00:00:00,1,10\n2026-01-01T00:00:01,1,11\n';

/** A file that was read, and the requests of later passes over it. */
async function readFileOnce() {
  const path = await fileWith(text, 'rig.csv');
  const first = scan({ path, fileName: 'rig.csv', reading: {}, layout: null, nulls: [], distinct: [] });
  const { layout, rows, bytes, mtimeMs } = first;
  const file = { path, fileName: 'rig.csv', places: null, expected: { bytes, mtimeMs }, layout, rows };
  return { path, first, file };
}

const passes: Record<string, (read: Awaited<ReturnType<typeof readFileOnce>>) => unknown> = {
  groups: ({ file }) => scanGroups({ ...file, by: 1 }),
  'repeated times': ({ file }) => scanRepeatedTimes({ ...file, nulls: [], columns: [], wells: [] }),
  'rows to send, or for a table of SQL': ({ file }) =>
    createCsvService().open({ ...file, rules: { columns: [], constants: [], nulls: [], required: [] } }),
  quality: ({ path, first }) =>
    checkFile({
      path,
      fileName: 'rig.csv',
      places: null,
      scan: first,
      facts: { index: null },
      fields: [],
      times: {},
      spikeThreshold: 8,
      minFlatRecords: 30,
      synonyms: new Map(),
    }),
};

describe.each(Object.entries(passes))('a later pass over a file, for its %s', (_what, pass) => {
  it('reads what the first one read, and nothing else', async () => {
    const same = await readFileOnce();
    pass(same);
    for (const other of [text.replace('10', '99'), `${text}2026-01-01T00:00:02,1,12\n`]) {
      const changed = await readFileOnce();
      const { atime, mtime } = await stat(changed.path);
      await writeFile(changed.path, other);
      await utimes(
        changed.path,
        atime,
        new Date(mtime.getTime() + (other.length === text.length ? 1000 : 0)),
      );
      expect(() => pass(changed)).toThrow(expect.objectContaining({ code: 'file_changed' }));
    }
  });
});

/** Those that read a file first: what they find is what later passes expect. So do the readers of formats, for a conversion. */
const firstPasses = [
  'core/tables/conversion/detect.ts',
  'core/tables/conversion/convert-file.ts', // conversions compare the file before and after
  'core/tables/reading/scan.ts',
  'core/tables/reading/source.ts',
];

it('whatever opens a file reads it first, or says what it expects', () => {
  const root = fileURLToPath(new URL('../../../../../src/main/', import.meta.url));
  const others = globSync('**/*.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !firstPasses.includes(file) && !file.startsWith('core/tables/sources/'));
  const unchecked = others.filter((file) => {
    const text = readFileSync(`${root}${file}`, 'utf8');
    const sources = [...text.matchAll(/openSource\(([^()]*)\)/g)];
    const tables = [...text.matchAll(/openTableFile\(([^()]*)\)/g)];
    return (
      sources.some(([, args = '']) => args.split(',').length < 4) ||
      // A record of a pass says it, too.
      tables.some(([, args = '']) => !/^file,|expected/.test(args.trim()))
    );
  });
  expect(unchecked).toEqual([]);
});
