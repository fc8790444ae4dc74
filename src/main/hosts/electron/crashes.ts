import type { RenderProcessGoneDetails } from 'electron';

export interface CrashOptions {
  readonly contents: {
    on(
      event: 'render-process-gone',
      listener: (event: unknown, details: RenderProcessGoneDetails) => void,
    ): unknown;
  };
  /** Loads the page again. */
  readonly reload: () => void;
  /** Asks the person, when it keeps happening. */
  readonly ask: () => Promise<'reload' | 'quit'>;
  readonly quit: () => void;
  readonly log: (sentence: string) => void;
  /** Milliseconds of a clock. */
  readonly now: () => number;
}

/** So many crashes within so many milliseconds are recovered from without a question. */
const patience = { crashes: 3, withinMs: 60_000 };

/** Brings the page back when its process crashed or was killed; jobs run in main and go on meanwhile. */
export function recoverFromCrashes({ contents, reload, ask, quit, log, now }: CrashOptions): void {
  let recent: number[] = [];
  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    log(`The process of the window is gone (${reason}, exit code ${exitCode}).`);
    recent = [...recent.filter((time) => now() - time < patience.withinMs), now()];
    if (recent.length <= patience.crashes) {
      reload();
      return;
    }
    recent = [];
    void ask().then((answer) => (answer === 'reload' ? reload() : quit()));
  });
}
