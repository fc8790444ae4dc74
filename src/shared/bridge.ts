import type { ErrorBody } from './errors/errors.ts';
import type { GrantedFile } from './files/files.ts';

/**
 * Messages between the window, preload, and Electron's main process. Plain names, so preload needs no
 * library. All calls use one message port; their names are the contract's.
 */
export const channels = {
  /**
   * The window requests a port from preload, and preload passes its other end to main under the same name.
   */
  connect: 'wellbench:connect',
  /** Preload hands the port to the window. */
  port: 'wellbench:port',
  /** Preload sends main the path of a file while the user drops or selects it. */
  offer: 'wellbench:offer',
} as const;

/** The response to an offered file. Electron strips thrown errors, so errors are values. */
export type Offered = { ok: true; value: GrantedFile } | { ok: false; error: ErrorBody };

/** All that the window can see of preload: `window.wellbench`. `PageFile` is the page's own `File`. */
export interface Bridge<PageFile> {
  /** The token of a file that was dropped or picked in this window, once for each time; the window never learns its path. */
  offerFile(file: PageFile): Promise<Offered>;
}
