import { fromChromium } from './addresses.ts';
import type { Session } from './cdp.ts';
import { ignore } from './events.ts';
import type { StandInSession } from './session.ts';

export interface RequestsOptions {
  readonly target: Session;
  readonly session: StandInSession;
  /** Called for each document before it is requested: whether to allow it. */
  readonly navigates: (url: string, frame: string) => boolean;
}

/** Puts our protocol handler and webRequest between a page and its requests. */
export async function handleRequests({ target, session, navigates }: RequestsOptions): Promise<void> {
  const fail = (requestId: string, errorReason: 'Aborted' | 'BlockedByClient') =>
    target.send('Fetch.failRequest', { requestId, errorReason });

  async function handle(
    requestId: string,
    url: string,
    method: string,
    document: string | null,
  ): Promise<void> {
    if (document !== null && !navigates(url, document)) return void (await fail(requestId, 'Aborted'));
    if (await session.blocks({ url, method })) return void (await fail(requestId, 'BlockedByClient'));
    const answer = await session.protocol.answer({ url, method });
    if (!answer) return void (await target.send('Fetch.continueRequest', { requestId }));
    await target.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: answer.status,
      responseHeaders: [...answer.headers].map(([name, value]) => ({ name, value })),
      body: Buffer.from(await answer.arrayBuffer()).toString('base64'),
    });
    return undefined;
  }

  target.on('Fetch.requestPaused', ({ requestId, request, resourceType, frameId }) => {
    ignore(
      handle(
        requestId,
        fromChromium(request.url),
        request.method,
        resourceType === 'Document' ? frameId : null,
      ),
    );
  });
  await target.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] });
}
