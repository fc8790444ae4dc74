import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspection, type Inspection } from '../../../../../src/shared/upload/upload.ts';
import { runInProcess } from '../../../../support/cli.ts';
import { useFolders } from '../../../../support/folders.ts';

const newFolder = useFolders();

async function inspect(name: string, lines: readonly string[], ...options: string[]): Promise<Inspection> {
  const folder = await newFolder();
  const file = join(folder, name);
  await writeFile(file, `${lines.join('\n')}\n`);
  const { summary } = await runInProcess(['inspect', file, ...options, '--json', '--data-dir', folder]);
  return inspection.parse(summary());
}

/** The kinds of the lines of a file, as `inspect --explain` prints them. */
async function kindsOf(name: string, lines: readonly string[]) {
  const { explain } = await inspect(name, lines, '--explain');
  return Object.fromEntries(explain?.lines.map(({ line, kind }) => [line, kind]) ?? []);
}

describe('an explanation has what each line was taken for', () => {
  it('in a delimited file', async () => {
    const lines = [
      'Report 4 of the night,,',
      '# made by a logger',
      'MD,Inc,Azi',
      'm,deg,deg',
      '0,0,0',
      '30,0.5,120',
    ];
    const rest = ['', '60,0.8,121', 'Total,,121', 'Exported by Ann,,'];
    expect(await kindsOf('a.csv', [...lines, ...rest])).toEqual({
      1: 'title',
      2: 'comment',
      3: 'header',
      4: 'units',
      5: 'row',
      6: 'row',
      7: 'blank',
      8: 'row',
      9: 'footer',
      10: 'footer',
    });
  });

  it('with rows at the end that may not be data', async () => {
    const lines = ['MD,Inc,Note', '0,0.5,a', '30,0.5,b', ',,checked by hand'];
    const explained = await inspect('a.csv', lines, '--explain');
    expect(explained.warnings.map(({ code }) => code)).toContain('foot_rows');
    const [first, last] = [2, 4].map((at) => explained.explain?.lines.find(({ line }) => line === at)?.why);
    expect(last).not.toBe(first);
  });

  it('with headers of pages, values above blocks, and further tables', async () => {
    const page = ['MD,Inc,Azi', '0,0,0', '30,0.5,120'];
    const lines = [...page, 'WELL A-1,,', ...page, '', 'Time,Rate,Step', '1,2,3', '2,3,4'];
    expect(await kindsOf('a.csv', lines)).toMatchObject({
      1: 'header',
      4: 'value',
      5: 'repeated_header',
      8: 'blank',
      9: 'table',
    });
  });

  it('in a listing', async () => {
    const lines = [
      'Well : A-1',
      '',
      'MD     INC',
      '(m)    (deg)',
      '-----  -----',
      '0.0    0.50',
      '30.0   0.75',
    ];
    expect(await kindsOf('a.txt', [...lines, '# a remark', '60.0   0.80', '90.0   0.90'])).toMatchObject({
      2: 'blank',
      5: 'rule',
      6: 'row',
      8: 'comment',
    });
  });

  it('and the rows that can be its header, with scores, the best first', async () => {
    const { explain } = await inspect('a.csv', ['MD,Inc', 'm,deg', '0,0', '30,0.5'], '--explain');
    const [best, other] = explain?.heads ?? [];
    expect(best).toMatchObject({ headerRow: 1, unitRow: 2, names: ['MD', 'Inc'] });
    expect(other?.score).toBeLessThan(best?.score ?? 0);
  });

  it('only if it is requested', async () => {
    expect(await inspect('a.csv', ['MD,Inc', '0,0'])).not.toHaveProperty('explain');
  });
});

describe('two headers that fit alike', () => {
  const lines = ['Well,Status,Rig,', 'A-1,Drilling,R4,Smith', 'B-2,Completed,R5,Jones', 'C-3,Idle,R6,Miller'];
  const question = ({ warnings }: Inspection) => warnings.find(({ code }) => code === 'header_unclear');

  it('are a question that shows both, with the option that selects the other one', async () => {
    const warning = question(await inspect('a.csv', lines));
    expect(warning?.cells).toHaveLength(2);
    for (const name of ['Well', 'A-1', `--header-row ${warning?.line}`])
      expect(warning?.message).toContain(name);
  });

  it('are none once the header is set', async () => {
    const found = await inspect('a.csv', lines, '--header-row', '1');
    expect(found).toMatchObject({ headerRow: 1, rows: 3 });
    expect(question(found)).toBeUndefined();
  });

  it('are none in files whose header is clear', async () => {
    expect(question(await inspect('a.csv', ['MD,Inc', '0,0', '30,0.5']))).toBeUndefined();
    expect(question(await inspect('b.csv', ['MD,Inc', 'm,deg', '0,0', '30,0.5']))).toBeUndefined();
  });
});
