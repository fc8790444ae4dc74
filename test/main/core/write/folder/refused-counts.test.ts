import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  hour,
  hourly,
  hourlySeries,
  instant,
  series,
  start,
  timed,
  useMirrors,
} from '../../../features/export/support/mirrors.ts';
import { Rows } from '../../../features/export/support/rows.ts';
import { sampleOf } from '../../../../support/sample.ts';

const { folder, updated, expectFresh } = useMirrors();

// Of these, `npm test` has each type and each status.
const cases = (['time', 'timeseries', 'depth', 'reference'] as const).flatMap((type) =>
  [403, 422, 404].map((status) => ({ type, status })),
);

describe('where a service answers every count with an error', () => {
  it.each(sampleOf(cases, 4))(
    'a mirror of a $type dataset is written and updated: $status',
    async ({ type, status }) => {
      const path = join(await folder(), type);
      const isSeries = type === 'timeseries';
      const hasTime = isSeries || type === 'time';
      const rows = new Rows(isSeries ? hourlySeries(4) : hourly(4));
      const run = {
        type,
        partition: hasTime ? (['asset_id', 'day'] as const) : (['asset_id'] as const),
      };
      const faults = { type, refused: { count: status, total: status } };
      const settings = { ...run, partition: [...run.partition] };
      expect((await updated(path, rows, faults, settings)).result).toMatchObject({
        rows: 8,
        folder: { verified: true },
      });
      for (const [n, well] of [5001, 5003].entries())
        rows.add(
          isSeries
            ? series(900 + n, well, instant(start + 5 * hour))
            : timed(900 + n, well, start + 5 * hour),
        );
      expect((await updated(path, rows, faults, settings)).result).toMatchObject({
        rows: 10,
        folder: { verified: true },
      });
      await expectFresh(path, rows, settings);
    },
  );
});
