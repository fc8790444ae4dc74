import { spawn } from 'node:child_process';

/**
 * Runs a program and passes its output through.
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { quiet?: boolean, timeoutMs?: number | undefined }} options
 * @returns {Promise<number>} the exit code; 127: it can't be started
 */
export function run(program, args, { quiet = false, timeoutMs, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: quiet ? 'ignore' : 'inherit', ...options });
    const timer = timeoutMs ? setTimeout(() => child.kill('SIGKILL'), timeoutMs) : undefined;
    child.once('error', () => {
      clearTimeout(timer);
      resolve(127);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      resolve(signal ? 128 : (code ?? 1));
    });
  });
}

/**
 * Runs npm by the path of the current npm, so no shell or `.cmd` is needed.
 * @param {string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function npm(args, options) {
  const npmProgram = process.env.npm_execpath;
  if (npmProgram?.endsWith('.js')) return run(process.execPath, [npmProgram, ...args], options);
  return run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
    ...options,
    shell: process.platform === 'win32',
  });
}

export const say = (sentence) => process.stdout.write(`${sentence}\n`);
