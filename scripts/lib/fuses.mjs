import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Fuses of the runtime's program, set before it is signed; names as in `@electron/fuses`.
 */
export const fuses = {
  // The program can't be started as Node; the keychain's process is a utility process.
  RunAsNode: false,
  EnableCookieEncryption: true,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  // Windows and macOS verify the archive, and scripts are loaded only from it. Native modules are beside the archive, where no
  // fuse checks them.
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  // Pages have their own scheme.
  GrantFileProtocolExtraPrivileges: false,
  WasmTrapHandlers: true,
};

const programOf = {
  darwin: 'Wellbench.app',
  mas: 'Wellbench.app',
  win32: 'Wellbench.exe',
  linux: 'wellbench',
};

/** Sets the fuses of a packaged application; electron-builder calls it before signing. */
export async function setFuses({ appOutDir, electronPlatformName, arch }) {
  // The two halves of a universal application are joined later; then this runs again.
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
    // A new fuse of a newer runtime needs a decision instead of its default.
    strictlyRequireAllFuses: true,
    resetAdHocDarwinSignature: electronPlatformName === 'darwin',
    ...settings,
  });
}
