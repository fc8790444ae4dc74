import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The folder of settings and jobs: the given one, else the system's folder for local application data (not
 * roaming: jobs can be large and belong to one computer).
 */
export function dataFolder(named: string | undefined, env: NodeJS.ProcessEnv): string {
  const requested = named ?? env['WELLBENCH_DATA_DIR'];
  if (requested) return resolve(requested);
  if (process.platform === 'win32')
    return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'Wellbench');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Wellbench');
  return join(env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'wellbench');
}
