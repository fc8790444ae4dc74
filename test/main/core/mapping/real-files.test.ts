import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, describe, test } from 'vitest';
import { propose } from '../../../../src/main/core/mapping/proposals.ts';
import { createValidation } from '../../../../src/main/core/mapping/validation.ts';
import type { DatasetField } from '../../../../src/shared/datasets/fields.ts';
import { sureConfidence } from '../../../../src/shared/upload/proposals.ts';
import { folder } from '../../features/upload/support/facts.ts';
import { inProcessThread, readingWith } from '../../features/upload/support/uploads.ts';
import { datasets, realFiles, type RealFile } from './real-columns.ts';
import { noSynonyms } from '../../../../src/shared/channels/channels.ts';

const fieldsOf = (name: RealFile['dataset']): DatasetField[] =>
  Object.entries(datasets[name].fields).map(([field, facts]): DatasetField => {
    const path = `data.${field}`;
    if (typeof facts === 'string') return { path, from: 'sample', types: ['string'] };
    const [unit, min, max] = facts;
    return {
      path,
      from: 'sample',
      types: ['number'],
      range: { min, max },
      ...(unit === null ? {} : { unit }),
    };
  });

async function inspect({ file, table }: RealFile) {
  const path = join(folder, file);
  const { inspect: inspectFile } = createValidation({
    files: { source: () => ({ place: 'path', path, name: basename(path) }) },
    connections: { services: () => expect.fail('no service is asked') },
    store: { related: async () => [], plan: async () => null },
    ...readingWith(() => inProcessThread()),
  });
  return inspectFile({ source: 'a'.repeat(24), nulls: [], table }, {});
}

describe.skipIf(!existsSync(folder))(
  'fields for the columns of real files (skipped without ../shared/data)',
  () => {
    const wrong: string[] = [];
    const missing: string[] = [];
    const count = { selected: 0, right: 0, expected: 0 };

    test.each(realFiles)('$file $table', async (real) => {
      const file = await inspect(real);
      const { columns } = propose(file, fieldsOf(real.dataset), datasets[real.dataset].type, noSynonyms);
      const known: Readonly<Record<string, string>> = real.columns;
      for (const name of Object.keys(known)) expect(columns.map(({ column }) => column)).toContain(name);
      for (const { column, match } of columns) {
        const wanted = known[column];
        const sure = match && match.confidence >= sureConfidence ? match : null;
        if (wanted !== undefined) count.expected++;
        if (sure) count.selected++;
        if (sure && sure.field === wanted) count.right++;
        else if (sure)
          wrong.push(`${real.file}: ${column} to ${sure.field}, not ${wanted ?? 'a field'}: ${sure.why}`);
        else if (wanted !== undefined)
          missing.push(
            `${real.file}: ${column} to ${wanted}; ${match ? `${match.field}, ${match.confidence}, ${match.why}` : 'nothing'}`,
          );
      }
    });

    test('are right when selected, and exist for most columns', () => {
      const [precision, recall] = [count.right / count.selected, count.right / count.expected];
      const misses = [...wrong.map((each) => `wrong: ${each}`), ...missing.map((each) => `missing: ${each}`)];
      const figures = `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} of ${count.expected} columns`;
      if (process.env['WELLBENCH_SHOW_MISSES']) console.log([figures, ...misses].join('\n'));
      expect(precision, [figures, ...wrong].join('\n')).toBeGreaterThanOrEqual(0.98);
      expect(recall, [figures, ...missing].join('\n')).toBeGreaterThanOrEqual(0.8);
    });
  },
);
