// `npm start`: sets up what is missing, builds what is stale, and opens the app.
import { run, say } from './lib/run.mjs';
import { ensureBuild, ensureDependencies, pinnedEnvironment, pinnedNode, root } from './lib/setup.mjs';

try {
  await ensureDependencies();
  if ((await ensureBuild()) !== 0) throw new Error('The build failed; what it said stands above.');
  const args = process.argv.slice(2);
  process.exitCode = await run(pinnedNode(), ['out/main/cli.js', 'serve', '--open', ...args], {
    cwd: root,
    env: pinnedEnvironment(),
  });
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
