import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { _electron } from '@playwright/test';
import { electronProgram } from '../../../scripts/lib/electron.mjs';
import { builtMain, environment, type Desktop, type LaunchOptions } from './desktop.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Starts the built application in the real Electron runtime. @throws Error when there is none */
export async function launchElectron(options: LaunchOptions): Promise<Desktop> {
  const program = electronProgram();
  if (!program) throw new Error('There is no Electron runtime here.');
  const env = environment(options);
  const application = await _electron.launch({
    executablePath: program,
    args: [builtMain, ...(options.args ?? [])],
    cwd: root,
    env,
  });
  const child = application.process();
  let written = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => (written += part.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    evaluate: (work: (...given: never[]) => unknown, argument?: unknown) =>
      application.evaluate(work as never, argument) as Promise<never>, // Playwright's own types are equivalent, but longer
    async page() {
      await application.firstWindow();
      const page = application.windows().findLast((candidate) => candidate.url() === 'app://wellbench/');
      if (!page) throw new Error('No page of ours');
      return page;
    },
    output: () => written,
    second: (args = []) =>
      new Promise((resolve, reject) => {
        const other = spawn(program, [builtMain, ...args], { cwd: root, env, stdio: 'ignore' });
        other.once('error', reject);
        other.once('exit', resolve);
      }),
    async quit() {
      await application.evaluate(({ app }) => app.quit()).catch(() => undefined);
      return ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
