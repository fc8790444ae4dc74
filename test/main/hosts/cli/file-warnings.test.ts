import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { connectionEnv, runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { sheetRow, workbook } from '../../features/upload/support/workbooks.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 100, wells: 1 });
});
afterAll(() => demo.close());
const folders = useFolders();

const summary = z.object({
  warnings: z.array(
    z.object({
      code: z.string(),
      message: z.string(),
      line: z.int().nullable(),
      column: z.string().optional(),
    }),
  ),
});

/** The warnings of each command about a file as a whole, without those about a column. */
async function warningsOf(name: string, content: string | Uint8Array, table?: string) {
  const folder = await folders();
  const file = join(folder, name);
  const mapping = join(folder, 'mapping.json');
  await writeFile(file, content);
  await writeFile(mapping, JSON.stringify({ rest: 'data', constants: { asset_id: 5001, version: 1 } }));
  const run = async (...args: string[]) => {
    const ended = await runInProcess([...args, '--data-dir', join(folder, 'data'), '--json'], {
      ...connectionEnv(demo),
    });
    const { warnings } = summary.parse(ended.summary());
    const about = warnings.filter(({ column }) => column === undefined);
    return {
      codes: about.map(({ code, line }) => `${code} ${line ?? ''}`.trim()).toSorted(),
      messages: about.map(({ message }) => message),
      stderr: ended.stderr,
      all: warnings.length,
    };
  };
  const choice = table === undefined ? [] : ['--table', table];
  const sqlFile = table === undefined ? file : `${file}#${table}`;
  const upload = ['upload', 'demo/uploads.reference', file, '--mapping', mapping, '--dry-run'];
  return {
    inspect: await run('inspect', file, ...choice),
    upload: await run(...upload, ...choice),
    sql: await run('sql', 'SELECT count(*) AS rows FROM t', '--table', `t=${sqlFile}`),
    quality: await run('quality', file, ...choice),
  };
}

const sections = [
  'measured_depth,rop',
  ...[100, 200, 300, 400].map((depth) => `${depth},${depth / 10}`),
  '',
  'From,To,Tool',
  '0,100,MWD',
  '100,200,Gyro',
  '',
].join('\n');

const rows = (name: string): string =>
  [sheetRow(1, ['measured_depth', name]), ...[1, 2, 3].map((n) => sheetRow(n + 1, [n * 100, n + 0.5]))].join(
    '',
  );
const book = workbook({
  sheets: { Depth: rows('rop'), Other: rows('wob'), Old: rows('gr') },
  hidden: ['Old'],
});

const pages = [
  'measured_depth,rop',
  '100,10.5',
  '# a remark',
  '200,20.5',
  'measured_depth,rop',
  '300,30.5',
  '400,40.5',
  'Total,102',
  '',
].join('\n');

describe('inspect, a dry run, sql, and quality say the same about', () => {
  it.each([
    ['a file with two sections', 'sections.csv', sections, undefined, ['several_tables']],
    ['its selected section', 'sections.csv', sections, '2', []],
    [
      'a workbook with two sheets and a hidden one',
      'book.xlsx',
      book,
      undefined,
      ['hidden_table', 'several_tables'],
    ],
    ['a selected sheet', 'book.xlsx', book, 'Other', ['hidden_table']],
    [
      'a file with a repeated header, a comment, and a footer',
      'pages.csv',
      pages,
      undefined,
      ['comment_lines 3', 'footer_rows 8', 'page_headers 5'],
    ],
  ] as const)('%s', async (_words, name, content, table, codes) => {
    const { inspect, upload, sql, quality } = await warningsOf(name, content, table);
    expect(inspect.codes).toEqual(expect.arrayContaining([...codes]));
    expect({ sql: sql.codes, quality: quality.codes }).toEqual({
      sql: inspect.codes,
      quality: inspect.codes,
    });
    expect(upload.messages).toEqual(expect.arrayContaining(inspect.messages));
    for (const message of inspect.messages) expect(upload.stderr).toContain(message);
    for (const { stderr, all } of [sql, quality])
      expect(stderr.match(/^Warning: /gm) ?? []).toHaveLength(all);
  });

  it('a workbook with one sheet of records and the sheet About of an export', async () => {
    const exported = workbook({ sheets: { Depth: rows('rop'), About: rows('wob') } });
    const { inspect } = await warningsOf('exported.xlsx', exported);
    expect(inspect.codes).not.toContain('several_tables');
  });
});
