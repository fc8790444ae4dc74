// The start of the command line against a bare script that makes the same two requests: `node test/bench/command.ts [ROUNDS]`,
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
  // As people run it: its default sort takes the dataset's definition.
  const args = ['find', 'bench/time', '--limit', '1'];
  return (await runCommand(service.port, args, false)).ms;
}

async function script(): Promise<number> {
  const base = `http://127.0.0.1:${service.port}/api/v1`;
  const text = `
    const ask = (path) => fetch('${base}' + path, { headers: { Authorization: 'API bench:key' } });
    const { data_type: type } = await (await ask('/dataset/bench/time/')).json();
    const sort = encodeURIComponent(JSON.stringify(type === 'time' ? { timestamp: 1 } : {}));
    const answer = await ask('/data/bench/time/?query=%7B%7D&sort=' + sort + '&limit=1&skip=0');
    for (const record of await answer.json()) console.log(JSON.stringify(record));`;
  const before = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text], { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the script ended with ${code}`);
  return performance.now() - before;
}
