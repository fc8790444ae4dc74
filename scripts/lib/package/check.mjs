import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, say } from '../run.mjs';
import { pinnedEnvironment, pinnedNode } from '../setup.mjs';

/** The version that is installed first. It is lower than every version of this project. */
const previous = '0.0.9';
const port = 9333;
const user = 'driller';
const environment = [
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'HOME=/root',
  'LANG=C.UTF-8',
  'DEBIAN_FRONTEND=noninteractive',
];
/** Rows of an upload, and how long it sends before something happens, in milliseconds. */
const rowCounts = { running: 200_000, stopped: 40_000 };
const sendingMs = 2500;

/** Copies the project's files into a folder, builds its packages there, and returns the folder of the packages. */
async function buildCopy(root, folder, { version, seconds }) {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  rmSync(folder, { recursive: true, force: true });
  for (const path of list
    .toString()
    .split('\0')
    .filter((each) => each !== '' && existsSync(join(root, each))))
    cpSync(join(root, path), join(folder, path));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  // Verified when they were fetched.
  cpSync(join(root, 'out', 'packages'), join(folder, 'out', 'packages'), { recursive: true });
  if (version) {
    const path = join(folder, 'package.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"version": "[^"]*"/, `"version": "${version}"`));
  }
  const env = { ...pinnedEnvironment(), SOURCE_DATE_EPOCH: String(seconds) };
  const code = await run(pinnedNode(), [join(folder, 'scripts/package.mjs')], {
    cwd: folder,
    env,
    quiet: true,
  });
  if (code !== 0) throw new Error(`The copy in ${folder} couldn’t be packaged.`);
  return join(folder, 'dist');
}

/** An empty Debian in a folder, with what shows and drives a window, as a desktop has it. */
function createDebian(folder) {
  const sources = readFileSync('/etc/apt/sources.list.d/debian.sources', 'utf8');
  const [, mirror] = /^URIs: (\S+)/m.exec(sources) ?? [];
  if (!existsSync(folder)) {
    execFileSync(
      'debootstrap',
      ['--variant=minbase', '--include=ca-certificates', 'bookworm', folder, mirror],
      {
        stdio: 'ignore',
      },
    );
    rmSync(join(folder, 'etc/apt/sources.list'), { force: true });
  }
  for (const path of ['/etc/resolv.conf', '/etc/apt/sources.list.d/debian.sources'])
    writeFileSync(join(folder, path), readFileSync(path));
}

/** Counts what isn't as expected, and prints each expectation. */
function createReport() {
  let failures = 0;
  return {
    expect(what, isMet) {
      say(`${isMet ? '✓' : '✗'} ${what}`);
      if (!isMet) failures += 1;
    },
    failures: () => failures,
  };
}

/**
 * Starts a Debian in a folder: commands as root, as a user, and in the background, all with the same processes in view.
 * Prints each command with the end of its output.
 */
async function startDebian(folder) {
  const first = spawn(join(import.meta.dirname, 'enter.sh'), [folder, 'sleep', 'infinity'], {
    stdio: 'ignore',
  });
  // Its only child, in whose namespaces the commands run.
  const children = `/proc/${first.pid}/task/${first.pid}/children`;
  for (let attempt = 0; attempt < 50 && readFileSync(children, 'utf8') === ''; attempt += 1) await sleep(100);
  await sleep(1000);
  const target = readFileSync(children, 'utf8').trim();
  const inside = ['--target', target, '--mount', '--pid', 'env', '-i', ...environment];
  const run = (sign, ...command) => {
    say(`${sign} ${command.at(-1)}`);
    const { status, stdout, stderr } = spawnSync('nsenter', [...inside, ...command], {
      encoding: 'utf8',
      maxBuffer: 64_000_000,
    });
    const text = `${stdout}${stderr}`.trim();
    if (text) say(text.split('\n').slice(-12).join('\n'));
    return { code: status, text, lastLine: stdout.trim().split('\n').at(-1) };
  };
  return {
    target,
    asRoot: (command) => run('#', 'sh', '-ec', command),
    asUser: (command) => run('$', 'su', '-', user, '-c', command),
    inBackground: (command) =>
      spawn('nsenter', [...inside, 'su', '-', user, '-c', command], { stdio: 'ignore' }),
    read: (name) => readFileSync(join(folder, 'home', user, name), 'utf8'),
    write: (name, text) => writeFileSync(join(folder, 'home', user, name), text),
    has: (path) => existsSync(join(folder, path)),
    /** Ends all its processes. */
    stop: () => first.kill('SIGKILL'),
  };
}

const install = (version) =>
  `apt-get install -y -qq /packages/wellbench_${version}_amd64.deb > /tmp/apt.log 2>&1 || tail /tmp/apt.log; dpkg-query -W -f '\${Package} \${Version} \${Status}\n' wellbench chromium`;
const isInstalled = ({ text }, version) => text.includes(`wellbench ${version} install ok installed`);

/** The first journey in the window of the installed application, driven from outside. */
async function checkWindow(root, debian, folder, { expect }) {
  // What a desktop has: a screen, a window manager, and the databases of file types.
  debian.asRoot(
    'apt-get install -y -qq --no-install-recommends xvfb icewm imagemagick wmctrl xdg-utils desktop-file-utils shared-mime-info libglib2.0-bin > /tmp/apt.log 2>&1',
  );
  const types = debian.asUser(
    'printf "~V\\n VERS. 2.0:\\n" > a.las; touch b.csv c.wellbench; for file in a.las b.csv c.wellbench; do xdg-mime query filetype $file; done; for type in application/x-las-log text/csv application/x-wellbench x-scheme-handler/wellbench; do gio mime $type | grep -m1 wellbench.desktop; done',
  );
  const expected = 'application/x-las-log\ntext/csv\napplication/x-wellbench';
  const offers = types.text.split('wellbench.desktop').length - 1;
  expect(
    'the desktop knows the three file types and the link, and opens them with it',
    types.text.startsWith(expected) && offers === 4,
  );
  // Only so that this check can drive the window that the application opens.
  const browser = `#!/bin/sh\nexec /usr/bin/chromium --remote-debugging-port=${port} "$@"\n`;
  writeFileSync(join(folder, 'usr/local/bin/google-chrome'), browser, { mode: 0o755 });
  debian.inBackground(
    'Xvfb :99 -screen 0 1440x900x24 -nolisten tcp & sleep 1; export DISPLAY=:99; icewm & sleep 1; wellbench > app.log 2>&1; echo "the app ended with $?" >> app.log; wait',
  );
  const args = [join(root, 'test/installed/journey.ts'), String(port), folder, debian.target];
  const journey = await run(pinnedNode(), args, { cwd: root });
  expect('the first journey, a file from the desktop, and quitting by closing the window', journey === 0);
  debian.asUser('ls .local/share/wellbench');
}

/** An upgrade while an upload runs, and one of a stopped upload. */
async function checkUpgrade(debian, version, { expect }) {
  debian.inBackground(
    'echo $$ > demo.pid; exec wellbench demo --fault latency_ms=1500 > demo.json 2> demo.log',
  );
  debian.asUser(
    'for attempt in $(seq 150); do [ -s demo.json ] && break; sleep 0.2; done; cut -c1-60 demo.json',
  );
  const { dataUrl, platformUrl, apiKeys } = JSON.parse(debian.read('demo.json'));
  debian.write(
    'services',
    `export WELLBENCH_DATA_URL=${dataUrl} WELLBENCH_PLATFORM_URL=${platformUrl} WELLBENCH_API_KEY=${apiKeys.write}\n`,
  );
  for (const [name, well] of [
    ['running', 5003],
    ['stopped', 5004],
  ]) {
    const rows = Array.from(
      { length: rowCounts[name] },
      (_, row) => `${1_763_640_000_000 + row * 1000},${well},${9000 + row}`,
    );
    debian.write(`${name}.csv`, `timestamp,asset_id,hole_depth\n${rows.join('\n')}\n`);
    debian.write(
      `${name}.sh`,
      `. ./services\necho $$ > ${name}.pid\nexec wellbench upload demo/uploads.time ${name}.csv --json > ${name}.json 2> ${name}.log\n`,
    );
  }
  const isSending = (file) =>
    `for attempt in $(seq 150); do . ./services; wellbench jobs list --json | grep -q '"state":"running"' && break; sleep 0.2; done; : ${file}`;
  debian.inBackground('sh stopped.sh');
  debian.asUser(isSending('stopped.csv'));
  await sleep(sendingMs);
  debian.asUser('kill -KILL $(cat stopped.pid)');
  const running = debian.inBackground('sh running.sh');
  const ended = new Promise((resolve) => running.once('exit', resolve));
  debian.asUser(isSending('running.csv'));
  await sleep(sendingMs);
  debian.asUser('. ./services; wellbench jobs list; wellbench count demo/uploads.time --query "{}"');
  expect(
    'the new version is installed while an upload of the old one runs',
    isInstalled(debian.asRoot(install(version)), version),
  );
  expect(
    'the old upload still runs, with its own files',
    running.exitCode === null &&
      debian.asUser('wellbench --version; ls /usr/lib/wellbench').text.includes(previous),
  );
  await ended;
  const done = debian.asUser(
    'tail -n 1 running.json; cat running.log; . ./services; wellbench count demo/uploads.time --query "{ asset_id: 5003 }"',
  );
  expect(`it stored each of its ${rowCounts.running} rows once`, done.lastLine === String(rowCounts.running));
  const resumed = debian.asUser(
    `. ./services; job=$(wellbench jobs list --json | tail -n 1 | grep -o '"id":"[^"]*","kind":"upload","state":"interrupted"' | cut -d'"' -f4); wellbench jobs list; wellbench jobs resume $job | tail -n 2; wellbench count demo/uploads.time --query "{ asset_id: 5004 }"`,
  );
  expect(
    `the new version resumes an upload that was killed, to ${rowCounts.stopped} rows`,
    resumed.lastLine === String(rowCounts.stopped),
  );
  debian.asUser('kill $(cat demo.pid)');
  await sleep(sendingMs);
  const { text } = debian.asRoot(
    `apt-get install -y -qq --reinstall /packages/wellbench_${version}_amd64.deb > /tmp/apt.log 2>&1; ls /usr/lib/wellbench`,
  );
  expect('the next installation removes the files of the old version', text === version);
}

/** Removes it; what users made stays. */
function checkRemoval(debian, { expect }) {
  debian.asRoot(
    'apt-get remove -y -qq wellbench > /tmp/apt.log 2>&1; ls /usr/lib/wellbench /usr/bin/wellbench 2>&1 || true',
  );
  expect('nothing of it is left', !debian.has('usr/lib/wellbench') && !debian.has('usr/bin/wellbench'));
  const data = debian.asUser('cd .local/share/wellbench; ls; ls jobs | wc -l');
  expect('the data stays', data.text.includes('jobs') && data.lastLine !== '0');
}

function checkPortable(debian, version, { expect }) {
  const { text } = debian.asUser(
    `mkdir -p "my programs"; tar -xzf /packages/wellbench-${version}-linux-x64.tar.gz -C "my programs"; cd "my programs/wellbench-${version}"; ./wellbench --version; ./wellbench sql "SELECT 42 AS answer"; ./menu-entry.sh; desktop-file-validate ~/.local/share/applications/wellbench.desktop; grep ^Exec ~/.local/share/applications/wellbench.desktop; ./menu-entry.sh --remove; ls ~/.local/share/applications`,
  );
  expect('the portable folder starts from a path with a space', text.includes('{"answer":42}'));
  expect(
    'its menu entry is valid, and is removed',
    text.includes(`Exec="/home/${user}/my programs`) && !text.includes('wellbench.desktop'),
  );
}

/**
 * Tries packages on an empty Debian in a folder.
 * @param folders of the project, of its packages, of those of {@link previous}, and one for the Debian
 * @returns the number of failures
 */
export async function checkInstalled({ root, dist, older, work }) {
  const report = createReport();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [base, folder] = [join(work, 'base'), join(work, 'debian')];
  say('\nAn empty Debian');
  createDebian(base);
  rmSync(folder, { recursive: true, force: true });
  execFileSync('cp', ['-a', base, folder]);
  mkdirSync(join(folder, 'packages'));
  for (const file of [
    join(older, `wellbench_${previous}_amd64.deb`),
    join(dist, `wellbench_${version}_amd64.deb`),
    join(dist, `wellbench-${version}-linux-x64.tar.gz`),
  ])
    cpSync(file, join(folder, 'packages', basename(file)));
  const debian = await startDebian(folder);
  debian.asRoot(
    `cat /etc/debian_version; apt-get update -qq; useradd --create-home --shell /bin/bash ${user}`,
  );
  say(`\nInstalling version ${previous}`);
  report.expect(
    'it is installed, and Chromium with it',
    isInstalled(debian.asRoot(install(previous)), previous),
  );
  report.expect('it starts', debian.asUser('wellbench --version').text.includes(previous));
  say('\nThe window');
  await checkWindow(root, debian, folder, report);
  say(`\nUpgrading to version ${version}`);
  await checkUpgrade(debian, version, report);
  say('\nRemoving it');
  checkRemoval(debian, report);
  say('\nThe portable folder');
  checkPortable(debian, version, report);
  debian.stop();
  return report.failures();
}

/** Runs the whole check. @returns exit code: 1 if something failed */
export async function checkPackages(root, seconds) {
  const work = process.env.WELLBENCH_CHECK_FOLDER ?? join(tmpdir(), 'wellbench-check');
  mkdirSync(work, { recursive: true });
  const dist = join(root, 'dist');
  const report = createReport();
  say('\nA second build, in another folder …');
  const second = await buildCopy(root, join(work, 'second'), { version: undefined, seconds });
  const [sums, secondSums] = [dist, second].map((each) => readFileSync(join(each, 'SHA256SUMS'), 'utf8'));
  say(secondSums.trim());
  report.expect('both builds have the same bytes', sums === secondSums);
  say(`\nA build of version ${previous} …`);
  const older = await buildCopy(root, join(work, 'older'), { version: previous, seconds });
  const failures = report.failures() + (await checkInstalled({ root, dist, older, work }));
  say(failures === 0 ? '\nEverything works.' : `\n${failures} failed.`);
  return failures === 0 ? 0 : 1;
}
