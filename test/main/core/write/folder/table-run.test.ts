import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLastRun } from '../../../../../src/main/core/write/delta/snapshot.ts';
import { lostWarning, removalWarnings } from '../../../../../src/main/core/write/folder/table-run.ts';
import { hour, hourly, start, timed, useMirrors } from '../../../features/export/support/mirrors.ts';
import { idAt, Rows, type FindPart } from '../../../features/export/support/rows.ts';

const { folder, updated, expectFresh } = useMirrors();
/** Ids of the records of one of the two wells. */
const idsOf = (well: 0 | 1, from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, n) => idAt(2 * (from + n) + well));

describe('an update', () => {
  it.each([{}, { pipeline: 403 }])(
    'that removes a well names it in a warning, also in the log, refusing %j',
    async (refused) => {
      const path = join(await folder(), 'wits');
      const rows = new Rows([
        ...hourly(30),
        ...Array.from({ length: 40 }, (_, n) => timed(900 + n, 5003, start + n)),
      ]);
      expect((await updated(path, rows, { refused })).result.warnings).toEqual([]);
      rows.remove(...idsOf(0, 0, 30));
      const { result } = await updated(path, rows, { refused });
      expect(result.warnings).toEqual([
        expect.stringMatching(/^This update removed all records of well 5001\. .*check that your key/),
      ]);
      expect(result.folder).toMatchObject({ removed: 30, verified: true });
      expect((await readLastRun(path))?.run.warnings).toEqual(result.warnings);
      await expectFresh(path, rows);
      // The key has access again.
      rows.add(...hourly(30).filter((text) => text.includes('"asset_id":5001')));
      expect((await updated(path, rows, { refused })).result).toMatchObject({
        warnings: [],
        folder: { added: 30, removed: 0 },
      });
    },
  );

  it('that removes more than half of the records names their wells, and one that removes half doesn’t', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(hourly(40));
    await updated(path, rows);
    rows.remove(...idsOf(0, 0, 20), ...idsOf(1, 5, 25));
    expect((await updated(path, rows)).result).toMatchObject({ rows: 40, warnings: [] });
    rows.remove(...idsOf(0, 20, 39), ...idsOf(1, 25, 38));
    const { result } = await updated(path, rows);
    expect(result.warnings).toEqual([
      expect.stringMatching(/^This update removed 32 of 40 records of wells 5001, 5002\. /),
    ]);
    expect(result).toMatchObject({ rows: 8, folder: { verified: true, removed: 32 } });
  });

  it('that removes everything says so, without wells where the mirror isn’t divided by them', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(hourly(4));
    const run = { partition: ['day'] as ['day'] };
    await updated(path, rows, {}, run);
    rows.remove(...idsOf(0, 0, 4), ...idsOf(1, 0, 4));
    const { result } = await updated(path, rows, {}, run);
    expect(result.warnings).toEqual([
      expect.stringMatching(/^This update removed all records\. /),
      expect.stringMatching(/^This update removed 8 of 8 records\. /),
    ]);
    expect(result).toMatchObject({ rows: 0, folder: { verified: true } });
  });

  it('whose records move to another day removes none', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(hourly(20));
    await updated(path, rows);
    rows.remove(...idsOf(0, 0, 20));
    rows.add(...Array.from({ length: 20 }, (_, n) => timed(2 * n, 5001, start + (n - 48) * hour)));
    const { result } = await updated(path, rows);
    expect(result.warnings).toEqual([]);
    await expectFresh(path, rows);
  });
});

describe('the warning about the count', () => {
  it('is not shown when the verification has read the missing records', async () => {
    /** Doesn't return the first record when it is read first. */
    class Lagging extends Rows {
      override find(part: FindPart): string {
        if (this.requestCount !== 1) return super.find(part);
        const [first] = hourly(10);
        this.remove(idAt(0));
        const text = super.find(part);
        if (first !== undefined) this.add(first);
        return text;
      }
    }
    const path = join(await folder(), 'wits');
    const rows = new Lagging(hourly(10));
    const { result } = await updated(path, rows);
    expect(result).toMatchObject({ rows: 20, expected: 20, warnings: [], folder: { verified: true } });
    await expectFresh(path, rows);
  });
});

it('the warning about lost files counts one and several', () => {
  expect(lostWarning(1)).toMatch(/^1 file .* was missing .* Its records/);
  expect(lostWarning(2)).toMatch(/^2 files .* were missing .* Their records/);
});

describe('the warning about removed records', () => {
  const partsOf = (wells: number, rows: number) => ({
    parts: Array.from({ length: wells }, (_, n) => ({
      path: `asset_id=${5001 + n}/day=2026-01-30/part-0.parquet`,
      rows,
      bytes: 10,
      sha256: '',
      last: null,
      id: null,
      times: null,
    })),
  });

  it('names up to 10 wells', () => {
    const [warning] = removalWarnings(partsOf(25, 3), { parts: partsOf(13, 3).parts });
    expect(warning).toMatch(/wells 5014, 5015, .*, 5023 and 2 more\./);
  });

  it('is absent after a first run', () => {
    expect(removalWarnings(null, partsOf(2, 3))).toEqual([]);
  });
});
