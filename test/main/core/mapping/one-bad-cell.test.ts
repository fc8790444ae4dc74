import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createValidation } from '../../../../src/main/core/mapping/validation.ts';
import { matchRequest } from '../../../../src/shared/upload/preview.ts';
import { mapping as mappingSchema } from '../../../../src/shared/upload/upload.ts';
import { startDemo } from '../../../../src/demo/index.ts';
import { connectionEnv, runInProcess } from '../../../support/cli.ts';
import { fileWith, temporaryFolder } from '../../features/upload/support/files.ts';
import { inProcessThread, readingWith } from '../../features/upload/support/uploads.ts';

const two = (value: number): string => String(value).padStart(2, '0');
const token = 'a'.repeat(24);

interface Kind {
  /** The header; the first column is the one that is spoiled. */
  readonly header: string;
  readonly cells: (row: number) => readonly string[];
  readonly bad: readonly string[];
  /** Whether only the check of all rows names the cell, with its line: it converts every cell. */
  readonly isNamedByCheck?: true;
  readonly delimiter?: string;
  readonly columns?: Record<string, { readonly to: string; readonly by?: 'name' | 'api_number' }>;
}

const clock = (row: number): string => `${two(row % 24)}:${two((row * 7) % 60)}:00`;
const iso = (row: number): string => `2026-01-${two((row % 28) + 1)}T${clock(row)}Z`;

const kinds: Record<string, Kind> = {
  'times of day beside dates': {
    isNamedByCheck: true,
    header: 'Time,Date',
    cells: (row) => [clock(row), `03/${two((row % 17) + 13)}/2026`],
    bad: ['25:61:00', 'noon', '??'],
  },
  'dates beside times of day': {
    isNamedByCheck: true,
    header: 'Date,Time',
    cells: (row) => [`03/${two((row % 17) + 13)}/2026`, clock(row)],
    bad: ['03/32/2026', '2026-13-01', '??', '15/03/2026'],
  },
  'ISO times': {
    isNamedByCheck: true,
    header: 'timestamp,n',
    cells: (row) => [iso(row), '1'],
    bad: ['2026-13-01T00:00:00Z', '??', '2026-01-05'],
  },
  'local times': {
    isNamedByCheck: true,
    header: 'timestamp,n',
    cells: (row) => [`${two((row % 12) + 13)}.03.2026 ${clock(row)}`, '1'],
    bad: ['31.31.2026 10:00:00', '??'],
  },
  'compact times': {
    isNamedByCheck: true,
    header: 'timestamp,n',
    cells: (row) => [`202601${two((row % 28) + 1)}${clock(row).replaceAll(':', '')}`, '1'],
    bad: ['20261301120000', '??'],
  },
  'Unix milliseconds': {
    header: 'timestamp,n',
    cells: (row) => [String(1_767_225_600_000 + row * 1000), '1'],
    bad: ['??', '12:00'],
  },
  numbers: {
    header: 'rop,n',
    cells: (row) => [`${row}.5`, '1'],
    bad: ['1O.5', '??', '12:00:00', '03/14/2026', 'true', '10 psi'],
  },
  'whole numbers': {
    header: 'count,n',
    cells: (row) => [String(row), '1'],
    bad: ['??', '12:00:00', 'true', 'l0'],
  },
  'numbers with decimal commas': {
    header: 'rop;n',
    delimiter: ';',
    cells: (row) => [`${row},25`, '1'],
    bad: ['1O,5', '??', '12:00'],
  },
  'true and false': {
    header: 'on,n',
    cells: (row) => [row % 2 === 0 ? 'true' : 'false', '1'],
    bad: ['tru', '7', '??'],
  },
  'names of wells': {
    isNamedByCheck: true,
    header: 'Well,n',
    cells: (row) => [row % 2 === 0 ? 'Ridge A-101H' : 'Ridge B-102H', '1'],
    bad: ['??', '17', '12:00'],
    columns: { Well: { to: 'asset_id', by: 'name' } },
  },
  'ids of wells': {
    header: 'asset_id,n',
    cells: (row) => [String(5001 + (row % 3)), '1'],
    bad: ['??', 'Ridge', '12:00'],
  },
};

/** What Wellbench makes of a file: how it reads each column, and the cells that it names. */
async function readingOf(lines: readonly string[], { columns = {} }: Kind) {
  const path = await fileWith(`${lines.join('\n')}\n`, 'rig.csv');
  const validation = createValidation({
    files: { source: () => ({ place: 'path', path, name: basename(path) }) },
    connections: { services: () => expect.fail('no service is asked') },
    store: { related: async () => [], plan: async () => null },
    ...readingWith(inProcessThread),
  });
  const inspection = await validation.inspect({ source: token, nulls: [] }, {});
  const match = await validation.match(
    matchRequest.parse({
      source: token,
      provider: 'p',
      dataset: 'd',
      type: 'time',
      mapping: mappingSchema.parse({ rest: 'data', columns }),
    }),
    {},
  );
  return {
    types: inspection.columns.map(({ name, unit, type }) => ({ name, unit, type })),
    roles: match.columns.map(({ column, to, joinedTo, reading }) => ({ column, to, joinedTo, reading })),
    fields: match.fields.map(({ path, likely, certain, joins }) => ({ path, likely, certain, joins })),
    wellColumns: match.wellColumns,
    named: [...inspection.warnings, ...match.warnings].map(({ cell, message }) => `${cell ?? ''} ${message}`),
  };
}

describe.each(Object.entries(kinds))('one wrong cell among %s', (_what, kind) => {
  it.each(kind.bad)('%s leaves how the file is read, wherever it is', async (bad) => {
    const join = kind.delimiter ?? ',';
    const rows = Array.from({ length: 24 }, (_, row) => kind.cells(row));
    const linesWith = (spoiled: number | null) => [
      kind.header,
      ...rows.map((cells, row) => (row === spoiled ? [bad, ...cells.slice(1)] : cells).join(join)),
    ];
    const { named: _none, ...sound } = await readingOf(linesWith(null), kind);
    for (const at of [0, 1, 11, 23]) {
      const { named, ...spoiled } = await readingOf(linesWith(at), kind);
      expect({ at, ...spoiled }).toEqual({ at, ...sound });
      if (!kind.isNamedByCheck) expect(named.join('\n')).toContain(bad);
    }
  });
});

it('one wrong time of many is rejected by the check with its line, and the dates and times of all others are joined', async () => {
  const demo = await startDemo({ records: 10, wells: 1 });
  try {
    const rows = Array.from({ length: 40 }, (_, row) => {
      const [time, date] = kinds['times of day beside dates']?.cells(row) ?? [];
      return `${date},${row === 17 ? '25:61:00' : time},5001,1,${row}`;
    });
    const file = await fileWith(['Date,Time,asset_id,version,rop', ...rows, ''].join('\n'), 'rig.csv');
    const mapping = await fileWith(
      JSON.stringify({ columns: { Date: { to: 'timestamp', join: ['Time'], zone: 'UTC' } }, rest: 'data' }),
      'mapping.json',
    );
    const args = ['upload', 'demo/uploads.time', file, '--mapping', mapping, '--json'];
    const upload = await runInProcess([...args, '--data-dir', await temporaryFolder()], connectionEnv(demo));
    expect(upload.summary()).toMatchObject({
      accepted: 39,
      rejected: 1,
      problems: [{ code: 'not_a_time', count: 1, lines: [19] }],
    });
  } finally {
    await demo.close();
  }
});
