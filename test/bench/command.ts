// The start of the command line against a bare script that does the same request: `node test/bench/command.ts [ROUNDS]`,
// after a build.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inTurns, tell } from './support/figures.ts';
import { runCommand, startService } from './support/processes.ts';

const rounds = Number(process.argv[2] ?? 15);
const service = await startService(10);
try {
  const { ours, floor } = await inTurns({ ours: find, floor: script }, rounds);
  tell({ name: 'find --limit 1, against a bare script', ours, floor, unit: 'ms', goal: '≤ 1.5 ×' });
} finally {
  await service.stop();
}

async function find(): Promise<number> {
  // With a sort, so that both make one request: without, the command asks for the dataset's own first.
  const args = ['find', 'bench/time', '--limit', '1', '--sort', '{}'];
  return (await runCommand(service.port, args, false)).ms;
}

async function script(): Promise<number> {
  const url = `http://127.0.0.1:${service.port}/api/v1/data/bench/time/?query=%7B%7D&sort=%7B%7D&limit=1&skip=0`;
  const text = `
    const answer = await fetch(${JSON.stringify(url)}, { headers: { Authorization: 'API bench:key' } });
    for (const record of await answer.json()) console.log(JSON.stringify(record));`;
  const before = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text], { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the script ended with ${code}`);
  return performance.now() - before;
}
