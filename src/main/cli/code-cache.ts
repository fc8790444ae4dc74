// The default export: an older Node, under which this file is loaded too, has no `enableCompileCache` to import.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Keeps what V8 makes of a build's code, so that the next start is quicker. It lies beside the code itself: whoever can
 * write the one can write the other, and the next build removes both. Where it can't be written there is none.
 * @param entry the address of the entry file
 */
export function enableCodeCache(entry: string): void {
  if (!entry.endsWith('.js')) return;
  const folder = fileURLToPath(new URL('.compiled', entry));
  module.enableCompileCache(folder);
  // Worker threads look here alone.
  process.env['NODE_COMPILE_CACHE'] ??= folder;
}
