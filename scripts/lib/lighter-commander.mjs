const asked = "const childProcess = require('node:child_process');";
const loadedLate =
  "const childProcess = { spawn: (...args) => require('node:child_process').spawn(...args) };";

/**
 * Has the library of the command line load what starts processes when it starts one. It does so for commands that are
 * programs of their own, of which there are none, and loading it was a fourteenth of the time of a question.
 */
export function lighterCommander() {
  return {
    name: 'lighter-commander',
    transform: {
      filter: { id: /\/commander\/lib\/command\.js$/ },
      handler(code) {
        if (!code.includes(asked))
          this.error('commander loads processes in another way now: see lighter-commander.mjs');
        // In place of one line another: where everything stands is as it was.
        return { code: code.replace(asked, loadedLate), map: null };
      },
    },
  };
}
