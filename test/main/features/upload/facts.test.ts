import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type JsonObject, isObject, parseJson, valueAt } from '../../../../src/shared/json.ts';
import { startDemo } from '../../../../src/demo/index.ts';
import { sampleOf } from '../../../support/sample.ts';
import { openServices } from '../../../support/services.ts';
import { restPath } from '../../../../src/main/core/records/targets.ts';
import { footerRowsByFile, folder, tables, hasRealFiles } from './support/facts.ts';
import { temporaryFolder } from './support/files.ts';
import { planOf, runJob } from './support/uploads.ts';

const address = { provider: 'demo', dataset: 'uploads.reference' };
const pageRecords = 10_000;

/** An empty demo service, and everything that it stores. */
async function ownDemo() {
  const demo = await startDemo({ records: 1, wells: 1 });
  const services = openServices({
    dataUrl: demo.dataUrl,
    platformUrl: demo.platformUrl,
    credential: { method: 'api_key', apiKey: demo.apiKeys.write },
    env: {},
  });
  return {
    services,
    async stored(): Promise<JsonObject[]> {
      const all: JsonObject[] = [];
      for (;;) {
        const find = { query: {}, sort: { _id: 1 }, limit: pageRecords, skip: all.length };
        const { text } = await services.data.find(address, find);
        const page = parseJson(text);
        if (!Array.isArray(page) || page.length === 0) return all;
        all.push(...page.filter(isObject));
      }
    },
    async [Symbol.asyncDispose]() {
      await services.close();
      await demo.close();
    },
  };
}

/** The tests of the command line cover the file of 100,000 rows, and those of reading all files. */
const files = sampleOf(
  tables.filter(({ file }) => !file.includes('GenTime2')),
  8,
);

describe.skipIf(!hasRealFiles)(
  'an upload of the real files, read back (skipped without ../shared/data)',
  () => {
    it.each(files.map((fact) => [fact.file, fact] as const))(
      'of %s stores every row, with the values in FACTS.json',
      async (file, fact) => {
        await using demo = await ownDemo();
        const { services: open } = demo;
        const plan = await planOf(join(folder, file), open, {
          ...address,
          reading: { footerRows: footerRowsByFile[file] ?? 0 },
          mapping: { nulls: ['', ...fact.null_words], rest: 'data' },
        });
        const dry = await runJob({
          plan: { ...plan, dryRun: true },
          services: open,
          folder: await temporaryFolder(),
        });
        const { result } = await runJob({ plan, services: open, folder: await temporaryFolder() });
        const rejected = result?.ledger.rejected ?? -1;
        expect(dry.result?.ledger).toMatchObject({
          rows: fact.facts.rows,
          accepted: 0,
          rejected,
          pending: (fact.facts.rows ?? 0) - rejected,
        });
        expect(result?.ledger).toMatchObject({
          rows: fact.facts.rows,
          accepted: (fact.facts.rows ?? 0) - rejected,
          unknown: 0,
          pending: 0,
        });
        expect(result?.problems.filter(({ code }) => code !== 'empty_row')).toEqual([]);
        const stored = await demo.stored();
        expect(stored).toHaveLength(result?.ledger.accepted ?? -1);

        const { num, num_sum, num_not_numeric } = fact.facts;
        if (!num || !num_sum || num_not_numeric !== 0 || fact.header_line === null) return;
        const values = stored.map((record) => valueOf(record, num)).filter((value) => value !== undefined);
        expect(values.every((value) => typeof value === 'number' || typeof value === 'bigint')).toBe(true);
        const sum = values.reduce((total: number, value) => total + Number(value), 0);
        expect(Math.abs(sum - Number(num_sum))).toBeLessThanOrEqual(Math.abs(Number(num_sum)) * 1e-9);
      },
    );
  },
);

const valueOf = (record: JsonObject, column: string): unknown =>
  isObject(record) ? valueAt(record, restPath([column])) : undefined;
