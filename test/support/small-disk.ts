import { execFileSync } from 'node:child_process';

/** Whether this process may mount its own disk: root on Linux, with the required rights. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0 && mayMount();

function mount(folder: string, kilobytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder], { stdio: 'ignore' });
}

function mayMount(): boolean {
  try {
    // In a mount namespace that ends with it: nothing else on this machine is changed.
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Mounts a disk of this many kilobytes on a folder, in memory, while `work` runs. Only where {@link canMount}. */
export async function withSmallDisk<T>(
  folder: string,
  kilobytes: number,
  work: () => Promise<T>,
): Promise<T> {
  mount(folder, kilobytes);
  try {
    return await work();
  } finally {
    execFileSync('umount', [folder], { stdio: 'ignore' });
  }
}
