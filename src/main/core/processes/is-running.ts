/** Whether a process with this ID runs that this one may signal. @param pid NaN: none */
export function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
