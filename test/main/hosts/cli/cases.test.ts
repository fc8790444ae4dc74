import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { folder } from '../../features/upload/support/facts.ts';

const cases = join(folder, 'cases');
const newFolder = useFolders();

type Limit = string | number | null;
type Column = readonly [name: string, type: string, unit: string | null, min: Limit, max: Limit];

interface Case {
  readonly rows: number;
  readonly columns: readonly Column[];
  readonly warnings?: readonly string[];
  /** The names of the tables, if there are several. */
  readonly tables?: readonly string[];
}

/** What is right for each file, by a computation that doesn't use Wellbench. */
const expected: Readonly<Record<string, Case>> = {
  '01-second-table-below.xlsx': {
    rows: 60,
    columns: [
      ['Comments', 'empty', null, null, null],
      ['Measured\nDepth', 'integer', 'ft', 0, 5900],
      ['Inclination', 'number', 'deg', 0.5, 41.8],
      ['Azimuth\nGrid', 'number', 'deg', 200, 205.9],
      ['TVD', 'number', 'ft', 0, 5882.3],
    ],
    warnings: ['several_tables', 'page_headers'],
    tables: ['Survey', 'Survey, row 67'],
  },
  '02-sections-other-columns.csv': {
    rows: 3,
    columns: [
      ['', 'string', null, 'P1', 'P1'],
      ['Date', 'time', null, '2020-01-01', '2020-03-01'],
      ['OilRate (Sm3/day)', 'number', 'Sm3/day', 2399.1, 2400.1],
      ['WaterCut (fraction)', 'number', 'fraction', 0.01, 0.03],
    ],
    warnings: ['several_tables', 'empty_name', 'zone_missing'],
    tables: ['02-sections-other-columns.csv', '02-sections-other-columns.csv, line 5'],
  },
  '04-witsml-duplicate-mnemonic.xml': {
    rows: 2,
    columns: [
      ['DEPT', 'integer', 'm', 100, 101],
      ['TQ', 'number', 'kft.lbf', 0.5, 0.6],
      ['TQ', 'integer', 'galUS/min', 800, 810],
    ],
    warnings: ['duplicate_names'],
  },
  '06-las3-leading-tab.las': {
    rows: 3,
    columns: [
      ['DEPT', 'integer', 'ft', 5800, 5802],
      ['TVD', 'number', 'ft', 5766.7, 5767.6],
      ['GAMA', 'number', 'API', 85.1, 87.3],
      ['ROP', 'number', 'ft/hr', 120.5, 122.5],
    ],
  },
  '07-las-index-tenth-inch.las': {
    rows: 3,
    columns: [
      ['TDEP', 'integer', '.1IN', 120_000, 120_120],
      ['GR', 'integer', 'GAPI', 50, 52],
    ],
  },
  '08-unit-row-with-one-unit.csv': {
    rows: 3,
    columns: [
      ['Lease', 'integer', null, 100, 100],
      ['Zone', 'string', null, 'Zone A', 'Zone C'],
      ['MD', 'number', 'm', 2950.5, 2990.1],
    ],
  },
  '10-rft-blocks.txt': {
    rows: 15,
    columns: [
      ['PRESSURE', 'number', 'BARSA', 413.31, 419.31],
      ['DEPTH', 'number', 'METRES', 2726.11, 2935.101],
      ['WELLNAME', 'string', null, 'A-1', 'B-2'],
      ['DATE', 'time', null, null, null],
    ],
    warnings: ['comment_lines', 'page_headers', 'preamble', 'ambiguous_dates'],
  },
  '12-repeated-page-header.csv': {
    rows: 5,
    columns: [
      ['MD (m)', 'integer', 'm', 0, 120],
      ['Inc (deg)', 'number', 'deg', 0, 1.4],
      ['Azi (deg)', 'integer', 'deg', 0, 123],
    ],
    warnings: ['page_headers'],
  },
  'field-04-frac-stages-1s.csv': {
    rows: 8,
    columns: [
      ['Job Time', 'number', 'min', 0, 0.05],
      ['Treating Pressure', 'integer', 'psi', 52, 7920],
      ['Slurry Rate', 'number', 'bpm', 0, 61.3],
      ['Prop Conc', 'number', 'lb/gal', 0, 0.5],
      ['Comment', 'string', null, 'Open well', 'Start sand'],
      ['Stage', 'integer', null, 1, 2],
    ],
    warnings: ['page_headers', 'preamble'],
  },
  'field-07-wellpath-quoted-names.dev': {
    rows: 5,
    columns: [
      ['X', 'number', null, 394572.17, 395573],
      ['Y', 'number', null, 5310442.61, 5311443],
      ['TVDMSL', 'number', null, 1100.5, 1250],
      ['MDMSL', 'number', null, 1131.5, 1281.9],
      ['WELLNAME', 'string', null, 'Ridge_A-101H', 'Ridge_A-102H'],
    ],
    warnings: ['page_headers', 'preamble'],
  },
  'field-27-gauge-units-partly-blank.txt': {
    rows: 300,
    columns: [
      ['Date', 'time', null, '03/14/25', '03/14/25'],
      ['Time', 'string', null, '06:00:00', '06:24:55'],
      ['Delta Time', 'number', 'hrs', 0, 0.4153],
      ['Pressure', 'number', 'psia', 3512.41, 3518.39],
      ['Temperature', 'number', 'deg F', 182.31, 185.3],
    ],
    warnings: ['preamble', 'zone_missing'],
  },
  'field-38-lithology-percent.txt': {
    rows: 5,
    columns: [
      ['DEPTH', 'integer', 'ft', 10_200, 10_240],
      ['ROP', 'number', 'ft/hr', 48.9, 61],
      ['SST', 'integer', '%', 20, 100],
      ['SH', 'integer', '%', 60, 100],
      ['LST', 'empty', '%', null, null],
      ['TG', 'integer', 'u', 33, 210],
      ['C1', 'integer', 'ppm', 3100, 18_800],
      ['C2', 'integer', 'ppm', 240, 1400],
      ['DESCRIPTION', 'string', null, 'CONN GAS', 'SST: vfg, tr glauc'],
    ],
    warnings: ['type_exceptions'],
  },
  'field-39-merged-three-row-header.xlsx': {
    rows: 60,
    columns: [
      ['Date', 'time', null, '2025-03-14', '2025-03-16'],
      ['Time', 'string', null, '00:00:00', '23:00:00'],
      ['Tubing Pressure', 'integer', 'psig', 1453, 1512],
      ['Tubing Temp', 'integer', 'degF', 88, 92],
      ['Casing Pressure', 'integer', 'psig', 753, 812],
      ['Casing Temp', 'integer', 'degF', 75, 79],
      ['Choke Size', 'string', '1/64 in', '18/64', '20/64'],
    ],
    warnings: ['preamble', 'zone_missing'],
  },
  'field-63-gauge-4-rows.txt': {
    rows: 4,
    columns: [
      ['Date', 'time', 'MM/DD/YY', '03/14/25', '03/14/25'],
      ['Time', 'string', 'HH:MM:SS', '06:00:00', '06:00:15'],
      ['Delta Time', 'number', 'hrs', 0, 0.0042],
      ['Pressure', 'number', 'psia', 3512.41, 3512.47],
      ['Temperature', 'number', 'deg F', 182.31, 182.34],
    ],
    warnings: ['preamble', 'zone_missing'],
  },
  'field-brace-delimiter.dsv': {
    rows: 3,
    columns: [
      ['OIL_GAS_CODE', 'string', null, 'G', 'O'],
      ['DISTRICT_NO', 'string', null, '08', '8A'],
      ['LEASE_NO', 'string', null, '000777', '204455'],
      ['CYCLE_YEAR_MONTH', 'integer', null, 202_301, 202_303],
      ['LEASE_OIL_PROD_VOL', 'integer', null, 0, 1500],
      ['LEASE_NAME', 'string', null, 'LEASE C', 'UNIT, A'],
    ],
  },
  'field-c_case.csv': {
    rows: 200,
    columns: [
      ['time', 'time', null, '2026-01-31T00:00:00Z', '2026-01-31T00:03:19Z'],
      ['depth', 'integer', null, 100, 299],
      ['rop', 'integer', null, 50, 56],
      ['wob', 'integer', null, 0, 2],
    ],
    warnings: ['page_headers'],
  },
  ...Object.fromEntries(
    ['field-c_onename.csv', 'field-c_reorder.csv'].map((file): [string, Case] => [
      file,
      {
        rows: 100,
        columns: [
          ['time', 'time', null, '2026-01-31T00:00:00Z', '2026-01-31T00:01:39Z'],
          ['depth', 'integer', null, 100, 199],
          ['rop', 'integer', null, 50, 56],
          ['wob', 'integer', null, 0, 2],
        ],
        warnings: ['several_tables'],
        tables: [file, `${file}, line 102`],
      },
    ]),
  ),
  'field-sections-other-units.csv': {
    rows: 3,
    columns: [
      ['Node', 'string', null, 'A', 'A'],
      ['Date', 'time', null, '2020-01-01', '2020-03-01'],
      ['Depth (m)', 'integer', 'm', 2735, 2735],
      ['Pressure (bara)', 'number', 'bara', 386.1, 386.3],
    ],
    warnings: ['several_tables', 'zone_missing'],
    tables: ['field-sections-other-units.csv', 'field-sections-other-units.csv, line 5'],
  },
  '13-time-range.csv': {
    rows: 4,
    columns: [
      ['Date', 'time', null, '17.01.1996 21:57:52', '21.06.2001 16:48:00'],
      ['Rate', 'integer', null, 1, 4],
    ],
    warnings: ['zone_missing'],
  },
  '17-las-unit-with-colon.las': {
    rows: 3,
    columns: [
      ['TIME', 'time', 'DD/MM/YYYY-HH:MM:SS', '2020-01-29T03:00:00', '2020-01-29T03:00:10'],
      ['SPP', 'number', 'PSI', 1500.5, 1502.5],
    ],
    warnings: ['zone_missing'],
  },
  '20-month-names.csv': {
    rows: 3,
    columns: [
      ['LEASE', 'string', null, 'L-1', 'L-1'],
      ['PROD_DATE', 'time', null, '11-MAY-1985', '27-JUN-1985'],
      ['OIL', 'integer', null, 10, 13],
    ],
    warnings: ['zone_missing'],
  },
  'field-09-las-windows-nan.las': {
    rows: 7,
    columns: [
      ['DEPT', 'number', 'M', 1000, 1003],
      ['CN', 'number', 'PU', 0.21, 0.26],
      ['RES', 'number', 'OHMM', 12.1, 12.7],
    ],
    warnings: ['null_words', 'null_words', 'null_words'],
  },
  'field-49-year-month.csv': {
    rows: 3,
    columns: [['Cycle', 'integer', null, 202_501, 202_503]],
  },
  'field-32-las-step-wrong-and-feet-index-metres.las': {
    rows: 4,
    columns: [
      ['HKLA', 'number', '1000 lbf', 120.5, 123.5],
      ['PRES', 'number', '1000 psi', 4.5, 4.8],
      ['TQ', 'integer', '0.1 kN.m', 31, 34],
    ],
  },
  'field-57-las-one-decimal-comma.las': {
    rows: 4,
    columns: [['RES', 'number', 'OHMM', 12.45, 12_420]],
    warnings: ['thousands'],
  },
  'field-65-las3-AS-time.las': {
    rows: 4,
    columns: [
      ['TIME', 'number', 'S', 0, 0.1875],
      ['DEPTH', 'number', 'FT', 21_961.07, 21_961.07],
    ],
  },
  'field-47b-las-ctrl-z-only.las': {
    rows: 4,
    columns: [
      ['DEPT', 'number', 'FT', 1000, 1001.5],
      ['GR', 'number', 'GAPI', 85.1, 85.4],
    ],
  },
  'field-14-zone-names.csv': {
    rows: 4,
    columns: [['Timestamp', 'string', null, '2025-03-14 06:00:00 CDT', '2025-11-14 06:00:00 CST']],
    warnings: ['ambiguous_dates'],
  },
  'field-19-pi-historian.csv': {
    rows: 6,
    columns: [
      ['Timestamp', 'time', null, '14-Mar-25 06:00:00', '14-Mar-25 06:05:00'],
      ['Tubing Pressure (psig)', 'number', 'psig', 1512.4, 1513.2],
      ['Casing Pressure (psig)', 'string', 'psig', '812.1', 'I/O Timeout'],
    ],
    warnings: ['zone_missing', 'type_exceptions', 'mixed_types', 'type_exceptions'],
  },
  'field-55-historian-2pc.csv': {
    rows: 400,
    columns: [['Casing Pressure (psig)', 'string', 'psig', '812.0', 'Pt Created']],
    warnings: ['mixed_types'],
  },
  'field-13-day-of-year.csv': {
    rows: 4,
    columns: [['Time', 'time', null, '2025-073T06:00:00', '2025-074T06:00:30']],
    warnings: ['zone_missing'],
  },
  'field-25-excel-text-formulas.csv': {
    rows: 3,
    columns: [
      ['API', 'string', null, '42000000010000', '42000000020000'],
      ['Lease', 'string', null, '00123', '00456'],
      ['Oil', 'integer', null, 1187, 1204],
    ],
    warnings: ['escaped_formulas', 'ambiguous_dates'],
  },
  'field-29-las-nulls-other-than-header.las': {
    rows: 10,
    columns: [
      ['GR', 'number', 'GAPI', -32_768, 86],
      ['RHOB', 'number', 'G/C3', -9999, 2.52],
      ['NPHI', 'number', 'V/V', 0.21, '1.0E+30'],
    ],
    warnings: ['sentinel_values', 'sentinel_values', 'sentinel_values'],
  },
  'tool-05-types.parquet': {
    rows: 2,
    columns: [
      ['version', 'integer', null, 1, 1],
      ['time', 'time', null, '1969-12-31T23:59:59.999999Z', '2023-01-01T00:00:00.123456Z'],
      ['f32', 'number', null, 0.1, 12.3],
      ['x', 'string', null, 'Infinity', 'Infinity'],
      ['asset_id', 'integer', null, 5003, 5003],
    ],
  },
  'tool-10-compass-extended.json': {
    rows: 2,
    columns: [
      ['_id', 'string', null, '65000000aa00000000000001', '65000000aa00000000000002'],
      ['data.n', 'integer', null, '9007199254740993', '9007199254740994'],
      ['data.when', 'time', null, '2023-11-14T22:13:20Z', '2023-11-14T22:13:21Z'],
    ],
  },
  'tool-11-wrapped-array.json': { rows: 2, columns: [['a', 'integer', null, 1, 2]] },
  'tool-12-dotted-key.ndjson': {
    rows: 1,
    columns: [
      [String.raw`a\.b`, 'integer', null, 1, 1],
      ['a.b', 'integer', null, 2, 2],
    ],
  },
  'tool-13-header-dots.csv': {
    rows: 1,
    columns: [
      ['Temp.C', 'number', null, 1.5, 1.5],
      ['No. joints', 'integer', null, 3, 3],
      ['$cost', 'integer', null, 9, 9],
    ],
  },
  'tool-14-thousands-dot.csv': {
    rows: 2,
    columns: [
      ['tiefe', 'number', null, 12.5, 13.5],
      ['druck', 'number', null, 1000, 2000],
    ],
    warnings: ['decimal_comma', 'thousands'],
  },
  'tool-16-space-before-quote.csv': {
    rows: 2,
    columns: [
      ['a', 'integer', null, 1, 2],
      ['b', 'string', null, 'x', 'y'],
    ],
  },
  'tool-17-hash-rows.csv': {
    rows: 3,
    columns: [
      ['well', 'string', null, '#1 Smith', 'Alpha'],
      ['depth', 'integer', null, 100, 300],
    ],
    warnings: ['hash_rows'],
  },
  'tool-19-duplicate-columns.parquet': {
    rows: 2,
    columns: [
      ['rop', 'integer', null, 1, 3],
      ['rop', 'integer', null, 2, 4],
    ],
    warnings: ['duplicate_names'],
  },
  'tool-22-shared-strings-case.xlsx': {
    rows: 5,
    columns: [
      ['time', 'time', null, '2023-01-01T12:00:00', '2023-01-05T12:00:00'],
      ['v', 'integer', null, 1, 5],
    ],
    warnings: ['zone_missing'],
  },
};

interface Found {
  readonly rows: number;
  readonly columns: readonly { name: string; type: string; unit?: string | null; min: Limit; max: Limit }[];
  readonly warnings: readonly { code: string }[];
  readonly tables: readonly { name: string }[];
}

async function inspect(file: string) {
  const dataFolder = await newFolder();
  return runInProcess(['inspect', join(cases, file), '--json', '--data-dir', dataFolder]);
}

describe.skipIf(!existsSync(cases))(
  'a file that is easily misread (skipped without ../shared/data/cases)',
  () => {
    it.each(Object.entries(expected))('%s', async (file, { rows, columns, warnings = [], tables }) => {
      const { code, stdout, stderr } = await inspect(file);
      expect(code, stderr).toBe(0);
      const found = JSON.parse(stdout) as Found;
      expect(found.rows).toBe(rows);
      const read = found.columns.map(({ name, type, unit = null, min, max }): Column => [
        name,
        type,
        unit,
        min,
        max,
      ]);
      for (const column of columns) expect(read).toContainEqual(column);
      expect(found.warnings.map(({ code: warning }) => warning)).toEqual(warnings);
      if (tables) expect(found.tables.map(({ name }) => name)).toEqual(tables);
    });

    it('15-mudlog-without-declaration.xml is refused with the true reason', async () => {
      const { code, stderr, stdout } = await inspect('15-mudlog-without-declaration.xml');
      expect(code).not.toBe(0);
      expect(stdout + stderr).toContain('it has mudLogs and no log');
    });
  },
);
