import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';

const newFolder = useFolders();
let folder = '';
beforeEach(async () => {
  folder = await newFolder();
  await writeFile(join(folder, 'stages.csv'), 'stage,start\n1,100\n2,250\n');
  await writeFile(join(folder, 'depths.csv'), 'depth,rop\n90,1\n120,2.5\n260,9007199254740993\n');
});

const sql = async (...args: string[]) => runInProcess(['sql', ...args, '--data-dir', join(folder, 'data')]);
const table = (name: string, file: string): string[] => ['--table', `${name}=${join(folder, file)}`];

describe('sql', () => {
  it('joins files, and prints the rows', async () => {
    const ended = await sql(
      'SELECT depth, stage FROM depths d ASOF LEFT JOIN stages s ON d.depth >= s.start ORDER BY depth',
      ...table('stages', 'stages.csv'),
      ...table('depths', 'depths.csv'),
      '--json',
    );
    expect(ended.code).toBe(0);
    expect(ended.lines.slice(0, -1).map((line): unknown => JSON.parse(line))).toEqual([
      { depth: 90, stage: null },
      { depth: 120, stage: 1 },
      { depth: 260, stage: 2 },
    ]);
    expect(ended.summary()).toEqual({ count: 3, warnings: [] });
  });

  it('writes a file in the format of its extension, which another statement can read', async () => {
    await mkdir(join(folder, 'mirror'));
    const out = join(folder, 'mirror', 'a.parquet');
    const written = await sql('SELECT * FROM s', ...table('s', 'stages.csv'), '--out', out, '--json');
    expect(written.summary()).toMatchObject({ count: 2, file: out });
    const again = await sql('SELECT sum(start) AS total FROM m', ...table('m', 'mirror'), '--format', 'csv');
    expect(again.stdout).toBe('total\r\n350\r\n');
    const csv = join(folder, 'a.csv');
    expect((await sql('SELECT 1 AS one', '--out', csv)).code).toBe(0);
    expect(await readFile(csv, 'utf8')).toBe('one\r\n1\r\n');
    // Only tables are read without null values: what a statement computes is kept.
    const computed = ['SELECT 1 - 1000.25 AS drop', '--out', csv, '--force'];
    expect((await sql(...computed)).code).toBe(0);
    expect(await readFile(csv, 'utf8')).toBe('drop\r\n-999.25\r\n');
  });

  it('prints CSV with the columns of the statement, in its order, also without rows', async () => {
    const print = async (where: string) =>
      (await sql(`SELECT 1 AS rop, 2 AS "a.b", 3 AS _id WHERE ${where}`, '--format', 'csv')).stdout;
    expect(await print('true')).toBe('rop,a.b,_id\r\n1,2,3\r\n');
    expect(await print('false')).toBe('rop,a.b,_id\r\n');
  });

  it('says what the file has only in part', async () => {
    const out = join(folder, 'long.xlsx');
    const written = await sql(`SELECT 1 AS id, repeat('x', 40000) AS note`, '--out', out);
    expect(written.code).toBe(0);
    expect(written.stderr).toMatch(/Warning: .*32,767/);
  });

  it.each([
    ['a statement that writes', ['DROP TABLE a'], 'sql'],
    ['a table without a name', ['SELECT 1', '--table', 'stages.csv'], 'table'],
    [
      'two tables of one name',
      ['SELECT 1', ...table('s', 'stages.csv'), ...table('S', 'depths.csv')],
      'table',
    ],
    ['a format that needs a file', ['SELECT 1', '--format', 'parquet'], 'format'],
  ])('rejects %s', async (_words, args, field) => {
    const ended = await sql(...args, '--json');
    expect(ended.code).toBe(2);
    expect(ended.error()).toMatchObject({
      code: 'invalid_input',
      details: { issues: [{ place: { field } }] },
    });
  });

  it('reads files whose names contain a number sign, and tables of files by their names', async () => {
    await writeFile(join(folder, 'well#5.csv'), 'n\n5\n');
    await writeFile(
      join(folder, 'two#5.csv'),
      'MD,Inc\n1,2\n3,4\n5,6\n\nTool,Length\nBit,0.5\nMotor,9\nMWD,7\n',
    );
    const ended = await sql(
      'SELECT (SELECT n FROM w) AS n, (SELECT count(*) FROM s) AS rows, (SELECT max(Length) FROM t) AS longest',
      ...table('w', 'well#5.csv'),
      ...table('s', 'stages.csv#1'),
      ...table('t', 'two#5.csv#2'),
    );
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.lines[0] ?? '')).toEqual({ n: 5, rows: 2, longest: 9 });
  });

  it('names a missing file', async () => {
    const ended = await sql('SELECT 1', ...table('a', 'missing.csv'), '--json');
    expect(ended.error()).toMatchObject({ code: 'file_unreadable' });
  });
});
