import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlCalls, createInterrupts } from '../../../../src/main/core/duckdb/engine.ts';
import { filePage, windowPage, type RowLimits } from '../../../../src/main/core/duckdb/sql-engine.ts';

const engine = sqlCalls();
const folder = mkdtempSync(join(tmpdir(), 'wellbench-test-'));
const context = { signal: new AbortController().signal, emit: () => undefined, transfer: () => undefined };
const small: RowLimits = {
  rows: 1000,
  pageLength: 5000,
  valueLength: 100,
  listLength: 10,
  isForWindow: true,
  style: 'result',
};

beforeAll(async () => {
  await engine.open({ tables: [], outFolder: null, spillFolder: join(folder, 'spill'), memoryMb: 200 });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** All pages of a statement. */
async function pages(sql: string, limits: RowLimits) {
  const { cursor } = await engine.start({ sql }, context);
  const read: { readonly rows: Record<string, unknown>[]; readonly bytes: number; readonly cut: number }[] =
    [];
  for (;;) {
    const { records, cut, isLast } = await engine.next({ cursor, limits }, context);
    const rows = JSON.parse(Buffer.from(records).toString()) as Record<string, unknown>[];
    read.push({ rows, bytes: records.byteLength, cut });
    if (isLast) return read;
  }
}

describe('a page of rows', () => {
  it('ends at its length, and the pages have all rows once, in order', async () => {
    const read = await pages(`SELECT i, repeat('x', (i % 90)::INT) AS text FROM range(5000) r(i)`, small);
    const rows = read.flatMap((page) => page.rows);
    expect(rows.map(({ i }) => i)).toEqual(Array.from({ length: 5000 }, (_, index) => index));
    expect(rows.map(({ text }) => String(text).length)).toEqual(rows.map(({ i }) => Number(i) % 90));
    for (const { bytes, cut } of read) {
      expect(bytes).toBeLessThan(small.pageLength + 200);
      expect(cut).toBe(0);
    }
  });

  it('of very long values has few of them', async () => {
    const limits = { ...filePage, pageLength: 1 << 20 };
    const { cursor } = await engine.start({ sql: `SELECT repeat('x', 100000) FROM range(300)` }, context);
    const { count, isLast } = await engine.next({ cursor, limits }, context);
    await engine.end({ cursor });
    expect([count, isLast]).toEqual([11, false]);
  });
});

describe('a value that is too long', () => {
  it('ends with its length in a window', async () => {
    const [page] = await pages(
      `SELECT repeat('ab', 600) AS text, repeat('😀', 60) AS pairs, range(100) AS list, repeat('x', 80)::BLOB AS bytes,
        {'a': repeat('y', 200)} AS part, 'short' AS short, 12345678901234567890123456789012345678 AS number`,
      { ...small, valueLength: 101 },
    );
    expect(page?.cut).toBe(5);
    expect(page?.rows).toEqual([
      {
        text: `${'ab'.repeat(50)}a… (1,200 characters)`,
        // A pair of code units isn't cut in two.
        pairs: `${'😀'.repeat(50)}\uFFFD… (120 characters)`,
        list: '… (100 items)',
        bytes: expect.stringMatching(/^"7878.*… \(162 characters\)$/),
        part: expect.stringMatching(/^\{"a":"yyy.*… \(208 characters\)$/),
        short: 'short',
        number: expect.anything(),
      },
    ]);
  });

  it('ends with the number of its items, if it has too many, however deep they are', async () => {
    const [page] = await pages(
      `SELECT range(11) AS list, list_transform(range(9), x -> range(9)) AS lists, [[[1, 2, 3], [4, 5, 6], [7]]] AS deep,
        {'a': 1, 'b': range(11)} AS part, MAP(range(11), range(11)) AS map, MAP([1, 2], [range(4), range(5)]) AS maps,
        [range(6), range(6)]::BIGINT[][2] AS "array", union_value(n := range(11)) AS "union"`,
      small,
    );
    const tooMany = '… (more than 10 items)';
    expect(page?.cut).toBe(8);
    expect(page?.rows).toEqual([
      {
        list: '… (11 items)',
        lists: tooMany,
        deep: tooMany,
        part: tooMany,
        map: tooMany,
        maps: tooMany,
        array: tooMany,
        union: tooMany,
      },
    ]);
  });

  it('is complete with as many items as it may have, and null has none', async () => {
    const [page] = await pages(
      `SELECT * FROM (VALUES
        (range(10), list_transform(range(2), x -> range(2)), {'a': range(5), 'b': range(5)}, MAP(range(2), range(2)), range(10)::BIGINT[10], union_value(n := range(3))),
        (NULL, NULL, NULL, NULL, NULL, NULL)) t(list, lists, part, map, "array", "union")`,
      { ...small, valueLength: 1000 },
    );
    expect(page?.cut).toBe(0);
    expect(page?.rows[1]).toEqual({
      list: null,
      lists: null,
      part: null,
      map: null,
      array: null,
      union: null,
    });
    const [long] = await pages(
      'SELECT NULL::BIGINT[12] AS "array", {\'a\': NULL::BIGINT[12]} AS part',
      small,
    );
    expect(long?.rows).toEqual([{ array: null, part: { a: null } }]);
  });

  it('ends the writing of a file, with its row and column', async () => {
    const sql = `SELECT i, CASE WHEN i = 2999 THEN repeat('x', 101) ELSE 'x' END AS text FROM range(5000) r(i)`;
    await expect(pages(sql, { ...small, isForWindow: false })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^Row 3,000 has a value in column text that is too long for a file/),
    });
    await expect(pages('SELECT range(11) AS list', { ...small, isForWindow: false })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    // The next statement has nothing to do with it.
    expect(await pages('SELECT 1 AS one', windowPage(10))).toMatchObject([{ rows: [{ one: 1 }], cut: 0 }]);
  });
});

describe('the memory of the process', () => {
  it('ends the statement that takes too much of it, and no other', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const [first, last] = [await instance.connect(), await instance.connect()];
    let memory = 0;
    const interrupts = createInterrupts(() => memory);
    const watched = { memoryMb: 200, onStuck: () => expect.fail('it was interruptible') };
    const signal = new AbortController().signal;
    const count = (from: typeof first, rows: string) =>
      interrupts.during({ ...watched, connection: from, signal }, async () =>
        (await from.runAndReadAll(`SELECT count(*) FROM range(${rows})`)).getRows(),
      );
    const other = new AbortController();
    const before = interrupts.during({ ...watched, connection: first, signal: other.signal }, async () =>
      first.run('SELECT count(*) FROM range(1000000000000)'),
    );
    setTimeout(() => (memory = 2 ** 31), 300);
    await expect(count(last, '1000000000000')).rejects.toMatchObject({ code: 'invalid_input' });
    other.abort();
    await expect(before).rejects.toThrow();
    first.closeSync();
    last.closeSync();
    instance.closeSync();
  });
});
