// `npm start`: sets up what is missing, builds what is stale, and opens the app: in Electron where that can be had, else
// in the browser. `npm start -- --browser` goes to the browser at once, and so do the options of `wellbench serve`.
import { ensureElectron, hindrance } from './lib/electron.mjs';
import { run, say } from './lib/run.mjs';
import { ensureBuild, ensureDependencies, pinnedEnvironment, pinnedNode, root } from './lib/setup.mjs';

/** An Electron that fails sooner than this, in milliseconds, could not start; later it was used, and is not replaced. */
const startMs = 10_000;

/** Runs the window in Electron. Gives its exit code, or why it is not to be had. */
async function inElectron() {
  const against = hindrance();
  if (against) return { reason: against };
  const { program, reason } = await ensureElectron({
    announce: () => say('Fetching Electron, for a minute at most …'),
  });
  if (!program) return { reason };
  const started = performance.now();
  const code = await run(program, [root], { cwd: root, env: pinnedEnvironment() });
  if (code !== 0 && performance.now() - started < startMs)
    return { reason: `it ended at once with code ${code}` };
  return { code };
}

async function inBrowser(args) {
  const command = ['out/main/cli.js', 'serve', '--open', ...args];
  return run(pinnedNode(), command, { cwd: root, env: pinnedEnvironment() });
}

try {
  await ensureDependencies();
  if ((await ensureBuild()) !== 0) throw new Error('The build failed; what it said stands above.');
  const args = process.argv.slice(2);
  const { code, reason } = args.length === 0 ? await inElectron() : {};
  if (reason) say(`Wellbench opens in the browser, not in Electron: ${reason}.`);
  process.exitCode = code ?? (await inBrowser(args.filter((argument) => argument !== '--browser')));
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
