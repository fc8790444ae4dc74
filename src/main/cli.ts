#!/usr/bin/env node
import { enableCodeCache } from './cli/code-cache.ts';
import { loadForQuestion } from './cli/question-build.ts';
import { dieWithParent, isTooOld, runUnderPinnedNode } from './cli/pinned-node.ts';

// Nothing else may be imported before this: some of the libraries can't even be loaded by an older Node.
if (isTooOld(process.versions.node)) process.exitCode = await runUnderPinnedNode(import.meta.url);
else {
  dieWithParent();
  enableCodeCache(import.meta.url);
  const argv = process.argv.slice(2);
  const { main } = loadForQuestion(import.meta.url, argv) ?? (await import('./cli/main.ts'));
  await main(argv);
}
