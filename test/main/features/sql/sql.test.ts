import { cp, readFile, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, describe, expect, it } from 'vitest';
import { firstUsed } from '../../../../src/main/core/mapping/mapping.ts';
import { sourceAt, targetAt } from '../../../../src/main/core/files/files.ts';
import { commitName, logName } from '../../../../src/main/core/write/delta/snapshot.ts';
import { measured } from '../../../../src/shared/sql/write-sql.ts';
import { exportRequest } from '../../../../src/shared/export/export.ts';
import { aggregateRequest, findRequest } from '../../../../src/shared/query/query.ts';
import { exportJob, openSql } from './support/open-sql.ts';

const unusedRequest = exportRequest.parse({
  connection: 'none',
  provider: 'none',
  dataset: 'none',
  target: 'x'.repeat(20),
});

const request = (dataset: string) => ({
  kind: 'find' as const,
  request: findRequest.parse({ connection: 'connection', provider: 'demo', dataset, limit: 10 }),
});

/** Writes all files of these tests. */
const writer = await (await DuckDBInstance.create(':memory:')).connect();
afterAll(() => writer.closeSync());

async function writeParquet(path: string, sql: string, columns = '[]'): Promise<void> {
  await writer.run(
    `COPY (${sql}) TO '${path}' (FORMAT parquet, KV_METADATA {'wellbench.columns': '${columns}'})`,
  );
}

const survey = [
  'MD,Inc,TVD,When,Id',
  'ft,deg,ft,,',
  '100,0.5,99.9,2026-01-31 10:00:00,007',
  '200,NULL,199.9,2026-01-31 11:00:00,008',
  '300,1.5,299.9,2026-01-31 12:00:00,009',
  '',
].join('\n');

/** The file of the only export. */
function exportPath({
  files,
  exports,
}: Pick<Awaited<ReturnType<typeof openSql>>, 'files' | 'exports'>): string {
  const place = files.target(exports[0]?.target ?? '');
  if (place.place !== 'path') throw new Error('a table is read from a path');
  return place.path;
}

describe('a file', () => {
  it('becomes a table with types, units, and assumptions', async () => {
    const sql = await openSql();
    const table = await sql.add('My survey (2026).csv', survey);
    expect(table).toMatchObject({
      name: 'my_survey_2026',
      origin: 'file',
      label: 'My survey (2026).csv',
      rows: 3,
      columns: [
        { name: 'MD', type: 'BIGINT', unit: 'ft' },
        { name: 'Inc', type: 'DOUBLE', unit: 'deg' },
        { name: 'TVD', type: 'DOUBLE', unit: 'ft' },
        { name: 'When', type: 'TIMESTAMP WITH TIME ZONE', unit: null },
        { name: 'Id', type: 'VARCHAR', unit: null },
      ],
    });
    expect(table.warnings).toContainEqual(expect.objectContaining({ code: 'zone_missing', column: 'When' }));
    expect(await sql.rows('SELECT * FROM my_survey_2026 WHERE "MD" <= 200 ORDER BY "MD" DESC')).toEqual([
      { MD: 200, Inc: null, TVD: 199.9, When: '2026-01-31T11:00:00.000Z', Id: '008' },
      { MD: 100, Inc: 0.5, TVD: 99.9, When: '2026-01-31T10:00:00.000Z', Id: '007' },
    ]);
  });

  it.each(['a[1].parquet', 'a*.parquet', '[b] c?.parquet'])(
    'called %s is itself, and no file that its name matches as a pattern',
    async (name) => {
      const sql = await openSql();
      for (const [file, value] of [
        ['a1.parquet', 1],
        ['ab.parquet', 2],
        ['b c1.parquet', 3],
        [name, 4],
      ] as const)
        await writeParquet(join(sql.folder, file), `SELECT ${value} AS v`);
      const { token } = await sql.files.grantSource(sourceAt(join(sql.folder, name)));
      await sql.addFile({ source: token, reading: {}, name: 't' }, {});
      expect(await sql.rows('SELECT v FROM t')).toEqual([{ v: 4 }]);
      // An error of the engine has no path, however it writes it.
      await writeFile(join(sql.folder, name), 'PAR1 damaged PAR1');
      await expect(sql.rows('SELECT v FROM t')).rejects.toSatisfy(
        (error) => !String(error).includes(sql.folder),
      );
    },
  );

  it('of Parquet has instants of old writers with their zone, and no decimals that would be other numbers', async () => {
    const sql = await openSql();
    const add = async (name: string, options: Parameters<typeof parquetWriteBuffer>[0]) => {
      await writeFile(join(sql.folder, name), new Uint8Array(parquetWriteBuffer(options)));
      const { token } = await sql.files.grantSource(sourceAt(join(sql.folder, name)));
      return sql.addFile({ source: token, reading: {} }, {});
    };
    const column = { repetition_type: 'REQUIRED' } as const;
    const root = { name: 'root', num_children: 1 };
    const times = await add('old.parquet', {
      schema: [root, { ...column, name: 't', type: 'INT64', converted_type: 'TIMESTAMP_MICROS' }],
      columnData: [{ name: 't', data: [1_000_001n] }],
    });
    expect(times.columns).toMatchObject([{ name: 't', type: 'TIMESTAMP WITH TIME ZONE' }]);
    expect(await sql.rows('SELECT t FROM old')).toEqual([{ t: '1970-01-01T00:00:01.000001Z' }]);
    const decimal = {
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: 20,
      converted_type: 'DECIMAL',
      precision: 46,
    } as const;
    await expect(
      add('wide.parquet', {
        schema: [root, { ...column, ...decimal, name: 'cost', scale: 1 }],
        columnData: [{ name: 'cost', data: [12345n] }],
      }),
    ).rejects.toThrow(/column cost has decimals of 46 digits; Wellbench reads up to 38/);
  });

  it('with columns that differ only in case has them all', async () => {
    const sql = await openSql();
    const { columns } = await sql.add('case.csv', 'ROP,rop,__proto__\n1,2,3\n');
    expect(columns.map(({ name }) => name)).toEqual(['ROP', 'rop_1', '__proto__']);
    expect(columns.map(({ unit }) => unit)).toEqual([null, null, null]);
    expect(JSON.stringify(await sql.rows('SELECT * FROM "case"'))).toBe(
      '[{"ROP":1,"rop_1":2,"__proto__":3}]',
    );
  });

  it('with columns whose names all objects have is a table like others', async () => {
    const sql = await openSql();
    const { columns } = await sql.add('names.csv', 'constructor,toString\n1,2\n');
    expect(columns.map(({ name, unit }) => [name, unit])).toEqual([
      ['constructor', null],
      ['toString', null],
    ]);
  });

  it('with numbers that may mean null reads them as null, or keeps them with a note how to leave them out', async () => {
    const sql = await openSql();
    const text = 'rop,wob,gr\n1,2,3\n-999.25,-999.25,4\n5,6,-9999\n7,-9999.25,5\n';
    const { notes, warnings, keepsNulls } = await sql.add('tokens.csv', text);
    expect(keepsNulls).toBe(false);
    expect(warnings).toEqual([]);
    expect(notes).toEqual([
      '-999.25 in rop is read as null.',
      '-9999 in gr is read as null.',
      '-9999.25 in wob is read as null.',
    ]);
    // Also those that aren't the lowest number of their column.
    const means = 'SELECT avg(rop) AS rop, avg(wob) AS wob, avg(gr) AS gr FROM tokens';
    expect(await sql.rows(means)).toEqual([{ rop: 13 / 3, wob: 4, gr: 4 }]);

    const kept = await sql.keepNulls({ name: 'tokens', keepsNulls: true }, {});
    expect(kept.columns.map(({ nullNumbers }) => nullNumbers)).toEqual([
      [-999.25],
      [-999.25, -9999.25],
      [-9999],
    ]);
    expect(kept.notes[0]).toMatch(/-999\.25 in rop, wob .*NULLIF\(column, -999\.25\)/);
    expect(await sql.rows(means)).not.toEqual([{ rop: 13 / 3, wob: 4, gr: 4 }]);
    expect(await sql.rows('SELECT avg(NULLIF(rop, -999.25)) AS mean FROM tokens')).toEqual([
      { mean: 13 / 3 },
    ]);
    await sql.keepNulls({ name: 'tokens', keepsNulls: false }, {});
    expect(await sql.rows(means)).toEqual([{ rop: 13 / 3, wob: 4, gr: 4 }]);
  });

  it('of Parquet with decimals has those as null that are null values, whatever their digits', async () => {
    const sql = await openSql();
    const path = join(sql.folder, 'decimals.parquet');
    const columns = [
      ['a', 'DECIMAL(5,2)', [-999.25, 1.25], [null, 1.25]],
      ['b', 'DECIMAL(5,2)', [null, null], [null, null]],
      ['c', 'DECIMAL(4,1)', [-999.3, -999], [-999.3, null]],
      ['d', 'DECIMAL(18,0)', [-999_999, -99_999], [-999_999, null]],
      ['e', 'FLOAT', [-99_999.25, 0.5], [null, 0.5]],
    ] as const;
    const rowAt = (row: 0 | 1) =>
      `SELECT ${columns.map(([name, type, values]) => `${values[row]}::${type} AS ${name}`).join(', ')}`;
    await writeParquet(path, `${rowAt(0)} UNION ALL ${rowAt(1)}`);
    const { token } = await sql.files.grantSource(sourceAt(path));
    await sql.addFile({ source: token, reading: {} }, {});
    expect(await sql.rows('SELECT * FROM decimals')).toEqual(
      [0, 1].map((row) => Object.fromEntries(columns.map(([name, , , read]) => [name, read[row]]))),
    );
  });

  it('of Parquet from another program has the null values and the units that its CSV file has', async () => {
    const sql = await openSql();
    const columns = 'PHI, SW, N, Near, Wave, Low';
    // Other numbers of a column are near -32768 in the second file.
    const files = ['-1', '-32000'].map(
      (near) =>
        `(0.1, 1e30, -32768, 4, 1e30, -32768), (0.9, 1e30, 3, ${near}, 5, -99999), (1e30, NULL, 1, -32768, -999.25, 1), (-999.25, 1e30, 2, 6, 3, 2)`,
    );
    const types = 'PHI::FLOAT AS PHI, SW, N::INTEGER AS N, Near::SMALLINT AS Near, Wave, Low::BIGINT AS Low';
    const pandas = JSON.stringify({ attributes: { units: { PHI: 'v/v' } } });
    const all: unknown[] = [];
    for (const [at, rows] of files.entries()) {
      const from = `(SELECT ${types} FROM (VALUES ${rows}) AS t(${columns}))`;
      const path = join(sql.folder, `petrel_${at}.parquet`);
      await writer.run(`COPY ${from} TO '${path}' (FORMAT parquet, KV_METADATA {'pandas': '${pandas}'})`);
      await writer.run(`COPY ${from} TO '${join(sql.folder, `text_${at}.csv`)}'`);
      const { token } = await sql.files.grantSource(sourceAt(path));
      const parquet = await sql.addFile({ source: token, reading: {} }, {});
      expect(parquet.columns.map(({ unit }) => unit)).toEqual(['v/v', null, null, null, null, null]);
      const text = await sql.add(
        `text_${at}.csv`,
        await readFile(join(sql.folder, `text_${at}.csv`), 'utf8'),
      );
      expect(parquet.notes).toEqual(text.notes);
      const values = columns
        .split(', ')
        .map((name) => `min(${name}::FLOAT) AS min_${name}, max(${name}::FLOAT) AS max_${name}`)
        .join(', ');
      const read = await sql.rows(`SELECT ${values} FROM petrel_${at}`);
      expect(await sql.rows(`SELECT ${values} FROM text_${at}`)).toEqual(read);
      all.push(read);
      const kept = await sql.keepNulls({ name: `petrel_${at}`, keepsNulls: true }, {});
      expect(kept.columns.map(({ nullNumbers }) => nullNumbers?.at(-1))).toEqual(
        at === 0
          ? [Math.fround(1e30), 1e30, -32_768, -32_768, 1e30, -32_768]
          : [Math.fround(1e30), 1e30, undefined, undefined, 1e30, -99_999],
      );
      const [phi, sw] = kept.columns;
      expect(
        phi &&
          sw &&
          (await sql.rows(
            `SELECT max(${measured(phi)})::DECIMAL(4,2) AS phi, max(${measured(sw)}) AS sw FROM petrel_${at}`,
          )),
      ).toEqual([{ phi: 0.9, sw: null }]);
      expect(kept.notes).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^1e\+30 in PHI .*NULLIF\(column, 1\.0000000150474662e\+30\)/),
          expect.stringMatching(/^1e\+30 in SW, Wave .*NULLIF\(column, 1e\+30\)/),
        ]),
      );
    }
    expect(all).toMatchObject([
      [{ max_SW: null, min_N: 1, min_Near: -1, max_Wave: 5, min_Low: 1 }],
      [{ max_SW: null, min_N: -32_768, min_Near: -32_768, max_Wave: 5, min_Low: -32_768 }],
    ]);
  });

  it('of Parquet without statistics has no null values of other programs, either', async () => {
    const sql = await openSql();
    const path = join(sql.folder, 'plain.parquet');
    const type = 'DOUBLE' as const;
    const columnData = [
      { name: 'damaged', data: [1, 2, 3], type },
      { name: 'n', data: [1, -32_768, 3], type },
      { name: 'near', data: [1, 1e30, 9e29], type },
    ];
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData, statistics: false }));
    // The header of the first page.
    await writeFile(path, bytes.fill(255, 4, 12));
    const { token } = await sql.files.grantSource(sourceAt(path));
    const { notes } = await sql.addFile({ source: token, reading: {} }, {});
    expect(notes).toEqual(['-32768 in n is read as null.']);
    expect(await sql.rows('SELECT min(n) AS n, max(near) AS near FROM plain')).toEqual([
      { n: 1, near: 1e30 },
    ]);
    await expect(sql.rows('SELECT damaged FROM plain')).rejects.toThrow();
  });

  it('that keeps numbers that may mean null names each of them, also beside lower values', async () => {
    const sql = await openSql();
    const text = 'rop,east,n,gr\n-9999,-1500,-999,1\n-999.25,-999.25,-9999,2\n50,3,1,3\n60,4,2,-2000\n';
    const read = await sql.add('kept.csv', text);
    expect(read.notes).toEqual(['-999.25 in east is read as null.', '-9999 in rop, n is read as null.']);
    const { columns, notes } = await sql.keepNulls({ name: 'kept', keepsNulls: true }, {});
    expect(columns.map(({ name, nullNumbers }) => [name, nullNumbers])).toEqual([
      ['rop', [-999.25, -9999]],
      ['east', [-999.25]],
      ['n', [-999, -9999]],
      ['gr', undefined],
    ]);
    expect(notes.some((note) => note.startsWith('-999.25 in rop, east may mean null'))).toBe(true);
    const [rop] = columns;
    expect(rop && (await sql.rows(`SELECT avg(${measured(rop)}) AS mean FROM kept`))).toEqual([{ mean: 55 }]);
  });

  it('with several tables can be read from another of them, in its place', async () => {
    const sql = await openSql();
    await sql.add('other.csv', 'a\n1\n');
    const text = 'depth,rop\n100,1\n200,2\n\nstage,pressure,rate\n1,5000,50\n2,5100,51\n3,5200,52\n';
    const table = await sql.add('two.csv', text);
    expect(table.fileTables).toMatchObject({ number: 1, tables: [{ rows: 2 }, { rows: 3 }] });
    expect(await sql.rows('SELECT rop FROM two ORDER BY depth')).toEqual([{ rop: 1 }, { rop: 2 }]);
    expect((await sql.add('one.csv', 'b\n1\n')).fileTables).toBeUndefined();
    await sql.keepNulls({ name: 'two', keepsNulls: true }, {});

    const second = await sql.readTable({ name: 'two', number: 2 }, {});
    expect(second).toMatchObject({ name: 'two', keepsNulls: true, rows: 3, fileTables: { number: 2 } });
    expect((await sql.tables({}, {})).map(({ name }) => name)).toEqual(['other', 'two', 'one']);
    expect(await sql.rows('SELECT count(rate) AS n FROM two')).toEqual([{ n: 3 }]);
    await sql.readTable({ name: 'two', number: 1 }, {});
    expect(await sql.rows('SELECT count(rop) AS n FROM two')).toEqual([{ n: 2 }]);

    await expect(sql.readTable({ name: 'two', number: 3 }, {})).rejects.toThrow(/has no table 3/);
    await expect(sql.readTable({ name: 'one', number: 1 }, {})).rejects.toThrow(/has no table 1/);
    await rm(join(sql.folder, 'two.csv'));
    await expect(sql.readTable({ name: 'two', number: 2 }, {})).rejects.toMatchObject({
      code: 'file_unreadable',
    });
    expect(await sql.rows('SELECT count(rop) AS n FROM two')).toEqual([{ n: 2 }]);
    expect(await readdir(join(sql.dataFolder, 'sql'), { recursive: true })).toSatisfy(
      (names: string[]) => names.filter((name) => name.endsWith('.parquet')).length === 3,
    );
  });

  it('of numbers is numbers, however many digits one of them has', async () => {
    const sql = await openSql();
    const long = '2000000000000000039769249677312';
    const table = await sql.add('long.csv', `a,b,code\n1.5,84.739999999999995,${long}\n${long},84.74,1\n`);
    expect(table.columns.map(({ type }) => type)).toEqual(['DOUBLE', 'DOUBLE', 'VARCHAR']);
    expect(await sql.rows('SELECT max(a) AS a, count(DISTINCT b)::INT AS b FROM long')).toEqual([
      { a: 2e30, b: 1 },
    ]);
  });

  it('has no numbers that mean null in it, unless they are kept, and times in the zone that it names', async () => {
    const sql = await openSql();
    const rows = ['12,1.5,3', '1e30,-32768,4', '13,2.5,-999', '14,3.5,5'];
    const text = rows.map((row, at) => `2026-01-01 00:0${at},${row}\n`).join('');
    const { warnings } = await sql.add('res.csv', `Time (UTC-6),RES,GR,N\n${text}`);
    expect(warnings?.map(({ code }) => code)).not.toContain('zone_missing');
    const query =
      'SELECT max("RES") AS res, min("GR") AS gr, min("N") AS n, max("Time (UTC-6)") AS t FROM res';
    const t = '2026-01-01T06:03:00.000Z';
    expect(await sql.rows(query)).toEqual([{ res: 14, gr: 1.5, n: 3, t }]);
    await sql.keepNulls({ name: 'res', keepsNulls: true }, {});
    expect(await sql.rows(query)).toEqual([{ res: 1e30, gr: -32_768, n: -999, t }]);
  });

  it('with unreadable rows reports how many were skipped, and where', async () => {
    const sql = await openSql();
    const { rows, notes } = await sql.add('broken.csv', 'a,b\n1,2\n3\n4,5\n6,7\n8,9\n');
    expect(rows).toBe(4);
    expect(notes.join(' ')).toContain('3');
  });

  it('says how many of its times occur twice, which are read as the first', async () => {
    const sql = await openSql();
    const clocks = ['00:30', '01:00', '01:30', '01:00', '01:30', '02:00'];
    const text = clocks.map((clock) => `2026-11-01 ${clock},5\n`).join('');
    const { notes } = await sql.add('fall.csv', `Time (America/Chicago),ROP\n${text}`);
    expect(notes).toEqual([firstUsed(4)]);
  });

  it('with the same name as another gets a number', async () => {
    const sql = await openSql();
    await sql.add('a.csv', 'x\n1\n');
    expect((await sql.add('a.csv', 'x\n2\n')).name).toBe('a_2');
    await sql.removeTable({ name: 'a' }, {});
    expect((await sql.tables({}, {})).map(({ name }) => name)).toEqual(['a_2']);
    expect(await sql.rows('SELECT * FROM a_2')).toEqual([{ x: 2 }]);
  });

  it('that isn’t a table changes nothing', async () => {
    const sql = await openSql();
    await sql.add('a.csv', 'x\n1\n');
    await expect(sql.add('b.xlsx', 'PK\u0003\u0004 broken')).rejects.toMatchObject({
      code: 'file_unsuitable',
    });
    await expect(sql.add('b.parquet', 'not Parquet')).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await sql.rows('SELECT * FROM a')).toEqual([{ x: 1 }]);
  });
});

describe('a folder of Parquet files', () => {
  it('is one table, with its partitions as columns', async () => {
    const sql = await openSql();
    const target = async (...path: string[]) => {
      await mkdir(join(sql.folder, ...path.slice(0, -1)), { recursive: true });
      return sql.files.grantTarget(targetAt(join(sql.folder, ...path))).token;
    };
    for (const well of [5003, 5004])
      await sql.save(
        {
          sql: `SELECT i AS depth, i * ${well} AS "data.rop" FROM range(10) r(i)`,
          target: await target('mirror', `asset_id=${well}`, 'part-0.parquet'),
          format: 'parquet',
          csv: {},
          layout: {},
        } as never,
        {},
      );
    const folder = sql.files.grantFolder({ path: join(sql.folder, 'mirror'), name: 'mirror' }).token;
    expect(await sql.addFolder({ folder }, {})).toMatchObject({ name: 'mirror', origin: 'folder', rows: 20 });
    expect(
      await sql.rows('SELECT asset_id, max(data_rop) AS top FROM mirror GROUP BY ALL ORDER BY ALL'),
    ).toEqual([
      { asset_id: 5003, top: 5003 * 9 },
      { asset_id: 5004, top: 5004 * 9 },
    ]);
  });

  it('names the columns with values of another type than the others of their field, and how many they are', async () => {
    const sql = await openSql();
    const folder = join(sql.folder, 'mirror');
    await mkdir(folder);
    const columns = `[{"name":"data.rop","path":"data.rop"},{"name":"data.rop_string","path":"data.rop"},{"name":"state_string","path":"state_string"}]`;
    for (const [name, metadata, rows] of [
      ['a', '[{"name":"data.rop","path":"data.rop","unit":"ft/h"}]', `SELECT 1.5 AS "data.rop"`],
      [
        'b',
        columns,
        `FROM (VALUES (2.5, NULL, 'x'), (NULL, 'none', NULL)) t("data.rop", "data.rop_string", state_string)`,
      ],
    ] as const) {
      await writeParquet(join(folder, `${name}.parquet`), rows, metadata);
    }
    const { token } = sql.files.grantFolder({ path: folder, name: 'mirror' });
    const table = await sql.addFolder({ folder: token }, {});
    expect(table.notes).toEqual([expect.stringMatching(/^1 .*data_rop .*data_rop_string/)]);
    expect(table.columns[0]).toMatchObject({ name: 'data_rop', unit: 'ft/h' });
  });

  it('has no unit where its files have several, and null values by the shared name of a column', async () => {
    const sql = await openSql();
    const path = join(sql.folder, 'wells');
    await mkdir(path);
    for (const [name, unit, number] of [
      ['ROP', 'm/h', '5.5'],
      ['rop', 'ft/h', '-999.25'],
    ] as const) {
      const metadata = `[{"name":"${name}","unit":"${unit}"},{"name":"md","unit":"${unit === 'm/h' ? 'ft' : 'FT'}"},{"name":"code","unit":""}]`;
      await writeParquet(
        join(path, `${name}-${unit[0]}.parquet`),
        `SELECT ${number}::DOUBLE AS ${name}, 1.5 AS md, 7 AS code`,
        metadata,
      );
    }
    const { token } = sql.files.grantFolder({ path, name: 'wells' });
    const { columns, notes } = await sql.addFolder({ folder: token }, {});
    expect(columns.map(({ name, unit }) => [name, unit])).toEqual([
      ['ROP', null],
      ['md', 'ft'],
      ['code', null],
    ]);
    expect(notes).toEqual([
      expect.stringMatching(/ROP .*: m\/h, ft\/h/),
      expect.stringMatching(/^-999.25 in ROP is read as null/),
    ]);
    expect(await sql.rows('SELECT max(rop) AS top, min(rop) AS low FROM wells')).toEqual([
      { top: 5.5, low: 5.5 },
    ]);
  });

  it('has the files that the folder has now, whatever their names, but no links', async () => {
    const sql = await openSql();
    const path = join(sql.folder, 'mirror [1]');
    await mkdir(join(path, 'deep'), { recursive: true });
    await writeParquet(join(path, 'a*.parquet'), 'SELECT 1 AS n');
    await writeParquet(join(sql.folder, 'outside.parquet'), 'SELECT 99 AS n');
    await symlink(join(sql.folder, 'outside.parquet'), join(path, 'link.parquet'));
    const folder = sql.files.grantFolder({ path, name: 'mirror' }).token;
    expect(await sql.addFolder({ folder, name: 'mirror' }, {})).toMatchObject({ rows: 1 });
    const sum = 'SELECT sum(n)::INTEGER AS sum FROM mirror';
    expect(await sql.rows(sum)).toEqual([{ sum: 1 }]);
    await writeParquet(join(path, 'deep', '{b}.parquet'), 'SELECT 2 AS n');
    expect(await sql.rows(sum)).toEqual([{ sum: 3 }]);
    await rm(join(path, 'a*.parquet'));
    expect(await sql.rows(sum)).toEqual([{ sum: 2 }]);
    // Without any file, the other tables stay usable.
    await sql.add('a.csv', 'x\n1\n');
    await rm(join(path, 'deep', '{b}.parquet'));
    expect(await sql.rows('SELECT * FROM a')).toEqual([{ x: 1 }]);
    await expect(sql.rows(sum)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('of a mirror has no rows of an earlier version once the mirror has none, or its log can’t be read', async () => {
    const sql = await openSql();
    const path = join(sql.folder, 'wits');
    await mkdir(path);
    await writeParquet(join(path, 'part.parquet'), 'SELECT 1 AS n');
    await mkdir(join(path, logName));
    const commit = (version: number, text: string) =>
      writeFile(join(path, logName, commitName(version)), text);
    const file = { path: 'part.parquet', dataChange: true };
    const metaData = {
      id: 'wits',
      format: { provider: 'parquet' },
      schemaString: '{}',
      partitionColumns: [],
    };
    const first = [
      { protocol: { minReaderVersion: 1, minWriterVersion: 2 } },
      { metaData },
      { add: { ...file, partitionValues: {}, size: 1, modificationTime: 0 } },
    ];
    await commit(0, first.map((action) => JSON.stringify(action)).join('\n'));
    await sql.addFolder({ folder: sql.files.grantFolder({ path, name: 'wits' }).token }, {});
    expect(await sql.rows('SELECT n FROM wits')).toEqual([{ n: 1 }]);
    // Readers of the earlier version can still have its file.
    await commit(1, JSON.stringify({ remove: file }));
    await expect(sql.rows('SELECT n FROM wits')).rejects.toMatchObject({ code: 'invalid_input' });
    expect((await sql.tables({}, {}))[0]).toMatchObject({ rows: 0, columns: [] });
    await commit(1, '{');
    await expect(sql.rows('SELECT n FROM wits')).rejects.toMatchObject({ code: 'file_unreadable' });
    await rm(join(path, logName, commitName(1)));
    expect(await sql.rows('SELECT n FROM wits')).toEqual([{ n: 1 }]);
  });

  it('without such files is rejected', async () => {
    const sql = await openSql();
    const folder = sql.files.grantFolder({ path: sql.folder, name: 'empty' }).token;
    await expect(sql.addFolder({ folder }, {})).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('a query result', () => {
  it('becomes a table, with the units of its fields, replacing the earlier one of its tab', async () => {
    const sql = await openSql();
    for (const label of ['wits · query 1', 'wits · query 1'])
      expect(await sql.addAnswer({ request: request('wits'), tab: 'a', label }, {})).toMatchObject({
        name: 'wits_query_1',
        origin: 'answer',
        rows: 2,
        columns: [
          { name: 'asset_id', unit: null },
          { name: 'data_rop', unit: 'ft/h' },
          { name: 'data_state', unit: null },
        ],
      });
    expect(await sql.tables({}, {})).toHaveLength(1);
    expect(await sql.rows('SELECT data_rop::VARCHAR AS rop FROM wits_query_1 ORDER BY asset_id')).toEqual([
      { rop: '9007199254740993' },
      { rop: '2' },
    ]);
  });

  it('takes no name of a file, a dataset, or another tab, and is read as the earlier one of its tab', async () => {
    const sql = await openSql();
    await sql.add('wits.csv', 'a\n1\n');
    const addAnswer = (label: string, tab = 'a') =>
      sql.addAnswer({ request: request('wits'), tab, label }, {});
    const first = await addAnswer('wits');
    await sql.keepNulls({ name: first.name, keepsNulls: true }, {});
    const again = await addAnswer('wits');
    const long = 'a tab with a title of many, many characters';
    const others = await Promise.all([
      addAnswer(`${long} 1`),
      addAnswer(`${long} 2`),
      // The same saved query, opened for another well or on another connection.
      addAnswer('wits', 'b'),
    ]);
    expect([again.name, again.keepsNulls]).toEqual([first.name, true]);
    const names = (await sql.tables({}, {})).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['wits', first.name, ...others.map(({ name }) => name)].toSorted());
    expect(new Set(names).size).toBe(5);
    expect(await sql.rows('SELECT a FROM wits')).toEqual([{ a: 1 }]);
  });

  it('with a few texts among numbers names their column, and how many they are', async () => {
    const sql = await openSql();
    const table = await sql.addAnswer({ request: request('mixed'), tab: 'a', label: 'mixed' }, {});
    expect(table.columns).toContainEqual(expect.objectContaining({ name: 'data_rop', type: 'VARCHAR' }));
    expect(table.notes).toEqual([expect.stringMatching(/data\.rop \(2 .* 1 text such as "none"/)]);
  });

  it('has the units that are set later, and those of the dataset when they are removed', async () => {
    const sql = await openSql();
    await sql.addAnswer({ request: request('wits'), tab: 'a', label: 'wits' }, {});
    await sql.addAnswer({ request: request('nulls'), tab: 'a', label: 'nulls' }, {});
    const units = async () =>
      (await sql.tables({}, {})).map(({ columns }) => columns.find(({ name }) => name === 'data_rop')?.unit);
    sql.unitsSet['wits'] = { 'data.rop': 'm/h' };
    expect(await units()).toEqual(['m/h', 'ft/h']);
    await sql.keepNulls({ name: 'wits', keepsNulls: true }, {});
    expect(await units()).toEqual(['m/h', 'ft/h']);
    delete sql.unitsSet['wits'];
    expect(await units()).toEqual(['ft/h', 'ft/h']);
  });

  it('of a pipeline or an aggregation has no unit on what that computes, also when units are set later', async () => {
    const sql = await openSql();
    const stages = "[{ $set: { 'data.rop': { $multiply: ['$data.rop', 2] } } }]";
    const pipeline = { ...request('wits').request, stages };
    const project = "{ 'data.rop': { $multiply: ['$data.rop', 2] } }";
    const aggregate = aggregateRequest.parse({ ...request('wits').request, limit: undefined, project });
    await sql.addAnswer({ request: { kind: 'pipeline', request: pipeline }, tab: 'a', label: 'twice' }, {});
    await sql.addAnswer({ request: { kind: 'aggregate', request: aggregate }, tab: 'a', label: 'both' }, {});
    await sql.addAnswer({ request: request('wits'), tab: 'a', label: 'wits' }, {});
    const units = async () =>
      (await sql.tables({}, {})).map(({ columns }) => columns.find(({ name }) => name === 'data_rop')?.unit);
    expect(await units()).toEqual([null, null, 'ft/h']);
    sql.unitsSet['wits'] = { 'data.rop': 'm/h' };
    expect(await units()).toEqual([null, null, 'm/h']);
  });

  it('of only some of the records says so in what statements compute of it', async () => {
    const sql = await openSql();
    const pipeline = { ...request('wits').request, stages: '[{ $limit: 2 }]' };
    const all = { ...request('nulls').request, limit: 2 };
    await sql.addAnswer({ request: { kind: 'pipeline', request: pipeline }, tab: 'a', label: 'means' }, {});
    await sql.addAnswer({ request: request('wits'), tab: 'a', label: 'wits' }, {});
    await sql.addAnswer({ request: { kind: 'find', request: all }, tab: 'a', label: 'logs' }, {});
    await sql.addAnswer({ request: request('nulls'), tab: 'a', label: 'complete' }, {});
    const partOf = async (table: string) =>
      (await sql.run({ sql: `SELECT count(*) FROM ${table}`, limit: 1 }, {})).computedFrom;
    expect(await Promise.all(['means', 'wits', 'logs', 'complete'].map(partOf))).toEqual([
      'at most 2 records of means',
      '2 of 3 rows of wits',
      'the first 2 records of logs',
      undefined,
    ]);
  });

  it('with numbers that may mean null reads them as null', async () => {
    const sql = await openSql();
    const { notes } = await sql.addAnswer({ request: request('nulls'), tab: 'a', label: 'nulls' }, {});
    expect(notes).toEqual(['-999.25 in data_rop is read as null.']);
  });

  it('reports how many records match, and loads all of them with an export that is deleted afterwards', async () => {
    const sql = await openSql();
    const table = await sql.addAnswer({ request: request('wits'), tab: 'a', label: 'wits' }, {});
    expect(table).toMatchObject({ rows: 2, total: 3 });
    const loading = sql.exportedTable(await sql.loadAll({ name: 'wits' }, {}), {});
    await expect.poll(() => sql.exports.length).toBe(1);
    const [{ query, format } = unusedRequest] = sql.exports;
    expect([query, format]).toEqual(['{}', 'parquet']);
    const path = exportPath(sql);
    await writeParquet(path, 'SELECT range AS n FROM range(3)');
    await writeFile(`${path}.manifest.json`, '{}');
    sql.stopExport('done');
    expect(await loading).toMatchObject({ name: 'wits', rows: 3, total: null });
    expect(sql.discarded).toEqual([exportJob.id]);
    const left = await readdir(dirname(path));
    expect(left.filter((name) => !name.startsWith('spill'))).toEqual([basename(path)]);
    await expect(sql.loadAll({ name: 'wits' }, {})).rejects.toMatchObject({ code: 'invalid_input' });
    await sql.addAnswer({ request: request('wits'), tab: 'a', label: 'wits' }, {});
    expect(await sql.tables({}, {})).toMatchObject([{ name: 'wits', rows: 2 }]);
  });

  it.each([
    ['only when they are set', '[{"name":"data.rop","unit":"ft/h"}]', 'ft/h', []],
    ['if it has none, because they couldn’t be read', '[]', 'ft/h', ['wits']],
  ])(
    'of a whole dataset has the units of its file, which are read again %s',
    async (_when, columns, unit, sampled) => {
      const sql = await openSql();
      const { connection, provider, dataset } = request('wits').request;
      const started = await sql.readDataset(
        { connection, provider, dataset, query: '{}', label: 'demo/wits' },
        {},
      );
      await expect.poll(() => sql.exports.length).toBe(1);
      const path = exportPath(sql);
      await writeParquet(path, 'SELECT 1.5 AS "data.rop"', columns);
      sql.stopExport('done');
      await sql.exportedTable(started, {});
      expect(await sql.tables({}, {})).toMatchObject([{ columns: [{ unit }] }]);
      expect(sql.sampled).toEqual(sampled);
      sql.unitsSet['wits'] = { 'data.rop': 'm/h' };
      expect(await sql.tables({}, {})).toMatchObject([{ columns: [{ unit: 'm/h' }] }]);
      expect(sql.sampled).toEqual([...sampled, 'wits']);
    },
  );

  it('has its own rows when all rows of an earlier answer of its tab arrive', async () => {
    const sql = await openSql();
    await sql.addAnswer({ request: request('wits'), tab: 'a', label: 'wits' }, {});
    const loading = sql.exportedTable(await sql.loadAll({ name: 'wits' }, {}), {});
    await expect.poll(() => sql.exports.length).toBe(1);
    const path = exportPath(sql);
    const later = await sql.addAnswer({ request: request('nulls'), tab: 'a', label: 'wits' }, {});
    await writeParquet(path, 'SELECT range AS n FROM range(3)');
    sql.stopExport('done');
    const all = await loading;
    expect([later.name, all.name]).toEqual(['wits', 'wits_2']);
    expect(await sql.tables({}, {})).toMatchObject([{ ...later, rows: later.rows }, { rows: 3 }]);
  });

  it('stays unchanged when loading all is canceled', async () => {
    const sql = await openSql();
    await sql.addAnswer({ request: request('wits'), tab: 'a', label: 'wits' }, {});
    const stop = new AbortController();
    const started = await sql.loadAll({ name: 'wits' }, {});
    const loading = sql.exportedTable(started, { signal: stop.signal });
    await expect.poll(() => sql.exports.length).toBe(1);
    stop.abort();
    await expect(loading).rejects.toMatchObject({ code: 'cancelled' });
    expect(sql.discarded).toEqual([exportJob.id]);
    expect(await sql.tables({}, {})).toMatchObject([{ rows: 2, total: 3 }]);
  });

  it('without records is a table without rows', async () => {
    const sql = await openSql();
    expect(await sql.addAnswer({ request: request('none'), tab: 'a', label: 'none' }, {})).toMatchObject({
      rows: 0,
    });
  });
});

describe('rows of a statement', () => {
  it('are limited, which the response reports', async () => {
    const sql = await openSql();
    const few = await sql.run({ sql: 'SELECT * FROM range(10)', limit: 10 }, {});
    const more = await sql.run({ sql: 'SELECT * FROM range(11)', limit: 10 }, {});
    expect([few.count, few.hasMore, more.count, more.hasMore]).toEqual([10, false, 10, true]);
  });

  it('are limited in bytes too, which the response reports', async () => {
    const sql = await openSql();
    const { count, hasMore, cut, records } = await sql.run(
      { sql: `SELECT repeat('x', 99990) AS long FROM range(1100)`, limit: 100_000 },
      {},
    );
    expect([count, hasMore, cut]).toEqual([1000, true, 0]);
    expect(records.byteLength).toBeLessThan(101_000_000);
  });

  it('are saved completely, to a new file', async () => {
    const sql = await openSql();
    const path = join(sql.folder, 'out.csv');
    const save = async () =>
      sql.save(
        {
          sql: 'SELECT range AS i, NULL AS none FROM range(12000)',
          target: sql.files.grantTarget(targetAt(path)).token,
          format: 'csv',
          csv: {},
          layout: {},
        } as never,
        {},
      );
    expect(await save()).toMatchObject({ rows: 12_000, file: null });
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\r\n');
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([12_001, 'i,none', '11999,']);
    await expect(save()).rejects.toMatchObject({ code: 'file_exists' });
    expect(await readdir(sql.folder)).toEqual(['data', 'out.csv']);
  });

  it('of an invalid statement leave no file', async () => {
    const sql = await openSql();
    const target = sql.files.grantTarget(targetAt(join(sql.folder, 'out.csv'))).token;
    await expect(
      sql.save({ sql: 'SELECT nothing', target, format: 'csv', csv: {}, layout: {} } as never, {}),
    ).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await readdir(sql.folder)).toEqual(['data']);
  });
});

it('a table whose file was removed says so, and stops neither other tables nor their statements', async () => {
  const sql = await openSql();
  const paths = ['a', 'b', 'c'].map((name) => join(sql.folder, `${name}.parquet`));
  const [a = '', b = '', c = ''] = paths;
  await Promise.all([a, b].map((path) => writeParquet(path, 'SELECT 1 AS x')));
  await writeFile(c, 'PAR1 damaged');
  const add = async (path: string) => {
    const { token } = await sql.files.grantSource(sourceAt(path));
    return sql.addFile({ source: token, reading: {} }, {});
  };
  await add(a);
  await rm(a);
  expect((await add(b)).columns).toHaveLength(1);
  await expect(add(c)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(/Table c can’t be opened/),
  });
  const listed = await sql.tables({}, {});
  expect(listed.map(({ name, columns, notes }) => [name, columns.length, notes.length])).toEqual([
    ['a', 0, 1],
    ['b', 1, 0],
  ]);
  expect(await sql.rows('SELECT * FROM b')).toEqual([{ x: 1 }]);
  for (const statement of ['SELECT * FROM a', 'SELECT * FROM b, a'])
    await expect(sql.rows(statement)).rejects.toMatchObject({
      message: expect.stringMatching(/Table a can’t be read: its file is missing/),
    });
  await sql.removeTable({ name: 'a' }, {});
  expect(await sql.rows('SELECT * FROM b')).toEqual([{ x: 1 }]);
});

it('a table whose file was replaced is read as the file is now, with its null values, rows, and units', async () => {
  const sql = await openSql();
  const folder = join(sql.folder, 'mirror');
  await mkdir(folder);
  const [file, part] = [join(sql.folder, 'a.parquet'), join(folder, 'part.parquet')];
  for (const path of [file, part]) await writeParquet(path, 'SELECT 5.5::DOUBLE AS rop');
  await sql.addFile({ source: (await sql.files.grantSource(sourceAt(file))).token, reading: {} }, {});
  await sql.addFolder({ folder: sql.files.grantFolder({ path: folder, name: 'mirror' }).token }, {});
  for (const path of [file, part])
    await writeParquet(path, 'SELECT unnest([-999.25, 7.5])::DOUBLE AS rop, 1 AS stage');
  const listed = await sql.tables({}, {});
  expect(listed.map(({ rows, columns, notes }) => [rows, columns.length, notes])).toEqual(
    Array.from({ length: 2 }, () => [2, 2, ['-999.25 in rop is read as null.']]),
  );
  for (const path of [file, part]) await writeParquet(path, 'SELECT unnest([-9999, 8.5])::DOUBLE AS rop');
  for (const table of ['a', 'mirror'])
    expect(await sql.rows(`SELECT sum(rop) AS sum FROM ${table}`)).toEqual([{ sum: 8.5 }]);
});

it('tables are listed as they are known while another one is opened', async () => {
  const sql = await openSql();
  await sql.add('a.csv', 'x\n1\n');
  const before = await sql.tables({}, {});
  const path = join(sql.folder, 'b.parquet');
  await writeParquet(path, 'SELECT 1 AS x');
  const { token } = await sql.files.grantSource(sourceAt(path));
  const { reached, release } = sql.holdEngine();
  const adding = sql.addFile({ source: token, reading: {} }, {});
  await reached;
  expect(await sql.tables({}, {})).toEqual(before);
  release();
  await adding;
  expect(await sql.tables({}, {})).toHaveLength(2);
});

it('a table whose file can’t be looked at for a moment isn’t opened again', async () => {
  const sql = await openSql();
  const [path, kept] = [join(sql.folder, 'a.parquet'), join(sql.folder, 'kept')];
  await writeParquet(path, 'SELECT 1 AS x');
  await sql.addFile({ source: (await sql.files.grantSource(sourceAt(path))).token, reading: {} }, {});
  const before = await sql.tables({}, {});
  await rename(path, kept);
  await symlink(path, path);
  expect(await sql.tables({}, {})).toEqual(before);
  await rm(path);
  await rename(kept, path);
  expect(await sql.rows('SELECT * FROM a')).toEqual([{ x: 1 }]);
});

describe('the engine', () => {
  it('that crashes fails its statement, and has its tables for the next one', async () => {
    const sql = await openSql();
    await sql.add('a.csv', 'x\n1\n');
    const running = sql.rows('SELECT count(*) AS n FROM range(3000000000)');
    setTimeout(sql.killEngine, 50);
    await expect(running).rejects.toMatchObject({ code: 'sql_unavailable' });
    expect(await sql.rows('SELECT * FROM a')).toEqual([{ x: 1 }]);
  });

  it('leaves no file behind when it is closed', async () => {
    const sql = await openSql({ hasOwnProcess: true });
    await sql.add('a.csv', 'x\n1\n');
    await sql.close();
    expect(await readdir(join(sql.dataFolder, 'sql'))).toEqual([]);
  });

  it('removes the files of a killed process, and the export that it ran', async () => {
    const sql = await openSql({ hasOwnProcess: true });
    await sql.addAnswer({ request: request('wits'), tab: 'a', label: 'wits' }, {});
    const loading = sql.exportedTable(await sql.loadAll({ name: 'wits' }, {}), {});
    const all = join(sql.dataFolder, 'sql');
    const [own = ''] = await readdir(all);
    const jobFile = `${exportJob.id}.job`;
    await expect.poll(() => readdir(join(all, own))).toContain(jobFile);
    await cp(join(all, own), join(all, '999999999-left'), { recursive: true });
    const next = await openSql({ dataFolder: sql.dataFolder });
    await expect.poll(() => readdir(all)).toEqual([own]);
    expect(next.discarded).toEqual([exportJob.id]);
    // The application closes while all records are read.
    await sql.close();
    expect(sql.discarded).toEqual([exportJob.id]);
    sql.stopExport('interrupted');
    await expect(loading).rejects.toMatchObject({ code: 'cancelled' });
  });
});
