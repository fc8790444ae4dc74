import { globSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('../../src/renderer/words/', import.meta.url));

/** The names under which a module exports a catalogue: the first screen's and those that load later. */
export const isCatalogueName = (name: string): boolean => /^(words|[a-z]\w*Words)$/.test(name);

/** @returns all catalogues of the window's strings, by the names under which they are exported */
export async function loadCatalogues(): Promise<Readonly<Record<string, unknown>>> {
  const modules: unknown[] = await Promise.all(
    globSync('*.ts', { cwd: folder }).map((name) => import(pathToFileURL(`${folder}${name}`).href)),
  );
  const named = modules.flatMap((module) =>
    typeof module === 'object' && module !== null ? Object.entries(module) : [],
  );
  return Object.fromEntries(named.filter(([name]) => isCatalogueName(name)));
}
