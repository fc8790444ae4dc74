#!/usr/bin/env node
import { dieWithParent, isTooOld, runUnderPinnedNode } from './hosts/cli/pinned-node.ts';

// Nothing else may be imported before this: some of the libraries can't even be loaded by an older Node.
if (isTooOld(process.versions.node)) process.exitCode = await runUnderPinnedNode(import.meta.url);
else {
  dieWithParent();
  const { main } = await import('./hosts/cli/main.ts');
  await main(process.argv.slice(2));
}
