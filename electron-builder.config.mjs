import { setFuses } from './scripts/lib/fuses.mjs';

// The libraries that are no part of the build, because something native is in them, and what these need.
const native = [
  '@duckdb/*',
  'detect-libc',
  '@napi-rs/keyring*',
  'fs-native-extensions',
  'require-addon',
  'bare-addon-resolve',
  'bare-module-resolve',
  'bare-semver',
  'which-runtime',
];

/**
 * Where installed applications look for updates (`WELLBENCH_UPDATE_FEED`, https); absent: they look nowhere. What is
 * fetched from there is run, so nothing is packed with a feed unless the system can tell who made an installer, and it is
 * signed. Linux can't: there updates come as packages.
 */
export function updateFeed(env, platform) {
  const url = env.WELLBENCH_UPDATE_FEED;
  if (!url) return null;
  if (!url.startsWith('https://')) throw new Error('WELLBENCH_UPDATE_FEED has to begin with https://.');
  if (platform === 'linux') return null;
  if (!env.CSC_LINK)
    throw new Error('With WELLBENCH_UPDATE_FEED the installers have to be signed: CSC_LINK is not set.');
  return { provider: 'generic', url };
}

/**
 * What installers hold and how they are made. electron-builder itself has a lockfile of its own (`packaging/`): 280
 * packages that only a release needs. Signing is left to its own
 * variables (CSC_LINK, CSC_KEY_PASSWORD, APPLE_ID and so on): without them the installers are unsigned.
 */
const feed = updateFeed(process.env, process.platform);

export default {
  appId: 'org.wellbench.app',
  productName: 'Wellbench',
  directories: { output: 'dist', buildResources: 'resources' },
  // What is built, and nothing else: no sources, no maps, no tests, no library that the build holds already.
  files: [
    'out/main/**',
    'out/preload/**',
    'out/renderer/**',
    'package.json',
    '!node_modules/**',
    ...native.map((name) => `node_modules/${name}/**`),
    '!node_modules/fs-native-extensions/{src,include,CMakeLists.txt}',
    '!node_modules/fs-native-extensions/prebuilds/{android,ios}*/**',
    '!**/*.{map,ts,mts,cts,md,c,h,bare}',
  ],
  // What the application opens (src/main/hosts/open-arguments.ts); a test holds these to the source's own words.
  fileAssociations: [
    { ext: 'wellbench', name: 'Wellbench queries', role: 'Viewer', mimeType: 'application/x-wellbench' },
  ],
  protocols: [{ name: 'Wellbench query', schemes: ['wellbench'] }],
  asar: true,
  // What people copy: a file beside the archive, where other programs see it.
  extraResources: [{ from: 'resources/python', to: 'python', filter: ['*.py'] }],
  // What the system loads by itself has to be a file.
  asarUnpack: ['**/*.node', 'node_modules/@duckdb/**'],
  // What is native comes built, for every version of Node: nothing is compiled anew.
  npmRebuild: false,
  win: { target: [{ target: 'nsis', arch: ['x64'] }], icon: 'resources/icons/wellbench.png' },
  nsis: { oneClick: true, perMachine: false, deleteAppDataOnUninstall: false },
  mac: {
    // Updates there are made from an archive.
    target: [
      { target: 'dmg', arch: ['universal'] },
      ...(feed ? [{ target: 'zip', arch: ['universal'] }] : []),
    ],
    category: 'public.app-category.productivity',
    icon: 'resources/icons/wellbench.png',
    hardenedRuntime: true,
    // Ours: the builder's defaults also allow libraries that others signed, and unsigned executable memory.
    entitlements: 'resources/entitlements.mac.plist',
    entitlementsInherit: 'resources/entitlements.mac.plist',
    // Both halves hold the native parts of both; each loads its own.
    x64ArchFiles: '{**/*.node,**/libduckdb*}',
  },
  linux: {
    // The Debian package has no Electron (`npm run package`).
    target: ['AppImage'],
    executableName: 'wellbench',
    category: 'Science',
    icon: 'resources/icons/wellbench.png',
    maintainer: 'Wellbench',
    synopsis: 'Find wells, query and export their data, and upload files',
  },
  // A build uploads nothing; this is what it tells the application of updates.
  publish: feed,
  afterPack: setFuses,
};
