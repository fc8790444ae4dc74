import type { Connection } from '../../../shared/connections/connections.ts';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { RecordsQuestion, RequestDescription } from '../../services/services.ts';

/** A request, and who asks what by it. */
export interface Copied {
  readonly connection: Pick<
    Connection,
    'name' | 'dataUrl' | 'platformUrl' | 'method' | 'sample' | 'saved' | 'secret'
  >;
  readonly address: DatasetAddress;
  readonly question: RecordsQuestion;
  readonly described: RequestDescription;
  readonly timeoutMs: number | undefined;
}

/** How long an answer may take where nothing else is said, in seconds. */
const usualSeconds = 60;

export const secondsOf = ({ timeoutMs }: Copied): number =>
  timeoutMs === undefined ? usualSeconds : timeoutMs / 1000;

/** The scheme of the Authorization header (specification, section 5), and the variable that holds what follows it. */
export function proofOf({ connection }: Copied): { scheme: string; variable: string; hint: string | null } {
  if (connection.method === 'api_key') return { scheme: 'API', variable: 'WELLBENCH_API_KEY', hint: null };
  const from = `${connection.platformUrl}/v1/user_token`;
  return {
    scheme: 'Bearer',
    variable: 'WELLBENCH_TOKEN',
    hint: `WELLBENCH_TOKEN holds the jwt that a login at ${from} answers.`,
  };
}
