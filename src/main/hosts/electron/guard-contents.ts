import type { WebContents } from 'electron';
import { isPage, whereTo } from './scheme.ts';

type Log = (sentence: string) => void;

/** What is used of Electron's app. */
export interface ContentsSource {
  on(event: 'web-contents-created', listener: (event: unknown, contents: WebContents) => void): unknown;
}

/** Keeps every contents, whoever made it, on our own page: no navigation, no second window, no webview. */
export function guardContents(app: ContentsSource, log: Log): void {
  app.on('web-contents-created', (_event, contents) => {
    const stay = (event: { readonly url: string; preventDefault(): void }): void => {
      if (isPage(event.url)) return;
      event.preventDefault();
      log(`A page tried to go elsewhere (${whereTo(event.url)}); it was kept.`);
    };
    contents.on('will-navigate', stay);
    contents.on('will-frame-navigate', stay);
    contents.on('will-redirect', stay);
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      log(`A page tried to open a window (${whereTo(url)}); it was denied.`);
      return { action: 'deny' };
    });
  });
}
