import { zip } from './archive.mjs';
import { portableEntries, textEntry } from './contents.mjs';

const lines = (...texts) => texts.map((text) => `${text}\r\n`).join('');

/** Runs a command in the window of a terminal; without one, opens the app. */
const commandLine = lines('@"%~dp0bin\\node.exe" "%~dp0app\\out\\main\\cli.js" %*');
/** For the desktop: its terminal is minimized, and ends with the app. Files that are dropped on it are opened. */
const appOpener = lines('@start "Wellbench" /min "%~dp0bin\\node.exe" "%~dp0app\\out\\main\\cli.js" app %*');

/**
 * The portable folder for Windows.
 * @param contents of `applicationContents` for Windows
 * @param project its version
 * @param texts licenses and bill of materials
 * @param seconds time of the build, in Unix seconds
 * @returns the file
 */
export function portableWindows(contents, project, texts, seconds) {
  const entries = [
    ...contents,
    textEntry('wellbench.cmd', commandLine),
    textEntry('Open Wellbench.cmd', appOpener),
  ];
  return zip(portableEntries(entries, project, texts), seconds);
}
