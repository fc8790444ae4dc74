import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { soakRows } from './soaks/rows.ts';

const isBuilt = existsSync(join(import.meta.dirname, '../../out/main/cli.js'));

// `npm run soak -- rows` transfers 10,000,000.
describe.skipIf(!isBuilt)('20,000 rows through the built command line', () => {
  it('all arrive, without being kept in memory', async () => {
    expect(await soakRows({ amount: 20_000, seed: 1, tell: () => undefined })).toMatchObject({ sound: true });
  });
});
