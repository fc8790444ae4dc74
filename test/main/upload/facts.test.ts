import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/shared/json.ts';
import { isObject } from '../../../src/shared/json.ts';
import { restPath } from '../../../src/main/upload/mapping/targets.ts';
import { valueAt } from '../../../src/main/upload/existing/canonical.ts';
import { useServers } from '../../support/servers.ts';
import { useServices } from '../../support/services.ts';
import { feet, folder, tables, there } from './support/facts.ts';
import { temporaryFolder } from './support/files.ts';
import { createSink } from './support/sink.ts';
import { planOf, runJob } from './support/uploads.ts';

const servers = useServers();
const services = useServices();

/** The file of 100,000 rows is left to the tests of the command line. */
const files = tables.filter(({ file }) => !file.includes('GenTime2'));

describe.skipIf(!there)('uploads of the open set (skipped where ../shared/data is not there)', () => {
  it.each(files.map((fact) => [fact.file, fact] as const))(
    '%s: every row is stored, with the values that the facts tell of',
    async (file, fact) => {
      const sink = createSink({ type: 'reference' });
      const { url } = await servers.raw(sink.server);
      const open = services(url);
      const plan = await planOf(join(folder, file), open, {
        reading: { footerRows: feet[file] ?? 0 },
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
      expect(sink.stored).toHaveLength(result?.ledger.accepted ?? -1);

      const { num, num_sum, num_not_numeric } = fact.facts;
      if (!num || !num_sum || num_not_numeric !== 0 || fact.header_line === null) return;
      const values = sink.stored.map((record) => valueOf(record, num)).filter((value) => value !== undefined);
      expect(values.every((value) => typeof value === 'number' || typeof value === 'bigint')).toBe(true);
      const sum = values.reduce((total: number, value) => total + Number(value), 0);
      expect(Math.abs(sum - Number(num_sum))).toBeLessThanOrEqual(Math.abs(Number(num_sum)) * 1e-9);
    },
  );
});

const valueOf = (record: JsonObject, column: string): unknown =>
  isObject(record) ? valueAt(record, restPath(column)) : undefined;
