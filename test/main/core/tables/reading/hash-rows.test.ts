import { describe, expect, it } from 'vitest';
import { inspectionOf } from '../../../../../src/main/core/tables/reading/warnings.ts';
import { scanText } from '../../../features/upload/support/files.ts';

const read = async (...given: Parameters<typeof scanText>) => {
  const { rows, columns, warnings } = inspectionOf(await scanText(...given));
  const lines = warnings.filter(({ code }) => code === 'hash_rows' || code === 'comment_lines');
  return {
    rows,
    names: columns.map(({ name }) => name),
    lines: lines.map(({ code, count, line }) => [code, count, line]),
  };
};

const wells = 'well,depth\n#1 Smith,100\n#2 Smith,200\nAlpha,300\n';
const mixed = `# exported\nwell,depth\n#1 Smith,100\n# a note, with a comma\nAlpha,300\nBeta,\n#3,n/a\n`;

describe('lines that begin with #', () => {
  it('are rows with as many cells as the header and a number where the column has numbers', async () => {
    expect(await read(wells)).toEqual({ rows: 3, names: ['well', 'depth'], lines: [['hash_rows', 2, 2]] });
    expect(await read(mixed)).toEqual({
      rows: 3,
      names: ['well', 'depth'],
      lines: [
        ['comment_lines', 3, 1],
        ['hash_rows', 1, 3],
      ],
    });
  });

  it('are comments where the first column has numbers: a row that was left out', async () => {
    expect(await read('MD,Inc\n1,2\n#2,3\n3,4\n')).toMatchObject({
      rows: 2,
      lines: [['comment_lines', 1, 3]],
    });
  });

  it('are comments above a small table, however many they are', async () => {
    const text = `${'# a line of the report\n'.repeat(12)}MD,Inc\n1,2\n3,4\n`;
    expect(await read(text)).toEqual({ rows: 2, names: ['MD', 'Inc'], lines: [['comment_lines', 12, 1]] });
  });

  it('are all comments or all rows as the user sets', async () => {
    expect(await read(wells, { hashLines: 'comments' })).toMatchObject({
      rows: 1,
      lines: [['comment_lines', 2, 2]],
    });
    expect(await read('MD,Inc\n1,2\n#2,3\n3,4\n', { hashLines: 'rows' })).toMatchObject({
      rows: 3,
      lines: [],
    });
  });

  it('are rows inside quotes', async () => {
    expect(await read('well,depth\n"#1 Smith",100\nAlpha,300\n "#2",4\n')).toMatchObject({
      rows: 3,
      lines: [],
    });
  });
});
