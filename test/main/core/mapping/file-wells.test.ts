import { beforeEach, describe, expect, it } from 'vitest';
import type { Services } from '../../../../src/main/core/wire/services/services.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import { fileWith } from '../../features/upload/support/files.ts';
import { planOf } from '../../features/upload/support/uploads.ts';
import { sheetRow, workbook } from '../../features/upload/support/workbooks.ts';

const servers = useServers();
const services = useServices();
let platform: Services;
beforeEach(async () => {
  const server = await servers.http(({ url }) => {
    if (url.pathname.includes('/wells')) {
      const well = { id: 1, type: 'well', attributes: { name: 'Badger 1H', asset_id: 5001 } };
      return { data: url.searchParams.get('search')?.toLowerCase() === 'badger 1h' ? [well] : [] };
    }
    return { provider: 'p', name: 'd', data_type: 'time', type: 'time' };
  });
  platform = services(server.url);
});

const file = (...wells: string[]) =>
  fileWith(
    `timestamp,Well,ROP\n${wells.map((well, at) => `${1_700_000_000_000 + at},${well},${at}\n`).join('')}`,
  );
const constants = { asset_id: 5001 };

describe('one well for all rows, set in a mapping file', () => {
  it('is rejected when the file names others, with their names, their lines, and both fixes', async () => {
    const plan = planOf(await file('Badger 1H', 'Badger 2H', 'Badger 3H'), platform, {
      mapping: { constants, rest: 'data' },
    });
    await expect(plan).rejects.toMatchObject({
      code: 'invalid_input',
      details: {
        issues: [
          {
            message:
              'All rows would be stored under asset_id 5001, but column “Well” names other wells: “Badger 2H” (line 3), “Badger 3H” (line 4). Map the column with {"to": "asset_id", "by": "name"} instead of the constant, or list these names under "confirmedWells" in the mapping.',
            place: { field: 'mapping.constants.asset_id' },
          },
        ],
      },
    });
  });

  it('is rejected with a list of all names that a script has to confirm, once each', async () => {
    const others = Array.from({ length: 12 }, (_, n) => `Badger ${n + 2}H`);
    const path = await file('Badger 1H', ...others, ...others);
    const mapping = { constants, rest: 'data' };
    await expect(planOf(path, platform, { mapping })).rejects.toMatchObject({
      message: expect.stringContaining('“Badger 6H” (line 7) and 7 more') as string,
      details: { issues: [{ lists: { wells: others } }] },
    });
    const { warnings } = await planOf(path, platform, { mapping: { ...mapping, confirmedWells: others } });
    expect(warnings.map(({ code }) => code)).toContain('wells_confirmed');
  });

  it('is rejected even when the well column is skipped or mapped to data', async () => {
    const path = await file('Badger 2H');
    for (const more of [{ skip: ['Well'] }, { columns: { Well: { to: 'data.well' } } }])
      await expect(planOf(path, platform, { mapping: { constants, ...more } })).rejects.toMatchObject({
        code: 'invalid_input',
      });
  });

  it('is rejected when the lines before the header name another', async () => {
    for (const line of ['# Well: Badger 2H', 'WELL.   Badger 2H : WELL NAME'])
      await expect(
        planOf(
          await fileWith(`${line}\ntimestamp;ROP;RPM\n1700000000000;2;3\n1700000001000;3;4\n`),
          platform,
          {
            mapping: { constants },
          },
        ),
      ).rejects.toMatchObject({
        details: {
          issues: [
            {
              message: expect.stringContaining(
                'the lines before the header name other wells: “Badger 2H” (line 1)',
              ),
            },
          ],
        },
      });
  });

  it.each([
    ['Well,Badger,Field,Volve', 'Badger'],
    ['Well,B-2,Texas', 'B-2'],
    ['Well,C-2', 'C-2'],
    ['Well,C-2,Field,Volve', 'C-2'],
    ['# WELL B-2', 'B-2'],
    ['# Well: Badger 2H, Field: Volve,,', 'Badger 2H'],
    ['Well:,"Badger 1H, ST2"', 'Badger 1H, ST2'],
    ['# Well: "Smith, J 1", Field: Volve', 'Smith, J 1'],
    ['WELL. Badger 1H, ST2 : WELL NAME', 'Badger 1H, ST2'],
    ['"Well: Badger 2H, Field: Volve",,', 'Badger 2H'],
  ])(
    'is rejected when the lines before the header name another, with or without a colon: %s',
    async (line, well) => {
      const path = await fileWith(`${line}\ntimestamp,ROP,RPM\n1700000000000,2,3\n1700000001000,3,4\n`);
      await expect(planOf(path, platform, { mapping: { constants } })).rejects.toThrow(`“${well}” (line 1)`);
    },
  );

  it.each([
    'Well Name,Operator,Rig\nA-1,Acme,R7',
    'Well,County,Field,Date\nA-1,Reeves,X,2024',
    'Well,Operator\nA-1,Acme',
    '# Well, tubing, and casing',
  ])(
    'is accepted when the lines before the header have names of columns or a sentence: %s',
    async (lines) => {
      const path = await fileWith(`${lines}\ntimestamp,ROP,RPM\n1700000000000,2,3\n1700000001000,3,4\n`);
      const { warnings } = await planOf(path, platform, { mapping: { constants } });
      expect(warnings.map(({ code }) => code)).not.toContain('wells_confirmed');
    },
  );

  it.each(['# Well: Badger 2H', 'Well: Badger 2H,,'])(
    'is rejected when a line below the header names another: %s',
    async (line) => {
      const path = await fileWith(`timestamp,ROP,RPM\n${line}\n1700000000000,2,3\n1700000001000,3,4\n`);
      await expect(planOf(path, platform, { mapping: { constants } })).rejects.toThrow('“Badger 2H”');
    },
  );

  it.each(['Well Report 2024', 'Well Test Data 2023', 'Wellbore Survey 2024-01-05', 'Well Completion 2024'])(
    'is accepted when the title of a file is no well: %s',
    async (title) => {
      const rows = ['timestamp ROP RPM', '1700000000000 2 3', '1700000001000 3 4', '1700000002000 3 4'];
      for (const name of ['rop.csv', 'rop.txt']) {
        const lines = name.endsWith('csv') ? rows.map((row) => row.replaceAll(' ', ',')) : rows;
        const path = await fileWith(`${[title, ...lines].join('\n')}\n`, name);
        const { warnings } = await planOf(path, platform, { mapping: { constants } });
        expect(warnings.map(({ code }) => code)).not.toContain('wells_confirmed');
      }
    },
  );

  it('is rejected when the header of a file in another format names another, whatever the name is', async () => {
    const rows = ['   timestamp   ROP   RPM', '1700000000000   2   3', '1700000001000   3   4', ''];
    for (const line of [
      'Wellbore : Badger 2H',
      "WELLNAME 'Badger 2H'",
      '# Well: Badger 2H',
      '! Well: Badger 2H',
      '-- Well: Badger 2H',
      'Well ID: Badger 2H',
      'well_name: Badger 2H',
    ])
      await expect(
        planOf(await fileWith([line, ...rows].join('\n'), 'rop.txt'), platform, { mapping: { constants } }),
      ).rejects.toThrow('the header names other wells: “Badger 2H”');
    const whole = ['Well: Badger 1H   Wellbore: Main   Number of wells: 7   API: 42.5', ...rows].join('\n');
    const { warnings } = await planOf(await fileWith(whole, 'rop.txt'), platform, { mapping: { constants } });
    expect(warnings.map(({ code }) => code)).not.toContain('wells_confirmed');
  });

  it('is rejected when a cell of a sheet or a line of a listing names another beside its field', async () => {
    const line = 'Well: Badger 2H, Field: Volve';
    const rows = [['timestamp', 'ROP'], ...[0, 1, 2].map((n) => [1_700_000_000_000 + n, n + 2])];
    const sheet = [[line], ...rows].map((cells, at) => sheetRow(at + 1, cells)).join('');
    const listing = [line, ...rows.map((cells) => cells.join('   ')), ''].join('\n');
    for (const path of [
      await fileWith(workbook({ sheets: { A: sheet } }), 'rop.xlsx'),
      await fileWith(listing, 'rop.txt'),
    ])
      await expect(planOf(path, platform, { mapping: { constants } })).rejects.toThrow('“Badger 2H”');
  });

  it('is accepted beside an entry whose name all objects have', async () => {
    const las =
      '~V\nVERS. 2.0 :\nWRAP. NO :\n~W\nNULL. -999.25 :\n~P\nCONSTRUCTOR. Acme : BUILT BY\n~C\ntimestamp. :\nROP.M/HR :\n~A\n1700000000000 2\n1700000001000 3\n';
    const { warnings } = await planOf(await fileWith(las, 'rop.las'), platform, { mapping: { constants } });
    expect(warnings.map(({ code }) => code)).not.toContain('wells_confirmed');
  });

  it.each(['Badger 1H, ST2', 'Badger 1H; ST2'])(
    'is rejected when the header of a log names a well that only begins like it: %s',
    async (well) => {
      const las = `~V\nVERS. 2.0 :\nWRAP. NO :\n~W\nNULL. -999.25 :\nWELL. ${well} : WELL NAME\n~C\ntimestamp. :\nROP.M/HR :\n~A\n1700000000000 2\n1700000001000 3\n`;
      const path = await fileWith(las, 'rop.las');
      await expect(planOf(path, platform, { mapping: { constants } })).rejects.toThrow(`“${well}”`);
    },
  );

  it('is accepted when the file names that well, or the user confirms the others; the result says so', async () => {
    const same = await planOf(await file('Badger 1H', 'badger 1h'), platform, { mapping: { constants } });
    expect(same.warnings.map(({ code }) => code)).not.toContain('wells_confirmed');
    const confirmed = await planOf(await file('Badger 2H'), platform, {
      mapping: { constants, confirmedWells: ['Badger 2H'] },
    });
    expect(confirmed.warnings).toMatchObject([
      { code: 'wells_confirmed', count: 1, line: 2, column: 'Well' },
      {},
    ]);
  });

  describe('beside a column of asset ids', () => {
    const fileOf = (column: string, ...ids: string[]) =>
      fileWith(
        `timestamp,${column},ROP\n${ids.map((id, at) => `${1_700_000_000_000 + at},${id},${at}\n`).join('')}`,
      );
    const started = async (path: string, more: object = {}) => {
      const { warnings, rules } = await planOf(path, platform, {
        mapping: { constants, rest: 'data', ...more },
      });
      return {
        codes: warnings.map(({ code }) => code).filter((code) => code !== 'version_assumed'),
        columns: rules.columns.map(({ column }) => column),
      };
    };

    it('is rejected when the column sets others, which confirmation alone doesn’t change', async () => {
      const path = await fileOf('asset_id', '5002', '5002');
      for (const more of [{}, { confirmedWells: ['5002'] }])
        await expect(started(path, more)).rejects.toMatchObject({
          message: expect.stringContaining(
            'All rows would be stored under asset_id 5001, but column “asset_id” names other wells: “5002” (line 2). Map the column with {"to": "asset_id"} instead of the constant, or skip it and list these names under "confirmedWells" in the mapping.',
          ) as string,
        });
      expect(await started(path, { skip: ['asset_id'], confirmedWells: ['5002'] })).toEqual({
        codes: ['wells_confirmed'],
        columns: ['timestamp', 'ROP'],
      });
    });

    it('is accepted when the column sets the same well, has blanks, or is listed', async () => {
      expect(await started(await fileOf('asset_id', '5001', '5001'))).toMatchObject({ codes: [] });
      expect(await started(await fileOf('asset_id', '5002', ''))).toMatchObject({ codes: ['blank_wells'] });
      const columns = { asset_id: { to: 'asset_id' } };
      expect(await started(await fileOf('asset_id', '5002'), { columns })).toMatchObject({ codes: [] });
    });

    it.each([
      ['asset_id', 'metadata.asset_id'],
      ['metadata.asset_id', 'asset_id'],
    ])('is rejected when %s has others, although it goes elsewhere', async (column, path) => {
      const upload = { constants: { [path]: 5001 } };
      const others = await fileOf(column, '5002', '5003');
      await expect(started(others, upload)).rejects.toMatchObject({
        message: expect.stringContaining(
          `All rows would be stored under ${path} 5001, but column “${column}” names other wells: “5002” (line 2), “5003” (line 3). Map the column with {"to": "${path}"} instead of the constant, or list`,
        ) as string,
      });
      const confirmed = await started(others, { ...upload, confirmedWells: ['5002', '5003'] });
      expect(confirmed.codes).toEqual(['wells_confirmed']);
      expect(await started(await fileOf(column, '5001'), upload)).toMatchObject({ codes: [] });
    });
  });

  it('is alone where the other values of its column mean null', async () => {
    const columns = { Well: { to: 'asset_id' } };
    const { warnings } = await planOf(await file('5002', 'N/A', '5002'), platform, {
      mapping: { columns, nulls: ['N/A'] },
    });
    expect(warnings.map(({ code }) => code)).not.toContain('several_wells');
  });

  it('is alone where its API number has two spellings', async () => {
    const { warnings } = await planOf(await file('33-053-00001', '3305300001'), platform, {
      mapping: {
        columns: { Well: { to: 'asset_id', by: 'api_number', wells: { '33-053-00001': 5001 } } },
      },
    });
    expect(warnings.map(({ code }) => code)).not.toContain('several_wells');
  });

  it('fills rows with a blank well, with a warning', async () => {
    const plan = await planOf(await file('5002', '', '5003'), platform, {
      mapping: { constants, columns: { Well: { to: 'asset_id' } } },
    });
    const about = { column: 'Well' };
    expect(plan.warnings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: 'blank_wells', count: 1, ...about }),
        expect.objectContaining({ code: 'several_wells', count: 2, ...about }),
      ]),
    );
  });
});
