import { describe, expect, it } from 'vitest';
import { hoverSql } from '../../../../../src/renderer/features/query/sql/table-list.tsx';
import { words } from '../../../../../src/renderer/words/words.ts';
import type { SqlTable } from '../../../../../src/shared/sql/sql.ts';

const w = words.sql;
const tables: SqlTable[] = [
  {
    name: 'wits',
    origin: 'folder',
    label: 'mudlog',
    rows: 12,
    total: null,
    keepsNulls: false,
    notes: [],
    columns: [
      { name: 'data_rop', type: 'DOUBLE', unit: 'ft/h' },
      { name: 'timestamp', type: 'TIMESTAMP WITH TIME ZONE', unit: null },
      { name: 'Depth (ft)', type: 'BIGINT', unit: 'ft' },
    ],
  },
  {
    name: 'stages',
    origin: 'file',
    label: 'stages.xlsx',
    rows: 3,
    total: null,
    keepsNulls: false,
    notes: [],
    columns: [{ name: 'timestamp', type: 'TIMESTAMP WITH TIME ZONE', unit: null }],
  },
];
const statement = `SELECT data_rop, 'data_rop', "Depth (ft)" -- data_rop\nFROM Wits ORDER BY timestamp`;
const hover = (text: string, from = 0) => hoverSql(statement, statement.indexOf(text, from) + 1, tables);

describe('the hover of a name in a statement', () => {
  it('has the type and the unit of a column, for each table with it', () => {
    expect(hover('data_rop')).toEqual({
      start: 7,
      end: 15,
      title: 'data_rop',
      says: [w.column('wits', 'ft/h · double')],
    });
    expect(hover('timestamp')?.says).toEqual([
      w.column('wits', 'timestamp'),
      w.column('stages', 'timestamp'),
    ]);
    expect(hover('"Depth')?.says).toEqual([w.column('wits', 'ft · bigint')]);
  });

  it('has the origin and the rows of a table', () => {
    expect(hover('Wits')).toMatchObject({ title: 'wits', says: ['mudlog', w.rows(12)] });
  });

  it('is empty in texts, comments, and keywords', () => {
    expect(hover("'data_rop'", 15)).toBeNull();
    expect(hover('-- data_rop')).toBeNull();
    expect(hover('ORDER')).toBeNull();
  });
});
