import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { within } from '@testing-library/dom';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Demo } from '../../../src/demo/index.ts';
import { uploadWords } from '../../../src/renderer/words/upload.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { openUpload } from './support/upload.ts';
import { sampleOf } from '../../support/sample.ts';

type Upload = Awaited<ReturnType<typeof openUpload>>['upload'];

const { columns, check, file: fileWords } = uploadWords;

/** Real files and their facts are stored next to the checkout. */
const data = join(import.meta.dirname, '../../../../shared/data');
const list = join(data, 'FACTS.json');

const fact = z.object({
  file: z.string(),
  facts: z.object({
    rows: z.number(),
    index_min: z.coerce.number(),
    index_max: z.coerce.number(),
    num: z.string(),
    num_sum: z.coerce.number(),
    num_min: z.coerce.number(),
    num_max: z.coerce.number(),
    num_nulls: z.number(),
  }),
});

function factsOf(file: string): z.infer<typeof fact>['facts'] {
  const all = z.array(z.looseObject({ file: z.string() })).parse(JSON.parse(readFileSync(list, 'utf8')));
  return fact.parse(all.find((one) => one.file === file)).facts;
}

/** One file of a folder, with the user's steps between selecting and sending it. */
interface Case {
  readonly file: string;
  readonly dataset: string;
  /** Where the numeric column and the index are stored. */
  readonly number: string;
  readonly index: string;
  readonly columns?: (upload: Upload) => Promise<void>;
}

const cases: readonly Case[] = [
  {
    file: 'reference/volve_15_9-F-12_Survey_Data.csv',
    dataset: 'uploads.reference',
    number: 'data.inc',
    index: 'data.md',
  },
  {
    file: 'depth/volve_15_9-19.csv',
    dataset: 'uploads.depth',
    number: 'data.gamma_ray',
    index: 'measured_depth',
    columns: async (upload) => {
      await upload.fillField('log_identifier', columns.oneValue);
      const log = await upload.field('log_identifier');
      await upload.typeInto(await within(log).findByRole('textbox'), '15/9-19');
    },
  },
  {
    file: 'production/npd_field_production_monthly_2013.csv',
    dataset: 'uploads.reference',
    number: 'data.prfPrdOilNetMillSm3',
    index: 'data.prfYear',
  },
  {
    file: 'completion/bsee_eor_perf_intervals.csv',
    dataset: 'uploads.reference',
    number: 'data.PERF_TOP_MD',
    index: 'data.PERF_TOP_MD',
  },
];

/** The service's records of a dataset, requested without Wellbench. */
async function stored(demo: Demo, dataset: string, { number, index }: Case) {
  const stages = [
    {
      $group: {
        _id: null,
        rows: { $sum: 1 },
        sum: { $sum: `$${number}` },
        min: { $min: `$${number}` },
        max: { $max: `$${number}` },
        nulls: { $sum: { $cond: [{ $eq: [{ $ifNull: [`$${number}`, null] }, null] }, 1, 0] } },
        first: { $min: `$${index}` },
        last: { $max: `$${index}` },
      },
    },
  ];
  const path = `${demo.dataUrl}/api/v1/data/demo/${dataset}/aggregate/pipeline/`;
  const answer = await fetch(path, {
    method: 'POST',
    headers: { Authorization: `API ${demo.apiKeys.write}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ stages }),
  });
  expect(answer.status).toBe(200);
  return z.array(z.record(z.string(), z.unknown())).parse(await answer.json())[0];
}

describe.skipIf(!existsSync(list))(
  'an upload of a real file in the window stores the records that its facts describe',
  () => {
    it.each(sampleOf(cases, 1))('$file', async (one) => {
      const facts = factsOf(one.file);
      const { upload, demo, enabled } = await openUpload('Ridge A-101H', `demo/${one.dataset}`);
      await upload.hand(basename(one.file), await readFile(join(data, one.file)));
      await upload.text(new RegExp(`^${facts.rows.toLocaleString('en-US')} `));
      await upload.next('columns');
      await one.columns?.(upload);
      await upload.next('check');
      await enabled(check.send(facts.rows));
      await upload.press(check.send(facts.rows));
      await upload.atRest();
      await expect.poll(upload.books).toMatchObject({ accepted: facts.rows, rejected: 0, rows: facts.rows });
      const found = await stored(demo, one.dataset, one);
      expect(found).toMatchObject({
        rows: facts.rows,
        min: facts.num_min,
        max: facts.num_max,
        nulls: facts.num_nulls,
        first: facts.index_min,
        last: facts.index_max,
      });
      // Sums of decimals differ in their last digits by the order of addition.
      expect(Math.abs(Number(found?.['sum']) - facts.num_sum)).toBeLessThanOrEqual(
        1e-9 * Math.abs(facts.num_sum),
      );
    });

    it('messy/spanish_chars.csv: letters of Windows-1252, thousands separators, a source note as the footer', async () => {
      const { upload, press, enabled } = await openUpload(undefined, 'demo/uploads.reference');
      await upload.hand('spanish_chars.csv', await readFile(join(data, 'messy/spanish_chars.csv')));
      await upload.text(fileWords.rowsAndColumns(114, 8));
      expect(await upload.rawLine(3)).toHaveTextContent(',0,,,Legislación,,"10,105.40"');
      await upload.next('columns');
      await expect.poll(() => upload.column('Gasto total 2011')).toHaveTextContent('229932.5');
      await upload.next('check');
      await enabled(check.send(114));
      await upload.send();
      await expect
        .poll(upload.books)
        .toMatchObject({ accepted: 114, rejected: 0, unknown: 0, pending: 0, rows: 114 });
      await upload.press(uploadWords.ledger.lookAt);
      await press(words.query.count);
      await upload.text(words.query.counted(114));
    });
  },
);
