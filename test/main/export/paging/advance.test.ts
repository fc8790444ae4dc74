import { describe, expect, it } from 'vitest';
import { advance } from '../../../../src/main/export/paging/advance.ts';
import { firstRun } from '../../../../src/main/export/paging/cursor.ts';
import { createIdSet } from '../../../../src/main/export/paging/id-set.ts';
import type { PageKeys } from '../../../../src/main/export/paging/rule.ts';

const three: PageKeys = { count: 3, id: (record) => `"${record}"`, value: () => '7' };

describe('a run', () => {
  it('that was read of ahead begins its part of the ids where the last one ended by then', () => {
    const seen = { of: createIdSet, expected: 40 };
    const step = advance(null, firstRun('all', 0), three, seen);
    expect(step).toMatchObject({ next: { idsFrom: 40, seen: 3 } });
  });

  it('keeps its part once it has begun', () => {
    const seen = { of: createIdSet, expected: 43 };
    const begun = { ...firstRun('all', 40), seen: 3, skip: 3 };
    expect(advance(null, begun, three, seen)).toMatchObject({ next: { idsFrom: 40, seen: 6 } });
  });
});
