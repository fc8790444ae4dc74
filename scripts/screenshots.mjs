// `npm run screenshots`: pictures of each step of the window into screenshots/, and those of the README into
// docs/pictures/, from the built app in a real Chromium.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from './lib/chromium.mjs';
import { say } from './lib/run.mjs';
import { ensureBuild, ensureDependencies, pinnedEnvironment, root, runTool } from './lib/setup.mjs';

try {
  await ensureDependencies();
  const chromium = await ensureChromium();
  if (!chromium) throw new Error('No Chromium found. Install one, or set WELLBENCH_CHROMIUM to its path.');
  if (!process.env.WELLBENCH_BUILD && (await ensureBuild()) !== 0)
    throw new Error('The build failed. Its output is above.');
  rmSync(join(root, 'screenshots'), { recursive: true, force: true });
  const env = { ...pinnedEnvironment(), WELLBENCH_CHROMIUM: chromium, WELLBENCH_SCREENSHOTS: '1' };
  process.exitCode = await runTool('@playwright/test/cli.js', ['test'], { env });
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
