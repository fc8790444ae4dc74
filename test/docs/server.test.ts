import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useFolders } from '../support/folders.ts';

const folders = useFolders();
const page = readFileSync(join(import.meta.dirname, '../../docs/guide/server.md'), 'utf8');
/** The files of systemd on the page, by their name. */
const units = new Map(
  Array.from(
    page.matchAll(/`\/etc\/systemd\/system\/(?<name>[^`]+)`:\n\n```\n(?<text>\[Unit\][^`]+)```/g),
    ({ groups }) => [groups?.['name'] ?? '', groups?.['text'] ?? ''] as const,
  ),
);
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('the page about servers', () => {
  it('has a service, and a timer with the service that it starts', () => {
    expect([...units.keys()]).toEqual([
      'wellbench-wits.service',
      'wellbench-wits-once.service',
      'wellbench-wits-once.timer',
    ]);
  });

  it.skipIf(!hasSystemd)('has files that systemd accepts without a remark', async () => {
    const folder = await folders();
    for (const [name, text] of units)
      // The program isn't installed here.
      writeFileSync(join(folder, name), text.replace('/usr/bin/wellbench', process.execPath));
    const paths = [...units.keys()].map((name) => join(folder, name));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const times = execFileSync('systemd-analyze', ['calendar', '--iterations=2', '*:0/15'], {
      encoding: 'utf8',
    });
    expect(units.get('wellbench-wits-once.timer')).toContain('OnCalendar=*:0/15\n');
    expect(times).toContain('Normalized form: *-*-* *:00/15:00');
  });
});
