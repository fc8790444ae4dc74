import { describe, expect, it } from 'vitest';
import {
  areClocks,
  areDates,
  isDateFormat,
  joinPatterns,
  timePatterns,
} from '../../../../src/main/core/records/time-patterns.ts';
import { cellKind } from '../../../../src/main/core/tables/reading/columns.ts';

describe('patterns of a date or time of day', () => {
  it.each([
    ['03/14/2024', ['M/d/yyyy']],
    ['14.3.2024 7:05', ['d.M.yyyy H:mm']],
    ['03/04/2024', ['d/M/yyyy', 'M/d/yyyy']],
    ['03.04.05', ['d.M.yy', 'M.d.yy', 'yy.M.d']],
    ['2024/03/14 23:59:59.250', ['yyyy/M/d H:mm:ss.u']],
    ['2025-073', ['yyyy-ooo']],
    ['2025-073T06:00:10', ["yyyy-ooo'T'H:mm:ss"]],
    ['2025-03-14 06:00:00 CDT', ['yyyy-M-d H:mm:ss z']],
    ['3/14/2025 6:00 AM MST', ['M/d/yyyy h:mm a z']],
    ['14-Mar-25 06:00EST', ['d-MMM-yy H:mmz']],
    ['06:00 CDT', []],
    ['2025-366', []],
    ['2025-000', []],
    ['2024-03-14T07:05', ["yyyy-M-d'T'H:mm"]],
    ['1/31/2024 3:04:05 PM', ['M/d/yyyy h:mm:ss a']],
    ['1/31/2024, 3:04:05\u202FPM', []],
    ['1/31/2024 3:04:05\u202FPM', ['M/d/yyyy h:mm:ss a']],
    ['1/31/2024\u00A03:04\u00A0pm', ['M/d/yyyy h:mm a']],
    ['13:45', ['H:mm']],
    ['1:45:10 pm', ['h:mm:ss a']],
    ['15/9-15', []],
    ['15/9-F-1', []],
    ['34/10/2024', []],
    ['5/6/7', []],
    ['13:45 PM', []],
    ['25:00', []],
    ['03/14/2024T', []],
    ['2024-03-14 10:00Z', []],
    ['', []],
  ])('of %j are %j', (text, patterns) => {
    expect(timePatterns(text)).toEqual(patterns);
  });

  it.each(['15/9-15', '15/9-F-1 A', '34/10-25', '5/6/7', '34/34/2024', 'A 264'])(
    'don’t exist for the name %j, which stays text',
    (name) => expect(cellKind(name)).toBe('text'),
  );

  it('are looked for in linear time, also before the abbreviation of a zone', () => {
    expect(timePatterns(`1-1-${'1'.repeat(200_000)}`)).toEqual([]);
  });

  it('distinguish dates from times of day, and can be joined', () => {
    expect([areDates(['d/M/yyyy']), areDates(['H:mm']), areDates([]), areDates(null)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([areClocks(['h:mm a']), areClocks(['d/M/yyyy H:mm'])]).toEqual([true, false]);
    expect([isDateFormat('yyyyMMdd'), isDateFormat("yyyy-MM-dd'H'"), isDateFormat('yyyy HH')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(joinPatterns([['d/M/yyyy', 'M/d/yyyy'], ['H:mm']])).toEqual(['d/M/yyyy H:mm', 'M/d/yyyy H:mm']);
    expect(joinPatterns([['M/d/yyyy'], null])).toEqual([]);
  });
});
