import { useEffect, useMemo } from 'react';
import type { KnownWell } from '../../../../shared/language/knowledge.ts';
import { useAppState, useSession, useSessionState, useTab, useTabState } from '../../../state/contexts.ts';
import { scopeOf } from '../../wells/scope.ts';
import { listedWells } from '../../wells/wells-state.ts';
import type { EditorKnowledge } from './language.ts';
import { addressOf, type DatasetSchema } from './dataset-schemas.ts';
import { mentionedWells } from './mentions.ts';

const noKnowledge: DatasetSchema = { indexes: [], fields: [] };

/**
 * What the editors of a tab know. The same object until something changes.
 * @param query the match of a group; absent: none
 */
export function useKnowledge(query?: string): EditorKnowledge {
  const { dataset, values } = useTab('query');
  const { datasetSchemas } = useSession();
  const listed = useSessionState('wells', listedWells);
  const selected = useSessionState('wells', (state) => state.selected);
  const channelNames = useAppState('settings', (state) => state.stored.channelNames);
  const answers = useTabState('query', (state) => state.text.answers);
  useEffect(
    () => void datasetSchemas.actions.load(dataset, scopeOf(selected)),
    [datasetSchemas, dataset, selected],
  );
  const { indexes, fields } =
    useSessionState('datasetSchemas', (state) => state.schemas[addressOf(dataset)]) ?? noKnowledge;
  return useMemo(() => {
    const { wells, company, zone } = values();
    return {
      base: {
        type: dataset.type,
        indexes,
        fields,
        channelNames,
        ...(query === undefined ? {} : { query }),
        wells: selected.map(toKnownWell),
        values: { wells, company, zone, answers: new Map(Object.entries(answers)) },
      },
      findWells: (mentions) => mentionedWells(listed, mentions).map(toKnownWell),
    };
  }, [dataset, values, indexes, fields, listed, selected, answers, channelNames, query]);
}

const toKnownWell = ({ name, assetId, platformId }: KnownWell): KnownWell => ({ name, assetId, platformId });
