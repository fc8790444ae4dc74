import type { WebContents } from 'electron';
import { isPage, whereTo } from './scheme.ts';

type Log = (sentence: string) => void;

/** What is used of Electron's app. */
export interface ContentsSource {
  on(event: 'web-contents-created', listener: (event: unknown, contents: WebContents) => void): unknown;
}

interface Navigation {
  readonly url: string;
  readonly isMainFrame: boolean;
}

/** Keeps every contents, whoever made it, on our own page: no navigation, no second window, no webview. */
export function guardContents(app: ContentsSource, log: Log): void {
  app.on('web-contents-created', (_event, contents) => {
    const leaves = ({ url, isMainFrame }: Navigation): boolean => !isMainFrame || !isPage(url);
    contents.on('will-frame-navigate', (event) => {
      if (!leaves(event)) return;
      event.preventDefault();
      log(`A page tried to go elsewhere (${whereTo(event.url)}); it was kept.`);
    });
    // The main frame's navigation is told twice, and logged once.
    contents.on('will-navigate', (event) => {
      if (leaves(event)) event.preventDefault();
    });
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      log(`A page tried to open a window (${whereTo(url)}); it was denied.`);
      return { action: 'deny' };
    });
  });
}
