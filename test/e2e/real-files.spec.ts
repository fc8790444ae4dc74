import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Demo } from '../../src/demo/index.ts';
import { uploadWords } from '../../src/renderer/words/upload.ts';
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

/** The largest; other formats are uploaded in test/renderer/window/real-files.test.tsx. */
const volve = 'time/volve_15_9-F-4_GenTime2_2016.csv';
/** Where its numeric column and its index are stored. */
const [number, index] = ['data.block_height_uncompensated', 'timestamp'] as const;

/** The service's records of a dataset, requested without Wellbench. */
async function stored(demo: Demo) {
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
  const path = `${demo.dataUrl}/api/v1/data/demo/uploads.time/aggregate/pipeline/`;
  const request = {
    method: 'POST',
    headers: { Authorization: `API ${demo.apiKeys.write}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ stages }),
  };
  let records: unknown;
  // The service refuses a pipeline that takes long, as on a busy machine.
  await expect(async () => {
    const answer = await fetch(path, request);
    expect(answer.status).toBe(200);
    records = await answer.json();
  }).toPass({ timeout: 30_000 });
  return z.array(z.record(z.string(), z.unknown())).parse(records)[0];
}

test.describe('the real file of a Volve well', () => {
  test.skip(!existsSync(list), 'the real files are not beside the checkout');

  // In each `npm test`: real files in the window (test/renderer/window/real-files.test.tsx), and a file in Chromium (upload-whole.spec.ts).
  test(
    'is uploaded completely from the window, the service stores its values, and the grid shows them',
    { tag: '@long' },
    async ({ app, demo, page, upload }, info) => {
      const facts = factsOf(volve);
      await app.connect(addressOf(demo));
      await app.well('Ridge C-103H').click();
      await upload.open();
      await upload.pick(join(data, volve));
      await upload.into('demo/uploads.time');
      await upload.next('columns');

      await test.step('the time column and the selected well are filled in', async () => {
        await expect(upload.field('asset_id').getByRole('combobox')).toHaveValue(
          uploadWords.wells.named('Ridge C-103H', 5003),
        );
        await expect(upload.tab.getByText(uploadWords.columns.filled)).toBeVisible();
        await expect(upload.column('Time')).toContainText('2016-09-30 10:04:01 UTC');
        await upload.button(uploadWords.columns.firstRows).click();
        await expect(page.getByRole('columnheader', { name: 'timestamp', exact: true })).toBeVisible();
      });

      await test.step('the dry run validates all rows and sends none', async () => {
        await upload.next('check');
        await expect(upload.tab.getByText(/100,000 rows can be sent/)).toBeVisible({ timeout: 60_000 });
        await info.attach('check', { body: await page.screenshot(), contentType: 'image/png' });
        expect(await stored(demo)).toBeUndefined();
      });

      await upload.send();
      expect(facts.rows).toBe(100_000);
      expect(await upload.books()).toMatchObject({ accepted: facts.rows, rejected: 0, rows: facts.rows });

      await test.step('the service stores its values', async () => {
        const found = await stored(demo);
        expect(found).toMatchObject({
          rows: facts.rows,
          min: facts.num_min,
          max: facts.num_max,
          nulls: facts.num_nulls,
          first: Date.parse(facts.index_min),
          last: Date.parse(facts.index_max),
        });
        // Sums of decimals differ in their last digits by the order of addition.
        expect(Math.abs(Number(found?.['sum']) - facts.num_sum)).toBeLessThanOrEqual(
          1e-9 * Math.abs(facts.num_sum),
        );
      });

      await upload.button(uploadWords.ledger.lookAt).click();
      await expect(app.column('timestamp').first()).toHaveText('2016-09-30 10:04:01');
      await expect(app.column('data.righeave3').first()).toBeAttached();
      expect(await app.count()).toBe(100_000);
    },
  );
});
