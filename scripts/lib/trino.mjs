import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run, say } from './run.mjs';

const version = '476';
const minJava = 24;

/** The folder of the newest Java that Trino runs with; null: there is none. `JAVA_HOME`, or one of Linux's usual place. */
function javaOfTrino() {
  const usual = '/usr/lib/jvm';
  const homes = existsSync(usual) ? readdirSync(usual).map((name) => join(usual, name)) : [];
  const found = [process.env.JAVA_HOME, ...homes].flatMap((home) => {
    const release = home ? join(home, 'release') : '';
    if (!existsSync(release)) return [];
    const [, major = '0'] = /^JAVA_VERSION="(\d+)/m.exec(readFileSync(release, 'utf8')) ?? [];
    return Number(major) >= minJava ? [home] : [];
  });
  return found[0] ?? null;
}

/**
 * Gets the server of Trino from Maven Central, 820 MB, once.
 * @param place the folder for it
 * @returns the environment variables of its reader; null: it can't be had
 */
export async function ensureTrino(place) {
  const java = javaOfTrino();
  if (java === null || process.platform === 'win32') return null;
  const folder = join(place, `trino-server-${version}`);
  if (!existsSync(folder) && !(await installed(place, folder))) return null;
  return { WELLBENCH_TRINO: folder, WELLBENCH_TRINO_JAVA: java };
}

async function installed(place, folder) {
  say(`Getting Trino ${version}, 820 MB …`);
  const artifact = `-Dartifact=io.trino:trino-server:${version}:tar.gz`;
  const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';
  const maven = ['--batch-mode', '--quiet', copy, artifact, `-DoutputDirectory=${place}`];
  if ((await run('mvn', maven, { quiet: true })) !== 0) return false;
  const archive = `${folder}.tar.gz`;
  const isUnpacked = (await run('tar', ['-xzf', archive, '-C', place])) === 0;
  rmSync(archive);
  if (!isUnpacked) rmSync(folder, { recursive: true, force: true });
  // Each connector takes memory and time at the start.
  for (const plugin of isUnpacked ? readdirSync(join(folder, 'plugin')) : [])
    if (plugin !== 'delta-lake') rmSync(join(folder, 'plugin', plugin), { recursive: true });
  return isUnpacked;
}
