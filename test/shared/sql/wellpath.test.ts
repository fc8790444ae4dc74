import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOfList, wellpath } from '../../../src/shared/sql/wellpath.ts';
import { openSqlTables, type SqlRow } from '../../support/sql-tables.ts';

const pathOf = (radius: number, azimuth: number) =>
  Array.from({ length: 10 }, (_, at) => ({
    measured_depth: (radius * at * Math.PI) / 18,
    inclination: at * 10,
    azimuth,
  }));
const surveys = [
  { well: 5003, stations: JSON.stringify(pathOf(1000, 30)) },
  { well: 5004, stations: JSON.stringify(pathOf(500, 135)) },
];
const example = [
  { md: 3500, inc: 15, azi: 20 },
  { md: 3600, inc: 25, azi: 45 },
  { md: 3600, inc: 25, azi: 45 },
  { md: null, inc: 25, azi: 45 },
];

let tables: Awaited<ReturnType<typeof openSqlTables>>;
const run = (sql: string): Promise<SqlRow[]> => tables.run(sql);
beforeAll(async () => {
  tables = await openSqlTables({
    surveys: { records: surveys, types: { well: 'BIGINT', stations: 'VARCHAR' } },
    example: { records: example, types: { md: 'DOUBLE', inc: 'DOUBLE', azi: 'DOUBLE' } },
  });
});
afterAll(() => tables.close());

describe('the stations of surveys', () => {
  const list = {
    column: 'stations',
    fields: ['measured_depth', 'inclination', 'azimuth'].map((name) => ({ name, type: 'DOUBLE' })),
  };

  it('makes a row of each item of a list', async () => {
    const result = await run(rowsOfList({ table: 'surveys', well: 'well', ...list }));
    expect(result).toEqual([
      ...pathOf(1000, 30).map((station) => ({ well: 5003, ...station })),
      ...pathOf(500, 135).map((station) => ({ well: 5004, ...station })),
    ]);
    expect(
      await run(rowsOfList({ table: 'surveys', well: null, column: 'stations', fields: [] })),
    ).toHaveLength(20);
  });

  it('follows a circle exactly', async () => {
    const result = await run(
      wellpath({
        table: 'surveys',
        well: 'well',
        list,
        depth: 'measured_depth',
        inclination: 'inclination',
        azimuth: 'azimuth',
        per: 100,
      }),
    );
    for (const [well, radius, azimuth] of [
      [5003, 1000, 30],
      [5004, 500, 135],
    ] as const) {
      const direction = (azimuth * Math.PI) / 180;
      result
        .filter((row) => row['well'] === well)
        .forEach((row, at) => {
          const angle = (at * Math.PI) / 18;
          const away = radius * (1 - Math.cos(angle));
          expect(row['tvd']).toBeCloseTo(radius * Math.sin(angle), 6);
          expect(row['north']).toBeCloseTo(away * Math.cos(direction), 6);
          expect(row['east']).toBeCloseTo(away * Math.sin(direction), 6);
          if (at > 0) expect(row['dogleg_per_100']).toBeCloseTo(18_000 / Math.PI / radius, 6);
        });
    }
  });

  // Two stations at 3500 ft (15°, 20°) and 3600 ft (25°, 45°), as books on directional drilling have them.
  it('agrees with the published example of minimum curvature', async () => {
    const path = await run(
      wellpath({
        table: 'example',
        well: null,
        list: null,
        depth: 'md',
        inclination: 'inc',
        azimuth: 'azi',
        per: 100,
      }),
    );
    expect(path).toHaveLength(2);
    const step = (of: string) => Number(path[1]?.[of]) - Number(path[0]?.[of]);
    expect(step('tvd')).toBeCloseTo(94.01, 2);
    expect(step('north')).toBeCloseTo(27.22, 2);
    expect(step('east')).toBeCloseTo(19.45, 2);
    expect(path[1]?.['dogleg_per_100']).toBeCloseTo(12.95, 2);
  });
});
