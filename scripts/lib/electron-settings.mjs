/**
 * Settings that no source may contain, and why; the third item lists exceptions by file. The check reads text, not syntax: code
 * that hides a setting from it would also hide it from a reader.
 * @type {[RegExp, string, string[]?][]}
 */
const rules = [
  [
    /\b(nodeIntegration(InWorker|InSubFrames)?|allowRunningInsecureContent|experimentalFeatures|webviewTag|navigateOnDragDrop|spellcheck)\s*:\s*true\b/,
    'gives a page access that pages must not have',
  ],
  [/\b(contextIsolation|sandbox|webSecurity|safeDialogs)\s*:\s*false\b/, 'removes a protection of pages'],
  [/\b(enableBlinkFeatures|additionalArguments|enableRemoteModule)\b/, 'enables unstable features for pages'],
  [
    /\bnew BrowserWindow\(/,
    'creates a window outside of the one module for it',
    ['src/main/hosts/electron/desktop.ts'],
  ],
  [/\b(BrowserView|WebContentsView|BaseWindow)\b/, 'creates web contents outside of the one module for it'],
  [/\bloadFile\(|\bloadURL\((?!pageAddress\))/, 'loads another page than the app'],
  [/\bexecuteJavaScript\(|\binsertCSS\(/, 'runs a text as code in a page'],
  [/\beval\(|\bnew Function\(/, 'runs a text as code'],
  [/\bappendSwitch\(/, 'changes protections of Chromium'],
  [
    /certificate-error|setCertificateVerifyProc|rejectUnauthorized\s*:\s*false|NODE_TLS_REJECT/,
    'trusts unverified certificates',
    // Diagnostics inspect a rejected certificate and send nothing.
    ['src/main/core/wire/http/probe.ts'],
  ],
  [/\bopenExternal\b|\bopenPath\b/, 'opens an external address or file'],
  [
    /\bipc(Main)?\.(on|once|handle|handleOnce)\(/,
    'listens outside of the module that checks the sender',
    ['src/main/hosts/electron/ports.ts'],
  ],
  [/exposeInMainWorld\(/, 'exposes a function to a page', ['src/preload/index.ts']],
  [/\bipcRenderer\b/, 'bypasses the preload bridge', ['src/preload/index.ts']],
  [/crashReporter\.start\((?!\{ uploadToServer: false \}\))|\bsubmitURL\b/, 'sends memory dumps'],
  [
    /\bautoUpdater\b|\bsetFeedURL\b|\bquitAndInstall\b/,
    'runs downloaded code',
    ['src/main/hosts/electron/updates.ts'],
  ],
  [/\bremote\.require|@electron\/remote/, 'gives a page access to the main process'],
  [
    /from 'node:(http|https|http2|net|tls|dgram)'|\bWebSocket\(|\bnet\.(request|fetch)\(/,
    'opens a network connection outside of the modules for it',
    ['src/main/core/wire/http/', 'src/main/hosts/browser/', 'src/demo/', 'src/renderer/api/own-socket.ts'],
  ],
];

const withoutComments = (text) =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');

/**
 * Violations of Electron's checklist.
 * @param sources path from the root with slashes, and text, of every file below `src`
 * @returns a sentence for each violation
 */
export function settingProblems(sources) {
  return sources.flatMap(({ path, text }) => {
    const code = withoutComments(text);
    return rules.flatMap(([pattern, why, except = []]) => {
      const [found] = pattern.exec(code) ?? [];
      if (found === undefined || except.some((place) => path.startsWith(place))) return [];
      return [`${path} contains “${found}”, which ${why}.`];
    });
  });
}
