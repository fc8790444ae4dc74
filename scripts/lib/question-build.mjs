import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { lighterCommander } from './lighter-commander.mjs';
import { questionChunk } from './start-chunks.mjs';

/** A character of JavaScript beyond ASCII, written as an escape: it may stand in strings, patterns and names alike. */
const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The code in ASCII, and in a last line what tells it apart from any other. */
function inAscii(code) {
  const text = code.replace(/[^\0-\x7f]/g, escaped);
  return `${text.trimEnd()}\n//# ${createHash('sha256').update(text).digest('hex').slice(0, 16)}\n`;
}

/**
 * Makes what questions on the command line are asked with, `question.cjs` and what it rarely needs, beside the rest of
 * main when that is built: src/main/cli/question-build.ts says why.
 * @param main the folder of main's source
 * @param out the folder of main's build
 * @param external packages that stay outside
 */
export function questionBuild(main, out, external) {
  return {
    name: 'question-build',
    async closeBundle() {
      const made = await build({
        configFile: false,
        logLevel: 'error',
        ssr: { noExternal: true, external },
        plugins: [lighterCommander()],
        build: {
          ssr: true,
          write: false,
          target: 'node24',
          rolldownOptions: {
            input: { question: join(main, 'cli/main.ts') },
            external: [...external, 'electron'],
            output: {
              format: 'cjs',
              entryFileNames: '[name].cjs',
              chunkFileNames: 'question-[name]-[hash].cjs',
              minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
              comments: { legal: true, annotation: false, jsdoc: false },
              codeSplitting: questionChunk(main),
            },
          },
        },
      });
      mkdirSync(out, { recursive: true });
      for (const { type, fileName, code } of made.output)
        if (type === 'chunk') writeFileSync(join(out, fileName), inAscii(code));
    },
  };
}
