import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { stringifyJson, isObject, type JsonValue } from '../../../../shared/json.ts';
import { formatDuration } from '../../../format/times.ts';
import { Failed, Loading } from '../../../ui/view-states.tsx';
import { words } from '../../../words/words.ts';
import { parameterParts } from '../question-parts.ts';
import { useTab, useTabState } from '../../../contexts.ts';
import { useTabWells } from '../../tabs/use-tab-wells.ts';

/** Updates the preview when parameters of the stages change, such as the selected wells. */
function useRefreshPreview(): void {
  const { cards, values } = useTab('query');
  useTabWells();
  const parameters = useTabState('query', ({ text }) => parameterParts(text, values).join(''));
  const shown = useRef(parameters);
  useEffect(() => {
    if (shown.current === parameters) return;
    shown.current = parameters;
    cards.actions.refreshPreview();
  }, [cards, parameters]);
}

/** The first documents after the selected stage. */
export function StagePreview({ off }: { off: boolean }) {
  const { store } = useTab('query').cards;
  useRefreshPreview();
  const preview = useStore(store, (state) => state.preview);
  const { preview: said } = words.stages;
  return (
    <section className="stage-preview" aria-label={said.heading}>
      <h3 className="part-heading">
        {said.heading}
        {preview.status === 'loaded' && (
          <span className="quiet numbers">
            {' · '}
            {said.documents(preview.value.documents.length)}
            {preview.value.sampled !== null && ` ${said.sampled(preview.value.sampled)}`}
            {' · '}
            {formatDuration(preview.value.ms)}
          </span>
        )}
      </h3>
      {off && <p className="field-note">{said.switchedOff}</p>}
      {preview.status === 'loading' && <Loading what={said.loading} />}
      {preview.status === 'failed' && <Failed error={preview.error} />}
      {preview.status === 'loaded' && <Documents documents={preview.value.documents} />}
    </section>
  );
}

function Documents({ documents }: { documents: readonly JsonValue[] }) {
  if (documents.length === 0) return <p className="quiet">{words.stages.preview.none}</p>;
  return (
    <ol className="documents">
      {documents.map((document, at) => (
        // oxlint-disable-next-line no-array-index-key -- documents have no identity but their place
        <li key={at} className="stage-document">
          {isObject(document) ? (
            Object.entries(document).map(([key, value]) => (
              <span key={key} className="document-field">
                <span className="document-key">{key}</span> {stringifyJson(value)}
              </span>
            ))
          ) : (
            <span className="document-field">{stringifyJson(document)}</span>
          )}
        </li>
      ))}
    </ol>
  );
}
