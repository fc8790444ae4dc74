import { describe, expect, it } from 'vitest';
import { inspectionOf } from '../../../../../src/main/core/tables/reading/warnings.ts';
import { previewFile } from '../../../../../src/main/core/tables/reading/scan.ts';
import type { ReadingOptions } from '../../../../../src/shared/upload/upload.ts';
import { fileWith, scanText } from '../../../features/upload/support/files.ts';

const exported = `depth,'=note,rop\n1,'=1+1,'-5\n2,"'@a, b",6\n3,it's,7\n4,''=x,8\n`;

const rowsOf = async (text: string, reading: ReadingOptions = {}) => {
  const path = await fileWith(text, 'rig.csv');
  const { layout, rows } = previewFile({ path, fileName: 'rig.csv', layout: null, reading, rows: 10 });
  return { names: layout.columns.map(({ name }) => name), rows: rows.map(({ cells }) => cells) };
};

describe('apostrophes before =, +, -, and @ in a CSV file, as exports escape formulas', () => {
  it('are no part of cells and names', async () => {
    expect(await rowsOf(exported)).toEqual({
      names: ['depth', '=note', 'rop'],
      rows: [
        ['1', '=1+1', '-5'],
        ['2', '@a, b', '6'],
        ['3', "it's", '7'],
        ['4', "'=x", '8'],
      ],
    });
  });

  it('are counted in a warning with the first line, and don’t make numbers texts', async () => {
    const { columns, warnings } = inspectionOf(await scanText(exported));
    expect(columns.map(({ type, min }) => [type, min])).toEqual([
      ['integer', 1],
      ['string', "'=x"],
      ['integer', -5],
    ]);
    expect(warnings).toEqual([expect.objectContaining({ code: 'escaped_formulas', count: 4, line: 2 })]);
  });

  it('stay if the user sets it, without a warning', async () => {
    const reading = { apostrophes: 'keep' } as const;
    expect((await rowsOf(exported, reading)).rows[0]).toEqual(['1', "'=1+1", "'-5"]);
    const { columns, warnings } = inspectionOf(await scanText(exported, reading));
    expect([columns[1]?.name, columns[1]?.min]).toEqual(["'=note", "''=x"]);
    expect(warnings.map(({ code }) => code)).not.toContain('escaped_formulas');
  });

  it('are read together with formulas of texts, whose columns are text, with their zeros', async () => {
    const text = `API,"=""Lease""",Oil\n="42000000010000",="00123",5\n"=""42000000020000""","=""say """"x""""""",'-6\n`;
    expect(await rowsOf(text)).toEqual({
      names: ['API', 'Lease', 'Oil'],
      rows: [
        ['42000000010000', '00123', '5'],
        ['42000000020000', 'say "x"', '-6'],
      ],
    });
    const { columns, warnings } = inspectionOf(await scanText(text));
    expect(columns.map(({ type }) => type)).toEqual(['string', 'string', 'integer']);
    expect(warnings).toEqual([expect.objectContaining({ code: 'escaped_formulas', count: 5, line: 2 })]);
    const kept = await rowsOf(text, { apostrophes: 'keep' });
    expect(kept.rows[0]).toEqual(['="42000000010000"', '="00123"', '5']);
  });

  it('give an exported formula of a text back as it was', async () => {
    const { rows } = await rowsOf(`a,b\n"'=""00123""",1\n`);
    expect(rows[0]).toEqual(['="00123"', '1']);
  });

  it('stay in lines of JSON', async () => {
    const { columns, warnings } = inspectionOf(await scanText(`{"a":"'=1"}\n{"a":"'-2"}\n`));
    expect(columns[0]?.min).toBe("'-2");
    expect(warnings).toEqual([]);
  });
});
