import type { ConnectionCheck } from '../../../shared/connections/connections.ts';
import { CircleCheck, CircleX } from 'lucide-react';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';

/** How each of the two services answered a test. */
export function CheckResult({ check }: { check: ConnectionCheck }) {
  return (
    <Status className="stack gap-1">
      <ul>
        <Service name={words.connection.dataService} result={check.data} />
        <Service name={words.connection.platformService} result={check.platform} />
      </ul>
    </Status>
  );
}

function Service({ name, result }: { name: string; result: ConnectionCheck['data'] }) {
  const Icon = result.ok ? CircleCheck : CircleX;
  return (
    <li className="line">
      <Icon className={result.ok ? 'tone-ok' : 'tone-error'} size={16} aria-hidden />
      <span>
        {name}: {result.ok ? words.connection.works : words.connection.fails}
        <span className="quiet"> · {words.connection.inMs(Math.round(result.ms))}</span>
        {!result.ok && <div>{result.message}</div>}
      </span>
    </li>
  );
}
