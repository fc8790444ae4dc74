import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';

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
    // A process that ends may still have a file open.
    execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
  }
}

/** Whether {@link withReadOnly} can deny writing to this process: to root, only a mount can. */
export const canMakeReadOnly = process.platform !== 'win32' && (canMount || process.getuid?.() !== 0);

/** Denies all writing to a folder while `work` runs: by a read-only mount of it, or by its permissions. */
export async function withReadOnly<T>(folder: string, work: () => Promise<T>): Promise<T> {
  if (!canMount) {
    chmodSync(folder, 0o555);
    return work().finally(() => chmodSync(folder, 0o755));
  }
  execFileSync('mount', ['--bind', folder, folder], { stdio: 'ignore' });
  try {
    execFileSync('mount', ['-o', 'remount,bind,ro', folder], { stdio: 'ignore' });
    return await work();
  } finally {
    execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
  }
}
