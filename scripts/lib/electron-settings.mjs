/**
 * What no source of an Electron application of ours may say, and why; `except`: the files whose very work it is.
 * Texts are looked at, not programs: whoever hides a setting from this test hides it from the reader too.
 * @type {[RegExp, string, string[]?][]}
 */
const rules = [
  [
    /\b(nodeIntegration(InWorker|InSubFrames)?|allowRunningInsecureContent|experimentalFeatures|webviewTag|navigateOnDragDrop|spellcheck)\s*:\s*true\b/,
    'gives a page what no page of ours has',
  ],
  [/\b(contextIsolation|sandbox|webSecurity|safeDialogs)\s*:\s*false\b/, 'takes away what guards a page'],
  [/\b(enableBlinkFeatures|additionalArguments|enableRemoteModule)\b/, 'opens a page to what is not settled'],
  [
    /\bnew BrowserWindow\(/,
    'makes a window past the one place that does',
    ['src/main/hosts/electron/desktop.ts'],
  ],
  [/\b(BrowserView|WebContentsView|BaseWindow)\b/, 'makes contents past the one place that does'],
  [/\bloadFile\(|\bloadURL\((?!pageAddress\))/, 'shows something else than our page'],
  [/\bexecuteJavaScript\(|\binsertCSS\(/, 'runs text in a page'],
  [/\beval\(|\bnew Function\(/, 'runs text'],
  [/\bappendSwitch\(/, 'changes how Chromium guards itself'],
  [
    /certificate-error|setCertificateVerifyProc|rejectUnauthorized\s*:\s*false|NODE_TLS_REJECT/,
    'trusts what nobody vouched for',
    // The doctor looks at a certificate that is refused, and sends nothing.
    ['src/main/http/probe.ts'],
  ],
  [/\bopenExternal\b|\bopenPath\b/, 'opens something outside'],
  [
    /\bipc(Main)?\.(on|once|handle|handleOnce)\(/,
    'listens past the modules that check the sender',
    ['src/main/hosts/electron/ports.ts'],
  ],
  [/exposeInMainWorld\(/, 'gives a page something', ['src/preload/index.ts']],
  [/\bipcRenderer\b/, 'reaches main past the bridge', ['src/preload/index.ts']],
  [/crashReporter\.start\((?!\{ uploadToServer: false \}\))|\bsubmitURL\b/, 'sends memory away'],
  [
    /\bautoUpdater\b|\bsetFeedURL\b|\bquitAndInstall\b/,
    'runs what was fetched',
    ['src/main/hosts/electron/updates.ts'],
  ],
  [/\bremote\.require|@electron\/remote/, 'lends main to a page'],
  [
    /from 'node:(http|https|http2|net|tls|dgram)'|\bWebSocket\(|\bnet\.(request|fetch)\(/,
    'speaks to somebody past the one place that does',
    ['src/main/http/', 'src/main/hosts/browser/', 'src/demo/', 'src/renderer/api/own-socket.ts'],
  ],
];

const withoutComments = (text) =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');

/**
 * What is wrong with sources by Electron's checklist, in sentences; none: nothing.
 * @param sources path from the root with slashes, and text, of every file below `src`
 */
export function settingProblems(sources) {
  return sources.flatMap(({ path, text }) => {
    const code = withoutComments(text);
    return rules.flatMap(([pattern, why, except = []]) => {
      const [found] = pattern.exec(code) ?? [];
      if (found === undefined || except.some((place) => path.startsWith(place))) return [];
      return [`${path} says “${found}”, which ${why}.`];
    });
  });
}
