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

/** Null values of loggers in a list, which are numbers there. */
const marked = [1, 2].map((well) => ({
  well,
  stations: JSON.stringify([
    { md: -999.25, inc: 0, azi: 0 },
    { md: 0, inc: 0, azi: 0 },
    { md: 50, inc: -999.25, azi: 0 },
    { md: 60, inc: 1, azi: -9999 },
    { md: 100 * well, inc: 0, azi: 0 },
  ]),
}));

/** Two holes that are vertical to 5,000 ft, where no azimuth was recorded. */
const vertical = [null, -999.25].flatMap((azi, at) => [
  { well: at + 1, md: 0, inc: 0, azi },
  { well: at + 1, md: 5000, inc: 0, azi },
  { well: at + 1, md: 5100, inc: 2, azi: 90 },
]);

/** Two holes that build, turn through north, and drop; the first begins at the surface. */
const hole = [1, 2].flatMap((well) =>
  Array.from({ length: 12 }, (_, at) => ({
    well,
    md: at * 30 + at * at,
    inc: at === 0 ? 0 : Math.min(at * 9, 140 - at * 8) + well,
    azi: (340 + well * 13 + at * 11.5) % 360,
  })),
);

type Vector = readonly number[];

/** North, east, and down of each station, by the rule of Simpson over the turning direction. */
function integrated(stations: readonly (typeof hole)[number][]): Vector[] {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const directionOf = ({ inc, azi }: (typeof hole)[number]): Vector => [
    Math.sin(radians(inc)) * Math.cos(radians(azi)),
    Math.sin(radians(inc)) * Math.sin(radians(azi)),
    Math.cos(radians(inc)),
  ];
  const steps = 200;
  let place: Vector = [0, 0, 0];
  return stations.map((station, at) => {
    const before = stations[at - 1];
    if (!before) return place;
    const [from, to] = [directionOf(before), directionOf(station)];
    const angle = Math.acos(from.reduce((sum, each, axis) => sum + each * (to[axis] ?? 0), 0));
    const weights = Array.from({ length: steps + 1 }, (_, step) =>
      step === 0 || step === steps ? 1 : step % 2 === 1 ? 4 : 2,
    );
    place = place.map((start, axis) => {
      const turned = (share: number): number =>
        (Math.sin((1 - share) * angle) * (from[axis] ?? 0) + Math.sin(share * angle) * (to[axis] ?? 0)) /
        Math.sin(angle);
      const sum = weights.reduce((all, weight, step) => all + weight * turned(step / steps), 0);
      return start + ((station.md - before.md) * sum) / (3 * steps);
    });
    return place;
  });
}

let tables: Awaited<ReturnType<typeof openSqlTables>>;
const run = (sql: string): Promise<SqlRow[]> => tables.run(sql);
beforeAll(async () => {
  tables = await openSqlTables({
    surveys: { records: surveys, types: { well: 'BIGINT', stations: 'VARCHAR' } },
    hole: { records: hole, types: { well: 'BIGINT', md: 'DOUBLE', inc: 'DOUBLE', azi: 'DOUBLE' } },
    marked: { records: marked, types: { well: 'BIGINT', stations: 'VARCHAR' } },
    vertical: { records: vertical, types: { well: 'BIGINT', md: 'DOUBLE', inc: 'DOUBLE', azi: 'DOUBLE' } },
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
        survey: null,
        list,
        depth: 'measured_depth',
        inclination: 'inclination',
        azimuth: 'azimuth',
        per: 100,
        section: null,
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
          expect(row['vertical_section']).toBeCloseTo(away, 6);
          if (at > 0) expect(row['dogleg_per_100']).toBeCloseTo(18_000 / Math.PI / radius, 6);
        });
    }
  });

  it('leaves out stations whose depth or angles are null values', async () => {
    const fields = ['md', 'inc', 'azi'].map((name) => ({ name, type: 'DOUBLE' }));
    const options = { depth: 'md', inclination: 'inc', azimuth: 'azi', per: 100, section: null };
    const listed = { column: 'stations', fields };
    const path = await run(
      wellpath({ table: 'marked', well: 'well', survey: null, list: listed, ...options }),
    );
    expect(path.map((row) => [row['well'], row['md'], row['tvd']])).toEqual([
      [1, 0, 0],
      [1, 100, 100],
      [2, 0, 0],
      [2, 200, 200],
    ]);
  });

  it('keeps vertical stations without an azimuth, so that the hole builds from the last of them', async () => {
    const path = await run(
      wellpath({
        table: 'vertical',
        well: 'well',
        survey: null,
        list: null,
        depth: 'md',
        inclination: 'inc',
        azimuth: 'azi',
        per: 100,
        section: null,
      }),
    );
    expect(path.map((row) => [row['well'], row['md'], row['azimuth']])).toEqual(
      vertical.map(({ well, md, azi }) => [well, md, azi === 90 ? 90 : null]),
    );
    for (const at of [2, 5]) {
      expect(path[at]?.['east']).toBeCloseTo(1.745, 2);
      expect(path[at]?.['dogleg_per_100']).toBeCloseTo(2, 6);
    }
  });

  // Two stations at 3500 ft (15°, 20°) and 3600 ft (25°, 45°), as books on directional drilling have them.
  it('agrees with the published example of minimum curvature', async () => {
    const path = await run(
      wellpath({
        table: 'example',
        well: null,
        survey: null,
        list: null,
        depth: 'md',
        inclination: 'inc',
        azimuth: 'azi',
        per: 100,
        section: 30,
      }),
    );
    expect(path).toHaveLength(2);
    const step = (of: string) => Number(path[1]?.[of]) - Number(path[0]?.[of]);
    expect(step('tvd')).toBeCloseTo(94.01, 2);
    expect(step('north')).toBeCloseTo(27.22, 2);
    expect(step('east')).toBeCloseTo(19.45, 2);
    // 27.22 cos 30° + 19.45 sin 30°
    expect(step('vertical_section')).toBeCloseTo(33.3, 2);
    expect(path[1]?.['dogleg_per_100']).toBeCloseTo(12.95, 2);
  });

  // Between two stations the direction turns in their plane: its integral, in small steps, is the path.
  it('agrees with the integral of the direction of a hole, with sections along any azimuth', async () => {
    for (const section of [null, 0, 123.4, -90]) {
      const path = await run(
        wellpath({
          table: 'hole',
          well: 'well',
          survey: null,
          list: null,
          depth: 'md',
          inclination: 'inc',
          azimuth: 'azi',
          per: 30,
          section,
        }),
      );
      for (const well of [1, 2]) {
        const stations = hole.filter((row) => row.well === well);
        const along = ((section ?? stations.at(-1)?.azi ?? 0) * Math.PI) / 180;
        const found = path.filter((row) => row['well'] === well);
        expect(found).toHaveLength(stations.length);
        integrated(stations).forEach(([north = 0, east = 0, tvd = 0], at) => {
          const row = found[at];
          expect(row?.['north']).toBeCloseTo(north, 6);
          expect(row?.['east']).toBeCloseTo(east, 6);
          expect(row?.['tvd']).toBeCloseTo(tvd, 6);
          const away = north * Math.cos(along) + east * Math.sin(along);
          expect(row?.['vertical_section']).toBeCloseTo(away, 6);
        });
      }
    }
  });
});

it('the surveys of a well are paths of their own, whichever order their stations have', async () => {
  const stations = [5003, 5004].flatMap((well) =>
    ['plan', 'MWD'].flatMap((survey, at) =>
      hole.slice(0, 12).map(({ md, inc, azi }) => ({ well, survey, md, inc: inc + 5 * at, azi })),
    ),
  );
  const types = { well: 'BIGINT', survey: 'VARCHAR', md: 'DOUBLE', inc: 'DOUBLE', azi: 'DOUBLE' } as const;
  const shuffled = stations.toSorted((a, b) => ((a.md * 7) % 11) - ((b.md * 7) % 11));
  const both = await openSqlTables({
    stations: { records: stations, types },
    shuffled: { records: shuffled, types },
    mwd: { records: stations.filter(({ well, survey }) => well === 5004 && survey === 'MWD'), types },
  });
  const options = {
    list: null,
    depth: 'md',
    inclination: 'inc',
    azimuth: 'azi',
    per: 30,
    section: null,
    survey: 'survey',
    well: 'well',
  };
  const path = await both.run(wellpath({ ...options, table: 'stations' }));
  expect(path).toHaveLength(48);
  expect(await both.run(wellpath({ ...options, table: 'shuffled' }))).toEqual(path);
  expect(path.filter((row) => row['well'] === 5004 && row['survey'] === 'MWD')).toEqual(
    await both.run(wellpath({ ...options, table: 'mwd' })),
  );
  await both.close();
});
