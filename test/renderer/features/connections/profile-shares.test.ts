import { describe, expect, it } from 'vitest';
import { createProfileShares } from '../../../../src/renderer/features/connections/connections.ts';

const { signal } = new AbortController();

function setUp(isSaved = true) {
  const messages: unknown[] = [];
  const api = {
    connections: {
      list: async () => [
        { id: 'north', saved: true },
        { id: 'sample', saved: false },
      ],
      exportProfiles: async (wanted: unknown) => {
        messages.push(wanted);
        return { suggestedName: 'North.wellbench.json', text: '{}' };
      },
      importProfiles: async ({ text }: { text: string }) => ({ added: [], problems: [text] }),
    },
  };
  const save = async (name: string, content: Blob): Promise<boolean> => {
    messages.push(`${name} ${await content.text()}`);
    return isSaved;
  };
  return { shares: createProfileShares(api as never, save), messages };
}

describe('exported connections', () => {
  it('are written where the user wants them: only stored ones', async () => {
    const { shares, messages } = setUp();
    expect(await shares.exportAll(signal)).toBe(1);
    expect(messages).toEqual([{ connections: ['north'] }, 'North.wellbench.json {}']);
  });

  it('are not reported as saved when the user cancels', async () => {
    expect(await setUp(false).shares.exportAll(signal)).toBe(0);
  });

  it('are read from a file that the user opens in the page', async () => {
    const { shares } = setUp();
    expect((await shares.importFile(new Blob(['profiles']), signal)).problems).toEqual(['profiles']);
  });
});
