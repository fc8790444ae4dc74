import { Copy, Lock, Search, Upload } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { useSession, useTabState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { addressInWords, typeInWords } from './search.ts';

/** What the dataset is called, and what can be done with it. */
export function DatasetHead() {
  const dataset = useTabState('dataset', (state) => state.dataset);
  const ways = useSession().datasetWays;
  const { friendlyName, description, permissions, temporary, plottable } = dataset;
  const address = addressInWords(dataset);
  const w = words.datasets;
  return (
    <header className="dataset-tab-head">
      <div className="dataset-tab-titles">
        <h2 className="dataset-tab-name">{friendlyName === '' ? address : friendlyName}</h2>
        <span className="dataset-tab-address">
          <code>{address}</code>
          <Button
            variant="quiet"
            icon={Copy}
            aria-label={w.copy(address)}
            onPress={() => void copyText(address)}
          />
        </span>
        <span className="dataset-type">{typeInWords(dataset)}</span>
        {plottable && <span className="dataset-type">{w.isPlottable}</span>}
        {temporary && <span className="dataset-type">{w.isTemporary}</span>}
        {permissions['read'] === 'request' && (
          <span className="dataset-type dataset-tab-lock">
            <Lock size={12} aria-hidden /> {w.onRequest(['read'])}
          </span>
        )}
      </div>
      {description !== '' && <p className="dataset-tab-description quiet">{description}</p>}
      <div className="dataset-tab-actions">
        <Button variant="primary" icon={Search} onPress={() => ways.query(dataset)}>
          {w.query}
        </Button>
        <Button icon={Upload} onPress={() => ways.upload(dataset)}>
          {w.upload}
        </Button>
      </div>
    </header>
  );
}
