// `npm start` installs dependencies, builds if necessary, and opens the app in Electron if available, else in the browser.
// `npm start -- --browser`, or any option of `wellbench app`, opens the browser.
import { ensureElectron, electronProblem } from './lib/electron.mjs';
import { run, say } from './lib/run.mjs';
import { ensureBuild, ensureDependencies, pinnedEnvironment, pinnedNode, root } from './lib/setup.mjs';

/** If Electron fails within this many milliseconds, it could not start, and the browser opens instead. */
const startMs = 10_000;

/** Runs the app in Electron. @returns its exit code, or why it isn't available */
async function inElectron() {
  const against = electronProblem();
  if (against) return { reason: against };
  const { program, reason } = await ensureElectron({
    announce: () => say('Downloading Electron (up to a minute) …'),
  });
  if (!program) return { reason };
  const started = performance.now();
  const code = await run(program, [root], { cwd: root, env: pinnedEnvironment() });
  if (code !== 0 && performance.now() - started < startMs)
    return { reason: `it exited at once with code ${code}` };
  return { code };
}

async function inBrowser(args) {
  const command = ['out/main/cli.js', 'app', ...args];
  return run(pinnedNode(), command, { cwd: root, env: pinnedEnvironment() });
}

try {
  await ensureDependencies();
  if ((await ensureBuild()) !== 0) throw new Error('The build failed. Its output is above.');
  const args = process.argv.slice(2);
  const { code, reason } = args.length === 0 ? await inElectron() : {};
  if (reason) say(`Wellbench opens in the browser, because Electron isn't available: ${reason}.`);
  process.exitCode = code ?? (await inBrowser(args.filter((argument) => argument !== '--browser')));
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
