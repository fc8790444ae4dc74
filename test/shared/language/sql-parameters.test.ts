import { describe, expect, it } from 'vitest';
import { assetId } from '../../../src/shared/wells/wells.ts';
import { bindSql, findSqlParameters } from '../../../src/shared/language/parameters.ts';

const values = {
  wells: [5003, 5004].map((id) => assetId.parse(id)),
  company: 3,
  now: Date.UTC(2026, 0, 31, 12),
  zone: 'UTC',
  answers: new Map([
    ['depth', '1200.5'],
    ['name', "O'Neill"],
  ]),
};

describe('parameters of SQL', () => {
  it('become lists, timestamps, numbers, and texts', () => {
    expect(
      bindSql(
        'SELECT * FROM t WHERE asset_id IN {{wells}} AND time > {{now-24h}} AND depth > {{ask:depth}} AND n = {{ask:name:text}} AND c = {{company}}',
        'sql',
        values,
      ),
    ).toBe(
      "SELECT * FROM t WHERE asset_id IN (5003, 5004) AND time > TIMESTAMPTZ '2026-01-30T12:00:00.000Z' AND depth > 1200.5 AND n = 'O''Neill' AND c = 3",
    );
  });

  it('have negative numbers after a minus, which would begin a comment', () => {
    const negative = { ...values, answers: new Map([['shift', '-5']]) };
    expect(bindSql('SELECT depth -{{ask:shift:number}}, rop', 'sql', negative)).toBe(
      'SELECT depth -(-5), rop',
    );
  });

  it('stay unchanged in texts, quoted names, and comments', () => {
    const sql = `SELECT '{{wells}}', "{{wells}}" -- {{wells}}\n/* {{wells}} */ FROM t WHERE a / 2 > 1`;
    expect(findSqlParameters(sql, 'sql')).toEqual([]);
    expect(bindSql(sql, 'sql', values)).toBe(sql);
  });

  it('without a value are reported with their positions', () => {
    expect(() => bindSql('SELECT 1\nWHERE a = {{ask:other}} AND b = {{nonsense}}', 'sql', values)).toThrow(
      expect.objectContaining({
        details: {
          issues: [
            expect.objectContaining({ place: { field: 'sql', line: 2, column: 11 } }),
            expect.objectContaining({ place: { field: 'sql', line: 2, column: 33 } }),
          ],
        },
      }),
    );
  });
});
