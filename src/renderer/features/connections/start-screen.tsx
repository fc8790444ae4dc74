import { ArrowRight, Database } from 'lucide-react';
import { useState } from 'react';
import type { Connection } from '../../../shared/connections.ts';
import { valueOr } from '../../state/loadable.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/faces.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { words } from '../../words/words.ts';
import { ConnectionForm } from './connection-form.tsx';
import { GiveSecret } from './give-secret.tsx';
import { useConnections, useConnectionsActions } from './context.ts';
import './connections.css';

/** The first screen: the sample workspace, a connection that is there already, or a new one. */
export function StartScreen() {
  return (
    <main className="start">
      <div className="start-column">
        <KeepFocus className="start-head">
          <h1>{words.app}</h1>
          <p className="quiet">{words.start.heading}</p>
        </KeepFocus>
        <Sample />
        <ListedConnections />
        <section className="start-part" aria-labelledby="start-connect">
          <h2 id="start-connect">{words.start.connectHeading}</h2>
          <p className="quiet">{words.start.connectText}</p>
          <ConnectionForm />
        </section>
      </div>
    </main>
  );
}

function Sample() {
  const sample = useConnections((state) => state.sample);
  const { openSample } = useConnectionsActions();
  const loading = sample.face === 'loading';
  return (
    <section className="start-part" aria-labelledby="start-sample">
      <h2 id="start-sample">{words.start.sampleHeading}</h2>
      <p className="quiet">{words.start.sampleText}</p>
      {sample.face === 'failed' && <Failed error={sample.error} />}
      <Button variant="primary" icon={Database} isPending={loading} onPress={() => void openSample()}>
        {loading ? words.start.openingSample : words.start.openSample}
      </Button>
    </section>
  );
}

function ListedConnections() {
  const list = useConnections((state) => state.list);
  const { load } = useConnectionsActions();
  if (list.face === 'failed') return <Failed error={list.error} onRetry={() => void load()} />;
  const connections = valueOr(list, []).filter(({ sample }) => !sample);
  if (connections.length === 0) return null;
  return (
    <section className="start-part" aria-labelledby="start-listed">
      <h2 id="start-listed">{words.start.listHeading}</h2>
      <ul className="start-list">
        {connections.map((connection) => (
          <li key={connection.id}>
            <ListedConnection connection={connection} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Opens it, or asks for the secret that is needed first. */
function ListedConnection({ connection }: { connection: Connection }) {
  const { open } = useConnectionsActions();
  const [asking, setAsking] = useState(false);
  if (asking)
    return (
      <KeepFocus>
        <GiveSecret connection={connection} />
      </KeepFocus>
    );
  const choose = () => (connection.secret === 'missing' ? setAsking(true) : open(connection));
  return (
    <Button
      variant="quiet"
      className="start-item"
      aria-label={words.start.open(connection.name)}
      onPress={choose}
    >
      <span className="dot" data-color={connection.color} aria-hidden />
      <span className="start-item-name">{connection.name}</span>
      <span className="quiet">{new URL(connection.dataUrl).host}</span>
      <span className="quiet">{words.connection.secrets[connection.secret]}</span>
      <ArrowRight size={14} aria-hidden />
    </Button>
  );
}
