import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Demo } from '../../src/demo/index.ts';
import { uploadWords } from '../../src/renderer/words/upload.ts';
import { anyCount, like } from '../support/wording.ts';
import { addressOf } from './support/fixtures.ts';
import { expect, test } from './support/upload.ts';

/** Real files and their facts are stored next to the checkout. */
const data = join(import.meta.dirname, '../../../shared/data');
const list = join(data, 'FACTS.json');

const fact = z.object({
  file: z.string(),
  facts: z.object({
    rows: z.number(),
    index_min: z.string(),
    index_max: z.string(),
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

/** A file, and the targets of its values. */
interface Case {
  readonly file: string;
  readonly dataset: string;
  /** Where the numeric column and the index are stored. */
  readonly number: string;
  readonly index: string;
}

/** The largest; other formats are uploaded in test/renderer/window/real-files.test.tsx. */
const cases: readonly Case[] = [
  {
    file: 'time/volve_15_9-F-4_GenTime2_2016.csv',
    dataset: 'uploads.time',
    number: 'data.block_height_uncompensated',
    index: 'timestamp',
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

test.describe('a real file of each format is uploaded through the window, and the service stores its values', () => {
  test.skip(!existsSync(list), 'the real files are not beside the checkout');

  for (const one of cases) {
    test(one.file, async ({ app, demo, upload }, info) => {
      const facts = factsOf(one.file);
      await app.connect(addressOf(demo));
      await app.well('Ridge A-101H').click();
      await upload.open(`demo/${one.dataset}`);
      await upload.pick(join(data, one.file));
      await upload.next('columns');
      await upload.next('check');
      await expect(upload.button(like(uploadWords.check.send(anyCount)))).toBeEnabled({ timeout: 60_000 });
      await info.attach('check', { body: await upload.page.screenshot(), contentType: 'image/png' });
      await upload.send();
      expect(await upload.books()).toMatchObject({ accepted: facts.rows, rejected: 0, rows: facts.rows });

      const isTime = one.index === 'timestamp';
      const index = (text: string) => (isTime ? Date.parse(text) : Number(text));
      const found = await stored(demo, one.dataset, one);
      expect(found).toMatchObject({
        rows: facts.rows,
        min: facts.num_min,
        max: facts.num_max,
        nulls: facts.num_nulls,
        first: index(facts.index_min),
        last: index(facts.index_max),
      });
      // Sums of decimals differ in their last digits by the order of addition.
      expect(Math.abs(Number(found?.['sum']) - facts.num_sum)).toBeLessThanOrEqual(
        1e-9 * Math.abs(facts.num_sum),
      );
    });
  }
});
