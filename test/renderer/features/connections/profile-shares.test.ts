import { describe, expect, it } from 'vitest';
import { createProfileShares } from '../../../../src/renderer/features/connections/profile-shares.ts';

const { signal } = new AbortController();

function setUp(isSaved = true) {
  const said: unknown[] = [];
  const api = {
    connections: {
      list: async () => [
        { id: 'north', saved: true },
        { id: 'sample', saved: false },
      ],
      exportProfiles: async (wanted: unknown) => {
        said.push(wanted);
        return { suggestedName: 'North.wellbench.json', text: '{}' };
      },
      importProfiles: async ({ text }: { text: string }) => ({ added: [], problems: [text] }),
    },
  };
  const save = async (name: string, content: Blob): Promise<boolean> => {
    said.push(`${name} ${await content.text()}`);
    return isSaved;
  };
  return { shares: createProfileShares(api as never, save), said };
}

describe('connections for others', () => {
  it('are saved where the user wants them: those that are stored, alone', async () => {
    const { shares, said } = setUp();
    expect(await shares.exportAll(signal)).toBe(1);
    expect(said).toEqual([{ connections: ['north'] }, 'North.wellbench.json {}']);
  });

  it('are not said to be saved when the user cancels', async () => {
    expect(await setUp(false).shares.exportAll(signal)).toBe(0);
  });

  it('are read from a file that the page was given', async () => {
    const { shares } = setUp();
    expect((await shares.importFile(new Blob(['profiles']), signal)).problems).toEqual(['profiles']);
  });
});
