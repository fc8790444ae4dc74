import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { say } from './run.mjs';

/** Maximum JavaScript of the first screen, gzipped, in bytes. Monaco and AG Grid load when first shown. */
const most = 200 * 1000;

/** The scripts that a page loads at its start: its own and all static imports. */
export function firstScripts(renderer) {
  const page = readFileSync(join(renderer, 'index.html'), 'utf8');
  const waiting = [...page.matchAll(/(?:src|href)="\.?\/?([^"]+\.js)"/g)].map(([, name]) => name);
  const found = new Set();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const folder = name.includes('/') ? name.slice(0, name.lastIndexOf('/') + 1) : '';
    const text = readFileSync(join(renderer, name), 'utf8');
    for (const [, imported] of text.matchAll(
      /(?:^|[;}\s])(?:import|export)(?:[^"'();]*?from)?\s*["']\.\/([^"']+\.js)["']/g,
    ))
      waiting.push(folder + imported);
  }
  return [...found];
}

/** @returns exit code: 1 if the first screen is too large */
export function checkSize(renderer) {
  const scripts = firstScripts(renderer).map((name) => ({
    name,
    bytes: gzipSync(readFileSync(join(renderer, name))).length,
  }));
  const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0);
  say(
    `  first JavaScript: ${(bytes / 1000).toFixed(0)} kB gzipped in ${scripts.length} files, at most ${most / 1000} kB`,
  );
  return scripts.length > 0 && bytes <= most ? 0 : 1;
}
