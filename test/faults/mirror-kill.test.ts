import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startDemo } from '../../src/demo/index.ts';
import { completeCommit } from '../../src/main/export/folder/commit.ts';
import { readFolderManifest } from '../../src/main/export/folder/manifest.ts';
import { partBytes } from '../main/export/support/folders.ts';
import { connectionEnv, runCli } from '../support/cli.ts';
import { seededRandom } from '../support/clock.ts';
import { runAndKill } from './run-and-kill.ts';

/** The time after the start of a job in which it is killed, in milliseconds. */
const killWithin = 1200;

describe('a mirror that is killed at random moments', () => {
  it('has all the files of its manifest after each, and in the end those of an undisturbed export', async () => {
    const random = seededRandom(11);
    const demo = await startDemo({ records: 20_000, wells: 6, seed: 7 });
    const folder = await mkdtemp(join(tmpdir(), 'wellbench-kill-'));
    const mirror = join(folder, 'mirror');
    const own = [
      '--query',
      '{asset_id: {$in: [5001, 5002, 5003]}}',
      '--json',
      '--data-dir',
      join(folder, 'data'),
    ];
    try {
      let kills = 0;
      for (let n = 0; n < 2; n += 1) {
        const args = ['mirror', 'demo/wits', '--out', mirror, '--overlap', '1d', ...own];
        const { killed } = await runAndKill(args, demo, {
          begun: /Job \S+ updates/,
          afterMs: random() * killWithin,
        });
        if (killed) kills += 1;
        await completeCommit(mirror);
        const manifest = await readFolderManifest(mirror);
        for (const { path, sha256 } of manifest?.parts ?? []) {
          const bytes = await readFile(join(mirror, path));
          expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
        }
        expect(Object.keys(partBytes(mirror))).toHaveLength(manifest?.parts.length ?? 0);
      }
      expect(kills).toBeGreaterThanOrEqual(1);
      const last = await runCli(['mirror', 'demo/wits', '--out', mirror, ...own], connectionEnv(demo));
      expect(last.code).toBe(0);
      const fresh = join(folder, 'fresh');
      const partition = ['--partition', 'asset_id,day', '--out', fresh];
      const exported = await runCli(['export', 'demo/wits', ...partition, ...own], connectionEnv(demo));
      expect(JSON.parse(exported.lines.at(-1) ?? '')).toMatchObject({
        dir: fresh,
        partitions: Object.keys(partBytes(fresh)).length,
        manifest: join(fresh, '_manifest.json'),
      });
      expect(partBytes(mirror)).toEqual(partBytes(fresh));
    } finally {
      await demo.close();
      await rm(folder, { recursive: true, force: true });
    }
  }, 180_000);
});
