import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The folder for settings and jobs: what the person names, else the system's place for local application data
 * (local, not roaming: jobs can be large and belong to one machine).
 */
export function dataFolder(named: string | undefined, env: NodeJS.ProcessEnv): string {
  const wanted = named ?? env['WELLBENCH_DATA_DIR'];
  if (wanted) return resolve(wanted);
  if (process.platform === 'win32')
    return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'Wellbench');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Wellbench');
  return join(env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'wellbench');
}
