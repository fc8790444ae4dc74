import type { MessageBoxSyncOptions } from 'electron';

export interface LeavingOptions {
  readonly contents: {
    on(event: 'will-prevent-unload', listener: (event: { preventDefault(): void }) => void): unknown;
  };
  /** Asks the person, and waits; gives the place of the button that was pressed. */
  readonly ask: (question: MessageBoxSyncOptions) => number;
}

const question: MessageBoxSyncOptions = {
  type: 'question',
  message: 'An upload is under way. Leave all the same?',
  detail:
    'What was sent stays sent, and an upload that runs can be resumed later, each row once. A file that is still being taken over, or waits its turn, has to be picked again.',
  buttons: ['Stay', 'Leave'],
  defaultId: 0,
  cancelId: 0,
};

/**
 * Where the page would rather not go, the person is asked, as a browser asks of itself. Electron without this keeps the
 * window open and says nothing.
 */
export function askBeforeLeaving({ contents, ask }: LeavingOptions): void {
  contents.on('will-prevent-unload', (event) => {
    // What is prevented is the page's objection.
    if (ask(question) === 1) event.preventDefault();
  });
}
