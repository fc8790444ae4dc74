import type { PackedWell, Well } from './wells.ts';

/** A well as a row of values, without the names of its fields, which are most of the text of a long list. */
export const packWell = (well: Well): PackedWell => [
  well.platformId,
  well.assetId,
  well.name,
  well.status,
  well.state,
  well.visibility,
  well.identifier,
  well.apiNumber,
  well.area,
  well.companyId,
  well.lastActiveAt,
  well.programId,
  well.padId,
  well.rigId,
  well.fracFleetId,
  well.drilloutUnitId,
  well.startedAt,
  well.position,
  well.timeZone,
];

const unpackWell = (row: PackedWell): Well => ({
  platformId: row[0],
  assetId: row[1],
  name: row[2],
  status: row[3],
  state: row[4],
  visibility: row[5],
  identifier: row[6],
  apiNumber: row[7],
  area: row[8],
  companyId: row[9],
  lastActiveAt: row[10],
  programId: row[11],
  padId: row[12],
  rigId: row[13],
  fracFleetId: row[14],
  drilloutUnitId: row[15],
  startedAt: row[16],
  position: row[17],
  timeZone: row[18],
});

const width = 19;

/**
 * Parses a part of a long list: JSON text of rows, which main created from validated wells, so only its shape
 * is checked.
 * @throws SyntaxError when it isn't such a text
 */
export function parseWells(text: string): Well[] {
  const rows: unknown = JSON.parse(text);
  if (!isRowsText(rows)) throw new SyntaxError('a part of the list of wells has an unexpected form');
  return rows.map(unpackWell);
}

function isRowsText(rows: unknown): rows is PackedWell[] {
  if (!Array.isArray(rows)) return false;
  const [first]: unknown[] = rows;
  return (
    first === undefined || (Array.isArray(first) && first.length === width && typeof first[0] === 'number')
  );
}
