import { describe, expect, it } from 'vitest';
import { inspectionOf } from '../../../../../src/main/core/tables/reading/warnings.ts';
import { previewFile } from '../../../../../src/main/core/tables/reading/scan.ts';
import { fileWith, scanText } from '../../../features/upload/support/files.ts';

const rows = '1,2,3\n4,5,6\n7,8,9\n';
const read = async (...given: Parameters<typeof scanText>) => {
  const { headerRow, unitRow, rows: count, columns, warnings } = inspectionOf(await scanText(...given));
  return {
    headerRow,
    unitRow,
    rows: count,
    names: columns.map(({ name }) => name),
    units: columns.map(({ unit }) => unit),
    skipped: warnings.find(({ code }) => code === 'comment_lines')?.count ?? 0,
  };
};

describe('units in a line with #', () => {
  it.each([
    ['directly above the header', '# from the rig\n# m, m/h, klbf\nMD,ROP,WOB\n', 3, 2, 1],
    ['below the header', 'MD,ROP,WOB\n#m,m/h,klbf\n', 1, 2, 0],
    ['after the word', '# Units: m, m/h, klbf\nMD,ROP,WOB\n', 2, 1, 0],
  ])('belong to the columns: %s', async (_, above, headerRow, unitRow, skipped) => {
    expect(await read(above + rows)).toEqual({
      headerRow,
      unitRow,
      rows: 3,
      names: ['MD', 'ROP', 'WOB'],
      units: ['m', 'm/h', 'klbf'],
      skipped,
    });
  });

  it('can have another delimiter than the rows after the word', async () => {
    const found = await read(`# units: m, m/h, klbf\nMD\tROP\tWOB\n${rows.replaceAll(',', '\t')}`);
    expect(found).toMatchObject({ units: ['m', 'm/h', 'klbf'], unitRow: 1 });
  });

  it.each([
    ['with another number of cells', '# m, m/h\nMD,ROP,WOB\n'],
    ['of words', '# one, two, three\nMD,ROP,WOB\n'],
    ['not next to the header', '# m, m/h, klbf\n# of the day\nMD,ROP,WOB\n'],
  ])('are a comment: %s', async (_, above) => {
    expect(await read(above + rows)).toMatchObject({ unitRow: null, units: [null, null, null] });
  });

  it('give way to a unit row, and to the line that the user sets', async () => {
    const text = `# ft, ft/h, lbf\nMD,ROP,WOB\nm,m/h,klbf\n${rows}`;
    expect(await read(text)).toMatchObject({ unitRow: 3, units: ['m', 'm/h', 'klbf'], rows: 3 });
    expect(await read(text, { unitRow: 1 })).toMatchObject({ unitRow: 1, units: ['ft', 'ft/h', 'lbf'] });
    expect(await read(`# m, m/h, klbf\nMD,ROP,WOB\n${rows}`, { unitRow: 0 })).toMatchObject({
      unitRow: null,
      units: [null, null, null],
    });
  });

  it('are shown as units, not as comments', async () => {
    const path = await fileWith(`# note\n# m, m/h, klbf\nMD,ROP,WOB\n${rows}`);
    const { lines } = previewFile({ path, fileName: 'file.csv', layout: null, reading: {}, rows: 3 });
    expect(lines.map(({ kind }) => kind)).toEqual(['comment', 'units', 'header', 'row', 'row', 'row']);
  });
});

describe('names in a line with #', () => {
  it('can be fewer than the cells of the rows, as can their units', async () => {
    const found = await read(
      '#WellName;Elevation;X;Y;TD\n#WellUnit;m;m;m;m\n51R;55.7;14205.5;33939;2046;1\n52R;56.7;14206.5;33940;2047;1\n',
    );
    expect(found).toMatchObject({
      headerRow: 1,
      unitRow: 2,
      rows: 2,
      names: ['#WellName', 'Elevation', 'X', 'Y', 'TD', ''],
    });
    expect(found.units.slice(1)).toEqual(['m', 'm', 'm', 'm', null]);
  });

  it('are the header of rows that have none', async () => {
    expect(await read(`# exported by a program\n#MD,ROP,WOB\n${rows}`)).toMatchObject({
      headerRow: 2,
      rows: 3,
      names: ['#MD', 'ROP', 'WOB'],
      skipped: 1,
    });
    expect(await read(`# exported\n# MD, ROP, WOB\n# m, m/h, klbf\n${rows}`)).toMatchObject({
      headerRow: 2,
      unitRow: 3,
      rows: 3,
      units: ['m', 'm/h', 'klbf'],
    });
  });

  it('aren’t sentences, and not lines further above', async () => {
    expect(await read(`# Rig: A, Run: B, Hole: C\n${rows.replaceAll('\n', ',1\n')}`)).toMatchObject({
      headerRow: 0,
      rows: 3,
    });
    const sentence = '# this file was written by a program, on the rig, in August\n# again\n';
    expect(await read(sentence + rows)).toMatchObject({ headerRow: 0, rows: 3 });
    expect(await read(`#MD,ROP,WOB\n# a note\n${rows}`)).toMatchObject({ headerRow: 0, rows: 3 });
  });
});
