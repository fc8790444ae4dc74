// Loaded before the measured command: when that ends, reports its maximum memory, the longest stall of its main
// thread, and the longest task of this thread: on a loaded machine, most of the former is waiting for a CPU. In
// JavaScript: compiling it would cost each run 66 ms of CPU time, which the floors do not have.
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
  // Loading the program is not a stall of running work; its time depends on the machine. A job runs in a worker.
  process.once('worker', () => {
    delay.reset();
    workMs = 0;
    used = process.threadCpuUsage();
  });
  process.once('exit', () => {
    const stallMs = Math.max(0, delay.max / 1e6 - resolution);
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const processorMs = (userCPUTime + systemCPUTime) / 1000;
    writeFileSync(file, JSON.stringify({ residentBytes: maxResidentBytes(), stallMs, workMs, processorMs }));
  });
}

/** In bytes. The system's `maxRSS` of a process starts with the memory of its parent. */
function maxResidentBytes() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const [, kilobytes = NaN] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
