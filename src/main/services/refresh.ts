import { AppError } from '../../shared/errors/errors.ts';
import { UnreadableAnswer } from '../http/answer.ts';
import type { Clock } from '../http/clock.ts';
import type { Http, Sent } from '../http/http.ts';
import { post, type HttpRequest } from '../http/request.ts';
import type { Try } from '../http/retry.ts';
import { readTokens, type Tokens } from './tokens.ts';

export interface Refresh {
  readonly http: Http;
  /** The refresh token; a service takes each one once. */
  readonly token: string;
  readonly clock: Clock;
  readonly tries?: number | undefined;
}

/** A request of the token endpoint (specification, section 5). */
export function tokenRequest(auth: Record<string, string>): HttpRequest {
  return post('/v1/user_token', { auth });
}

/**
 * Exchanges a refresh token for a new pair. What was not sent, or was answered 429, goes again by the policy
 * of reads; a lost answer goes again once, because the service may have used the token up already.
 * @throws AppError `not_authenticated` when the service refused the token: it must not be sent again
 */
export async function refreshTokens({ http, token, clock, tries }: Refresh): Promise<Tokens> {
  const request = tokenRequest({ refresh_token: token });
  let lost = 0;
  const once = async (): Promise<Try<Tokens>> => {
    const sent = await http.send(request, { secrets: [token] });
    const result = judged(sent, clock);
    if (result.lost) lost += 1;
    return result.ok ? result : { ...result, again: result.again && lost <= 1 };
  };
  return http.retrying(once, { tries });
}

type Judged = Try<Tokens> & { readonly lost: boolean };

function judged(sent: Sent, clock: Clock): Judged {
  if (sent.kind === 'not_sent') return { ok: false, lost: false, error: sent.error, again: true };
  if (sent.kind === 'lost') return { ok: false, lost: true, error: sent.error, again: true };
  const { answer, error, retryAfterMs } = sent;
  if (!error) return readable(() => readTokens(answer, clock.now()));
  if (answer.status === 429) return { ok: false, lost: false, error, again: true, retryAfterMs };
  if (answer.status === 408 || answer.status >= 500)
    return { ok: false, lost: true, error, again: true, retryAfterMs };
  if (answer.status < 400) return { ok: false, lost: true, error, again: false };
  // Whatever 4xx it is: this token will not become good again.
  return { ok: false, lost: false, error: refusal(answer.status, error), again: false };
}

function readable(read: () => Tokens): Judged {
  try {
    return { ok: true, lost: false, value: read() };
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    const { problem } = error;
    return {
      ok: false,
      lost: true,
      error: new AppError('bad_answer', { service: 'platform', problem }),
      again: true,
    };
  }
}

function refusal(status: number, { details }: AppError): AppError {
  const said = 'said' in details ? details.said : undefined;
  const refused = { service: 'platform', status, why: 'login_needed' } as const;
  return new AppError('not_authenticated', said === undefined ? refused : { ...refused, said });
}
