import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';

const block = 512;
/** Longest name, and longest folder, that the header of ustar has room for. */
const maxName = 100;
const maxFolder = 155;

/** Entries in the order of their paths, whatever the order in which a file system lists them. */
export const sorted = (entries) => [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));

/** The folders above all entries, from the top, each with a slash at its end. */
function foldersOf(entries) {
  const folders = new Set();
  for (const { path } of entries)
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
      folders.add(path.slice(0, at + 1));
  return [...folders].map((path) => ({ path, bytes: Buffer.alloc(0), mode: 0o755, isFolder: true }));
}

function split(path) {
  if (Buffer.byteLength(path) <= maxName) return ['', path];
  const at = path.indexOf('/', path.length - maxName - 1);
  const [folder, name] = [path.slice(0, at), path.slice(at + 1)];
  if (at === -1 || name === '' || Buffer.byteLength(folder) > maxFolder)
    throw new Error(`The path ${path} is too long for the archive.`);
  return [folder, name];
}

function header({ path, bytes, mode, isFolder = false }, seconds) {
  const buffer = Buffer.alloc(block);
  const [folder, name] = split(path);
  const octal = (value, at, length) => buffer.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at);
  buffer.write(name, 0);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(bytes.length, 124, 12);
  octal(seconds, 136, 12);
  buffer.write(' '.repeat(8), 148);
  buffer.write(isFolder ? '5' : '0', 156);
  buffer.write('ustar\x0000', 257);
  buffer.write('root', 265);
  buffer.write('root', 297);
  buffer.write(folder, 345);
  const sum = buffer.reduce((total, byte) => total + byte, 0);
  buffer.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return buffer;
}

/**
 * A tar archive (ustar) in which everything belongs to root.
 * @param entries files: path, bytes, mode
 * @param seconds time of all entries, in Unix seconds
 */
export function tar(entries, seconds) {
  const parts = sorted([...foldersOf(entries), ...entries]).flatMap((entry) => [
    header(entry, seconds),
    entry.bytes,
    Buffer.alloc((block - (entry.bytes.length % block)) % block),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}

/** Compresses bytes. zlib writes no time and no name, but the system that it runs on: that is replaced. */
export function gzip(bytes) {
  const packed = gzipSync(bytes, { level: 9 });
  packed[9] = 255;
  return packed;
}

/** A compressed tar archive. */
export const tarGz = (entries, seconds) => gzip(tar(entries, seconds));

/** An archive of `ar`, as Debian packages are. @param files in their order */
export function ar(files, seconds) {
  const parts = files.flatMap(({ path, bytes }) => [
    Buffer.from(
      `${path.padEnd(16)}${String(seconds).padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(bytes.length).padEnd(10)}\`\n`,
    ),
    bytes,
    Buffer.alloc(bytes.length % 2, '\n'),
  ]);
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}

/** A zip archive. */
export function zip(entries, seconds) {
  const utc = new Date(seconds * 1000);
  // Times in it have no zone, and the library writes local ones.
  const mtime = new Date(
    utc.getUTCFullYear(),
    utc.getUTCMonth(),
    utc.getUTCDate(),
    utc.getUTCHours(),
    utc.getUTCMinutes(),
    utc.getUTCSeconds(),
  );
  return Buffer.from(
    zipSync(Object.fromEntries(sorted(entries).map(({ path, bytes }) => [path, bytes])), { level: 9, mtime }),
  );
}
