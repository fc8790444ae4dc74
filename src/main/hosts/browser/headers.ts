import type { ServerResponse } from 'node:http';
import { policyHeaders } from '../policy.ts';

/** Headers of every answer: the policy that all hosts share, this host's socket, and nothing that may be kept. */
export function securityHeaders(port: number): Record<string, string> {
  return {
    ...policyHeaders([`ws://127.0.0.1:${port}`, `ws://localhost:${port}`]),
    'Cache-Control': 'no-store',
  };
}

/** Answers with a short page in plain words. */
export function answerPage(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${sentence}\n`);
}

/** Leads a browser that has just signed in to the page, by a navigation of our own. */
export function answerOnward(response: ServerResponse): void {
  response
    .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    .end('<!doctype html><meta http-equiv="refresh" content="0; url=/">\n');
}

/** The page of a browser that is not signed in: what is wrong, and how to get a sign-in link. No script, no secret. */
export function answerSignIn(response: ServerResponse, status: 401 | 403, heading: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${heading}</title>
<style>
  body { max-width: 36rem; margin: 12vh auto; padding: 0 1.5rem; font: 1rem/1.5 system-ui, sans-serif; }
  h1 { font-size: 1.375rem; line-height: 1.25; }
  li { margin: 0.5rem 0; }
  code { padding: 0.1em 0.3em; border: 1px solid color-mix(in srgb, currentColor 30%, transparent); border-radius: 4px; }
</style>
<main>
  <h1>${heading}</h1>
  <p>A sign-in link works once, and the sign-in ends when the browser is closed. Your work and jobs are kept.</p>
  <ol>
    <li>Get a new link: press <kbd>Enter</kbd> in the terminal where <code>wellbench serve</code> runs, or run
      <code>wellbench open</code> in any terminal.</li>
    <li>Open the link in this browser.</li>
  </ol>
  <p>Signed in in another tab? <a href="/">Open Wellbench</a></p>
</main>
</html>
`);
}
