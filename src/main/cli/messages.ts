import { visibleLine, visibleText } from '../../shared/errors/visible-text.ts';
import type { TextStream } from './output.ts';

/** What is said on stderr: sentences, and how far a long task is. */
export interface Messages {
  /** A sentence, on a line of its own. */
  say(sentence: string): void;
  /** How far it is: one line that changes where stderr is a terminal, else a line now and then. */
  progress(text: string): void;
  /** Takes the changing line away. */
  clear(): void;
}

/** Stderr, which may be a terminal. */
export interface MessageStream extends TextStream {
  readonly columns?: number;
}

/** How often progress is told where it can't be taken back, in milliseconds. */
const seldom = 10_000;

/** Taken for the width of a terminal that does not say its own. */
const unknownWidth = 80;

/** Back to the start of the line, and clear it. */
const wipe = '\r\u001b[2K';

export function createMessages(stream: MessageStream): Messages {
  const { isTTY } = stream;
  let shown = false;
  let toldAt = performance.now();
  // Nobody can be told that stderr is gone.
  stream.on('error', () => undefined);
  const clear = (): void => {
    if (shown) stream.write(wipe);
    shown = false;
  };
  return {
    say(sentence) {
      clear();
      stream.write(`${visibleText(sentence)}\n`);
    },
    progress(text) {
      if (isTTY) {
        stream.write(`${wipe}${visibleLine(text).slice(0, (stream.columns || unknownWidth) - 1)}`);
        shown = true;
      } else if (performance.now() - toldAt >= seldom) {
        stream.write(`${visibleLine(text)}\n`);
        toldAt = performance.now();
      }
    },
    clear,
  };
}
