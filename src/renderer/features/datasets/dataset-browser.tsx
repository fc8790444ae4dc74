import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading } from '../../ui/faces.tsx';
import { words } from '../../words/words.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { useSession, useSessionState } from '../../state/contexts.ts';
import { DatasetList } from './dataset-list.tsx';
import './datasets.css';

export interface DatasetBrowserProps {
  /** The connection whose datasets these are. */
  readonly connection: string;
  readonly onOpen: (dataset: Dataset) => void;
}

/** Finds datasets and opens one. */
export function DatasetBrowser({ connection, onOpen }: DatasetBrowserProps) {
  const list = useSessionState('datasets', (state) => state.list);
  const asking = useSessionState('datasets', (state) => state.freshness.asking);
  const { load, cancel } = useSession().datasets.actions;
  const again = () => void load(connection);
  if (list.face === 'idle')
    return (
      <Empty action={<Button onPress={again}>{words.datasets.load}</Button>}>
        {words.datasets.notLoaded}
      </Empty>
    );
  if (list.face === 'loading') return <Loading what={words.datasets.loading} onCancel={cancel} />;
  if (list.face === 'failed') return <ConnectionFailed error={list.error} onRetry={again} />;
  if (list.value.length === 0 && !asking)
    return (
      <Empty action={<Button onPress={again}>{words.datasets.load}</Button>}>{words.datasets.empty}</Empty>
    );
  return <DatasetList datasets={list.value} onOpen={onOpen} onLoad={again} />;
}
