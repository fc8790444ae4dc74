import { readFileSync } from 'node:fs';
import { decode, encode } from './codec.ts';
import { pageWorld } from './world/page.ts';
import { preloadWorld } from './world/preload.ts';

/** The name of preload's isolated world. */
export const worldName = 'stand-in preload';

/** Both worlds as scripts that run before a page's own. Preload runs in the main frame only, as in Electron. */
export function worldScripts(preload: string, secret: string): { page: string; isolated: string } {
  const page = `if (window === window.top) (${pageWorld.toString()})({ secret: '${secret}' });`;
  const isolated = `if (window === window.top) globalThis['${secret}'] = (${preloadWorld.toString()})({
    secret: '${secret}',
    encode: ${encode.toString()},
    decode: ${decode.toString()},
    send: globalThis['${secret}-send'],
    preload: function (require, module, exports) { ${readFileSync(preload, 'utf8')}\n },
  });`;
  return { page, isolated };
}
