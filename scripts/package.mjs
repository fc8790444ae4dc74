// `npm run package` builds every package that needs no Electron, into `dist/`: the file of npm, the Debian package, and the
// portable folders for Linux and Windows x64, with their digests, bills of materials, and licenses. The same sources give the
// same bytes; SOURCE_DATE_EPOCH sets the time in the archives, by default that of the last commit.
//   --check  also builds a second time and compares, then tries the packages on an empty Debian (root, debootstrap)
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { npm, run, say } from './lib/run.mjs';
import { ensureBuild, ensureDependencies, pinnedEnvironment, pinnedNode, root } from './lib/setup.mjs';

const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

function sourceSeconds() {
  const { SOURCE_DATE_EPOCH: epoch } = process.env;
  if (epoch !== undefined) return Number.parseInt(epoch, 10);
  return Number.parseInt(
    execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }),
    10,
  );
}

async function build(seconds) {
  const { applicationContents } = await import('./lib/package/contents.mjs');
  const { billOfMaterials, lockedBill } = await import('./lib/package/bill.mjs');
  const { debianPackage, portableLinux } = await import('./lib/package/linux.mjs');
  const { portableWindows } = await import('./lib/package/windows.mjs');
  const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { version } = project;
  const locked = lockedBill(root);
  const dist = join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  const written = [];
  const write = (name, bytes) => {
    writeFileSync(join(dist, name), bytes);
    written.push({ name, bytes });
  };
  if ((await npm(['pack', '--silent', '--pack-destination', dist], { cwd: root, quiet: true })) !== 0)
    throw new Error('npm pack failed.');
  written.push({
    name: `wellbench-${version}.tgz`,
    bytes: readFileSync(join(dist, `wellbench-${version}.tgz`)),
  });
  for (const platform of ['linux', 'win32']) {
    const { entries, packages, licenses } = await applicationContents(root, platform);
    const bill = billOfMaterials(locked, packages, project, seconds);
    const texts = { licenses, bill };
    const name = `wellbench-${version}-${platform === 'linux' ? 'linux' : 'windows'}-x64`;
    if (platform === 'linux') {
      write(
        `wellbench_${version.replace('-', '~')}_amd64.deb`,
        debianPackage(root, entries, project, texts, seconds),
      );
      write(`${name}.tar.gz`, portableLinux(root, entries, project, texts, seconds));
    } else write(`${name}.zip`, portableWindows(entries, project, texts, seconds));
    write(`${name}.cdx.json`, Buffer.from(bill));
    write(`${name}.licenses.txt`, Buffer.from(licenses));
  }
  const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');
  const sums = written.map(({ name, bytes }) => `${digest(bytes)}  ${name}\n`).join('');
  write('SHA256SUMS', Buffer.from(sums));
  for (const { name, bytes } of written)
    say(`${(bytes.length / 1e6).toFixed(1).padStart(7)} MB  dist/${name}`);
}

await ensureDependencies();
if ((await ensureBuild()) !== 0) throw new Error('The build failed. Its output is above.');
// The bytes of archives depend on the compression of Node.
const pinned = JSON.parse(readFileSync(join(root, 'packaging/node/package.json'), 'utf8')).version;
if (process.versions.node === pinned || process.execPath === pinnedNode()) {
  const seconds = sourceSeconds();
  await build(seconds);
  if (options.check)
    process.exitCode = await (await import('./lib/package/check.mjs')).checkPackages(root, seconds);
} else {
  const args = [import.meta.filename, ...process.argv.slice(2)];
  process.exitCode = await run(pinnedNode(), args, { cwd: root, env: pinnedEnvironment() });
}
