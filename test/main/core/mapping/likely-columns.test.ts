import { describe, expect, it } from 'vitest';
import {
  certainColumn,
  likelyColumns,
  type Candidate,
} from '../../../../src/main/core/mapping/validation.ts';
import { columnType } from '../../../../src/main/core/tables/tables.ts';
import { scanText } from '../../features/upload/support/files.ts';

async function candidatesIn(text: string): Promise<Candidate[]> {
  const { layout, columns, notation } = await scanText(text);
  return layout.columns.flatMap(({ key }, index) => {
    const facts = columns[index];
    return facts ? [{ key, facts, type: columnType(facts, notation).type }] : [];
  });
}

const likely = async (path: string, text: string): Promise<string[]> =>
  likelyColumns(path, await candidatesIn(text));

describe('suggested columns', () => {
  it('for a time contain times; the name decides between several', async () => {
    const text =
      'Spud,DateTime,Elapsed time\n2026-01-01,2026-01-01T00:00:00Z,12\n2026-01-01,2026-01-01T00:00:01Z,13\n';
    expect(await likely('timestamp', text)).toEqual(['DateTime', 'Spud']);
  });

  it('for a time include Unix times', async () => {
    expect(await likely('timestamp', 'ts,rop\n1767225600,3\n1767225601,4\n')).toEqual(['ts']);
  });

  it('for a depth have a matching name and numbers', async () => {
    expect(await likely('measured_depth', 'Depth note,BitDepth,MD\ndeep,12.5,12.4\nx,12.6,12.5\n')).toEqual([
      'MD',
      'BitDepth',
    ]);
  });

  it('for a well name a well, an asset or an API number', async () => {
    const text = 'WELL_NAME,API,Operator\nA-1,42-123-45678,Acme\nA-2,42-123-45679,Acme\n';
    expect(await likely('asset_id', text)).toEqual(['API', 'WELL_NAME']);
    // API is also the unit of a gamma ray.
    expect(await likely('asset_id', 'Gamma (API),Well status\n12,up\n13,down\n')).toEqual([]);
  });

  it('for an id contain neither times nor measurements, whatever their name', async () => {
    const text = 'Log time,Run start,Run length,Run\n10:00,2024-03-14,1.5,A1\n11:00,2024-03-15,2.5,A2\n';
    expect(await likely('log_identifier', text)).toEqual(['Run']);
    expect(await likely('stage_number', 'Stage time,Stage\n10:00,1\n11:00,2\n')).toEqual(['Stage']);
  });

  it('don’t exist when nothing fits', async () => {
    expect(await likely('log_identifier', 'a,b\n1,2\n3,4\n')).toEqual([]);
  });
});

describe('a certain column', () => {
  it.each([
    ['timestamp', 'Time,Spud\n2026-01-01T00:00:00Z,2026-01-01\n2026-01-01T00:00:01Z,2026-01-01\n', 'Time'],
    ['measured_depth', 'DEPT,GR\n1.5,10\n2.5,11\n', 'DEPT'],
    // Two columns have the name, none has it, or the one that has it holds texts.
    ['timestamp', 'Time,UTC\n2026-01-01T00:00:00Z,2026-01-01T06:00:00Z\n', null],
    ['timestamp', 'Spud\n2026-01-01\n', null],
    ['measured_depth', 'Depth note,GR\ndeep,10\nx,11\n', null],
    ['measured_depth', 'Hole depth (ft),GR\n1.5,1\n2.5,2\n', 'Hole depth (ft)'],
    ['measured_depth', 'Depth (TVD),GR\n1.5,10\n2.5,11\n', null],
    ['measured_depth', 'SSTVD depth,GR\n1.5,10\n2.5,11\n', null],
    ['measured_depth', 'Subsea depth (ft),GR\n1.5,10\n2.5,11\n', null],
    ['measured_depth', 'Depth sub sea,GR\n1.5,10\n2.5,11\n', null],
    ['measured_depth', 'True Vertical Depth (ft),GR\n1.5,10\n2.5,11\n', null],
    ['measured_depth', 'Water depth,GR\n1.5,10\n2.5,11\n', null],
    ['log_identifier', 'Run (min),Run time (min),Run No\n1,4,1\n2,5,1\n', null],
    ['log_identifier', 'Run time (min),MD\n4,1\n5,1\n', null],
  ])('for %s of %j: %s', async (path, text, expected) => {
    expect(certainColumn(path, await candidatesIn(text))).toBe(expected);
  });
});
