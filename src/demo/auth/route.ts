import * as z from 'zod';
import { parseBody } from '../http/body.ts';
import { invalid } from '../problem.ts';
import type { Answer, Service } from '../service.ts';

const tokenRequest = z.object({
  auth: z.union([
    z.object({ refresh_token: z.string().min(1) }),
    z.object({ email: z.string().min(1), password: z.string().min(1) }),
  ]),
});

/** `POST /v1/user_token`: tokens for an email and password, or for a refresh token (specification, section 5). */
export async function userToken(service: Service, body: () => Promise<string>): Promise<Answer> {
  const parsed = tokenRequest.safeParse(parseBody(await body()));
  if (!parsed.success) throw invalid('auth must hold email and password, or refresh_token alone');
  const { auth } = parsed.data;
  const answer =
    'refresh_token' in auth
      ? service.tokens.refresh(auth.refresh_token)
      : service.tokens.login(auth.email, auth.password);
  return { status: 200, body: JSON.stringify(answer) };
}
