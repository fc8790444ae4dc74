// Loaded before the command that is measured: when that ends, tells its memory at most, the longest time for which its
// main thread answered nothing, and the most that this thread worked at a stretch: on a machine with other work, most of
// the former is waiting for a processor. In JavaScript: to make that of it would cost each run 66 ms of a processor, which
// the floors do not pay.
import { readFileSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env['WELLBENCH_OBSERVED'];
if (file && isMainThread) {
  const resolution = 5;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  let workMs = 0;
  let used = process.threadCpuUsage();
  const watch = setInterval(() => {
    const { user, system } = process.threadCpuUsage(used);
    workMs = Math.max(workMs, (user + system) / 1000);
    used = process.threadCpuUsage();
  }, 2);
  watch.unref();
  // Loading the program is no stall of work under way; how long it takes depends on the machine. A job works in a worker.
  process.once('worker', () => {
    delay.reset();
    workMs = 0;
    used = process.threadCpuUsage();
  });
  process.once('exit', () => {
    const stallMs = Math.max(0, delay.max / 1e6 - resolution);
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const processorMs = (userCPUTime + systemCPUTime) / 1000;
    writeFileSync(file, JSON.stringify({ residentBytes: mostResident(), stallMs, workMs, processorMs }));
  });
}

/** In bytes. What the system says of a process by `maxRSS` begins with the memory of the one that started it. */
function mostResident() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const [, kilobytes = NaN] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
