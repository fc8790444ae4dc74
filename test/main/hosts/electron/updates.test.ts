import { describe, expect, it } from 'vitest';
import { createUpdates } from '../../../../src/main/hosts/electron/updates.ts';

interface Given {
  /** What each look finds, in turn; the last one from then on. */
  readonly found?: readonly (string | null | Error)[];
  readonly fetching?: () => Promise<void>;
  readonly answer?: boolean;
  readonly online?: boolean;
}

function updatesWith({ found = [null], fetching, answer = true, online = true }: Given = {}) {
  const seen = { looks: 0, fetched: 0, asked: [] as string[], told: [] as string[], logged: [] as string[] };
  const updates = createUpdates({
    load: async () => ({
      async look() {
        const now = found[Math.min(seen.looks, found.length - 1)] ?? null;
        seen.looks += 1;
        if (now instanceof Error) throw now;
        return now;
      },
      async fetch() {
        await fetching?.();
        seen.fetched += 1;
      },
    }),
    isOnline: () => online,
    ask: async (version) => {
      seen.asked.push(version);
      return answer;
    },
    tell: (title) => seen.told.push(title),
    log: (sentence) => seen.logged.push(sentence),
  });
  return { updates, seen };
}

describe('looking for updates', () => {
  it('fetches nothing unasked, and says that it is installed on quitting', async () => {
    const { updates, seen } = updatesWith({ found: ['2.0.0'] });
    await updates.look();
    expect(seen).toMatchObject({ asked: ['2.0.0'], fetched: 1 });
    expect(seen.told).toEqual(['Wellbench 2.0.0 is being fetched', 'Wellbench 2.0.0 is there']);
    // It is there: nobody is asked again.
    await updates.look();
    expect(seen).toMatchObject({ looks: 1, asked: ['2.0.0'], fetched: 1 });
  });

  it('asks once for a version that is declined, but again whoever looks, and for the next one', async () => {
    const { updates, seen } = updatesWith({ found: ['2.0.0', '2.0.0', '2.0.0', '2.1.0'], answer: false });
    await updates.look();
    await updates.look();
    expect(seen.asked).toEqual(['2.0.0']);
    await updates.lookForPerson();
    await updates.look();
    expect(seen.asked).toEqual(['2.0.0', '2.0.0', '2.1.0']);
    expect(seen.fetched).toBe(0);
  });

  it('says nothing by itself when there is nothing, no network, or trouble; the log has the trouble', async () => {
    for (const given of [{}, { online: false }, { found: [new Error('no such host')] }]) {
      const { updates, seen } = updatesWith(given);
      await updates.look();
      expect(seen.told).toEqual([]);
      expect(seen.logged).toHaveLength('found' in given ? 1 : 0);
    }
  });

  it.each([
    ['nothing newer', {}, 'Wellbench is up to date'],
    ['no network', { online: false }, 'There is no network'],
    ['trouble', { found: [new Error('no such host')] }, 'No update'],
  ])('tells who asked of %s', async (_what, given, title) => {
    const { updates, seen } = updatesWith(given);
    await updates.lookForPerson();
    expect(seen.told).toEqual([title]);
  });

  it('can be tried again after a download that failed', async () => {
    let tries = 0;
    const fetching = async () => {
      tries += 1;
      if (tries === 1) throw new Error('sha512 checksum mismatch');
    };
    const { updates, seen } = updatesWith({ found: ['2.0.0'], fetching });
    await updates.look();
    expect(seen.fetched).toBe(0);
    await updates.lookForPerson();
    expect(seen.fetched).toBe(1);
    expect(seen.told.at(-1)).toBe('Wellbench 2.0.0 is there');
  });

  it('looks once at a time', async () => {
    const { updates, seen } = updatesWith({ found: ['2.0.0'] });
    await Promise.all([updates.look(), updates.lookForPerson(), updates.look()]);
    expect(seen).toMatchObject({ looks: 1, fetched: 1 });
  });
});
