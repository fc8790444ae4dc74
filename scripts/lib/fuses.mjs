import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Switches inside the program of the runtime, thrown before it is signed. They are named as `@electron/fuses` names
 * them.
 */
export const fuses = {
  // The program can't be started as Node; the keychain's process is a utility process.
  RunAsNode: false,
  EnableCookieEncryption: true,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  // Windows and macOS check that what is in the archive is what was packed; scripts are loaded from nowhere else. Native
  // modules lie beside the archive, where no fuse checks them.
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  // Our pages have a scheme of their own.
  GrantFileProtocolExtraPrivileges: false,
  WasmTrapHandlers: true,
};

const programOf = {
  darwin: 'Wellbench.app',
  mas: 'Wellbench.app',
  win32: 'Wellbench.exe',
  linux: 'wellbench',
};

/** Throws the fuses of a packed application; called by electron-builder before it signs. */
export async function flipTheFuses({ appOutDir, electronPlatformName, arch }) {
  // The two halves of a universal application are joined later, and come by here again when they are.
  const universal = 4;
  const ofOneArch = electronPlatformName === 'darwin' && arch !== universal && appOutDir.endsWith('-temp');
  if (ofOneArch) return;
  const { resolve } = createRequire(new URL('../../packaging/package.json', import.meta.url));
  const { flipFuses, FuseV1Options, FuseVersion } = await import(
    pathToFileURL(resolve('@electron/fuses')).href
  );
  const settings = Object.fromEntries(Object.entries(fuses).map(([name, on]) => [FuseV1Options[name], on]));
  await flipFuses(join(appOutDir, programOf[electronPlatformName]), {
    version: FuseVersion.V1,
    // A fuse that a newer runtime brings is a question to be answered, not a default to be taken.
    strictlyRequireAllFuses: true,
    resetAdHocDarwinSignature: electronPlatformName === 'darwin',
    ...settings,
  });
}
