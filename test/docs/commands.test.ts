import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { runInProcess } from '../support/cli.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = globSync(['README.md', 'docs/*.md', 'docs/guide/*.md'], { cwd: root });
const lines = pages.flatMap((page) =>
  [...readFileSync(`${root}${page}`, 'utf8').matchAll(/\bwellbench ([a-z][^`\n]*)/g)].map(([, line = '']) =>
    line.trim(),
  ),
);

const helps = new Map<string, string>();

/** The help of a command, which Commander writes to the process's own stdout. */
async function helpOf(...command: string[]): Promise<string> {
  const name = command.join(' ');
  const earlier = helps.get(name);
  if (earlier !== undefined) return earlier;
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await runInProcess([...command, '--help']);
  const help = write.mock.calls.map(([text]) => String(text)).join('');
  write.mockRestore();
  helps.set(name, help);
  return help;
}

it('the command line has each command and option that the docs show', async () => {
  expect(lines.length).toBeGreaterThan(8);
  for (const line of new Set(lines)) {
    const [command = '', subcommand = ''] = line.split(' ');
    const group = await helpOf(command);
    expect(group, line).toContain(`Usage: wellbench ${command}`);
    const isGroup = /^[a-z]/.test(subcommand) && group.includes(`\n  ${subcommand} `);
    const help = isGroup ? await helpOf(command, subcommand) : group;
    for (const [option] of line.matchAll(/--[a-z-]+/g)) expect(help, line).toContain(`${option} `);
  }
});
