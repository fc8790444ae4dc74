import type { ErrorBody } from './errors/errors.ts';
import type { GrantedFile } from './files/files.ts';

/**
 * What passes between window, preload and Electron's main. Plain names, so that preload needs no library. There is one
 * way for all calls, a message port, and not a channel for each: the names of calls are the contract's, and its
 * dispatcher alone knows them.
 */
export const channels = {
  /** The window asks preload for a port, and preload hands its other end to main under the same name. */
  connect: 'wellbench:connect',
  /** Preload hands the port to the window. */
  port: 'wellbench:port',
  /** Preload tells main the path of a file while the person drops or picks it in the window. */
  offer: 'wellbench:offer',
} as const;

/** The answer to an offered file. Electron strips what is thrown across, so errors come as values. */
export type Offered = { ok: true; value: GrantedFile } | { ok: false; error: ErrorBody };

/** All that the window can see of preload: `window.wellbench`. `PageFile` is the page's own `File`. */
export interface Bridge<PageFile> {
  /** The token of a file that was dropped or picked in this window, once for each time; the window never learns its path. */
  offerFile(file: PageFile): Promise<Offered>;
}
